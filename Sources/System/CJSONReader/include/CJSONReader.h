// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is read of a JSON text.
typedef enum {
  CONTINUO_JSON_NULL,
  CONTINUO_JSON_FALSE,
  CONTINUO_JSON_TRUE,
  /// A whole number that 64 bits hold.
  CONTINUO_JSON_WHOLE,
  /// Any other number, and what is written as one: 1.0.
  CONTINUO_JSON_NUMBER,
  CONTINUO_JSON_TEXT,
  CONTINUO_JSON_ARRAY,
  CONTINUO_JSON_END_OF_ARRAY,
  CONTINUO_JSON_OBJECT,
  /// The name of the member whose value follows.
  CONTINUO_JSON_NAME,
  CONTINUO_JSON_END_OF_OBJECT,
} continuo_json_kind;

/// One piece of the text, in the order in which it stands there.
typedef struct {
  continuo_json_kind kind;
  int64_t whole;
  double number;
  /// UTF-8 of a text or a name, without escapes; may hold NUL, and lives as long as the call that gives it.
  const char *text;
  size_t length;
} continuo_json_piece;

/// Takes a piece; gives whether reading goes on.
typedef bool (*continuo_json_taker)(void *context, continuo_json_piece piece);

/// Reads one JSON value, on any thread, in time and memory that grow with its length alone.
/// Gives 0 when the text is whole, and else the number of the byte, from 1, at which it is no JSON, where the
/// taker ended it, or where memory was wanting.
size_t continuo_json_read(const void *bytes, size_t count, continuo_json_taker take, void *context);

#ifdef __cplusplus
}
#endif
