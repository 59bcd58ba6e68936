// SPDX-License-Identifier: MIT

#include "CJSONReader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

namespace {

/// Hands each piece on, and remembers where reading ended.
class handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  handler(continuo_json_taker take, void *context) : take_(take), context_(context) {}

  std::size_t ended_at = 1;

  bool null() override { return hand(CONTINUO_JSON_NULL); }
  bool boolean(bool value) override {
    return hand(value ? CONTINUO_JSON_TRUE : CONTINUO_JSON_FALSE);
  }
  bool number_integer(number_integer_t value) override {
    return hand({CONTINUO_JSON_WHOLE, value, 0, nullptr, 0});
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > number_unsigned_t(std::numeric_limits<int64_t>::max()))
      return hand({CONTINUO_JSON_NUMBER, 0, double(value), nullptr, 0});
    return hand({CONTINUO_JSON_WHOLE, int64_t(value), 0, nullptr, 0});
  }
  bool number_float(number_float_t value, const string_t &) override {
    return hand({CONTINUO_JSON_NUMBER, 0, value, nullptr, 0});
  }
  bool string(string_t &value) override { return hand(CONTINUO_JSON_TEXT, value); }
  bool binary(binary_t &) override { return false; }
  bool start_object(std::size_t) override { return hand(CONTINUO_JSON_OBJECT); }
  bool key(string_t &value) override { return hand(CONTINUO_JSON_NAME, value); }
  bool end_object() override { return hand(CONTINUO_JSON_END_OF_OBJECT); }
  bool start_array(std::size_t) override { return hand(CONTINUO_JSON_ARRAY); }
  bool end_array() override { return hand(CONTINUO_JSON_END_OF_ARRAY); }
  bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override {
    ended_at = std::max<std::size_t>(position, 1);
    return false;
  }

 private:
  continuo_json_taker take_;
  void *context_;

  bool hand(continuo_json_piece piece) { return take_(context_, piece); }
  bool hand(continuo_json_kind kind) { return hand({kind, 0, 0, nullptr, 0}); }
  bool hand(continuo_json_kind kind, const string_t &text) { return hand({kind, 0, 0, text.data(), text.size()}); }
};

}  // namespace

extern "C" size_t continuo_json_read(const void *bytes, size_t count, continuo_json_taker take, void *context) {
  const char *text = static_cast<const char *>(bytes);
  // The library takes a byte of zero for the end, and would not look at what follows.
  if (const void *zero = count ? std::memchr(text, 0, count) : nullptr)
    return std::size_t(static_cast<const char *>(zero) - text) + 1;
  handler pieces(take, context);
  try {
    return nlohmann::json::sax_parse(text, text + count, &pieces) ? 0 : pieces.ended_at;
  } catch (...) {
    return pieces.ended_at;
  }
}
