// SPDX-License-Identifier: MIT
//
// An editor without a screen, in C++11, that counts in UTF-16 and answers when its own loop finds the time: it
// continues the first offer and prints where it is.
#include <continuo.h>

#include <poll.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::string text(const continuo_text &text) {
  return std::string(reinterpret_cast<const char *>(text.bytes), text.length);
}

void check(continuo_status status) {
  continuo_text sentence;
  if (status == CONTINUO_OK) return;
  continuo_last_error(&sentence);
  std::fprintf(stderr, "%s\n", text(sentence).c_str());
  std::exit(2);
}

struct Editor {
  continuo_continuation waiting = 0;
  bool has_accepted = false;
  int asked = 0;
  std::string said;
};

void offers_changed(void *context, continuo_session session) {
  Editor &editor = *static_cast<Editor *>(context);
  std::size_t count;
  check(continuo_offer_count(session, &count));
  continuo_offer_info offer = continuo_offer_info();
  offer.size = sizeof offer;
  if (count == 0 || editor.has_accepted) return;
  editor.has_accepted = true;
  check(continuo_offer_at(session, 0, &offer));
  check(continuo_offer_accept(session, offer.offer, nullptr));
}

continuo_answer continue_activity(void *context, continuo_session, const continuo_delivery *) {
  static_cast<Editor *>(context)->asked += 1;
  return CONTINUO_DECLINED;
}

continuo_answer restore(void *context, continuo_session, const continuo_delivery *delivery) {
  Editor &editor = *static_cast<Editor *>(context);
  editor.waiting = delivery->continuation;
  editor.said = text(delivery->device) + ": line " + std::to_string(delivery->place->line) + " column "
      + std::to_string(delivery->place->column) + ", certainty " + std::to_string(delivery->place->certainty)
      + ", asked " + std::to_string(editor.asked);
  return CONTINUO_LATER;
}

}  // namespace

int main() {
  Editor editor;
  continuo_app app = continuo_app();
  app.size = sizeof app;
  app.identifier = {CONTINUO_TEXT("org.example.editor-in-c-plus-plus")};
  app.columns = CONTINUO_COLUMNS_UTF16;
  continuo_callbacks callbacks = continuo_callbacks();
  callbacks.size = sizeof callbacks;
  callbacks.context = &editor;
  callbacks.offers_changed = offers_changed;
  callbacks.continue_activity = continue_activity;
  callbacks.restore_document = restore;

  continuo_session session;
  check(continuo_session_create(&app, &callbacks, &session));
  check(continuo_connect(session));
  pollfd polled = {continuo_descriptor(session), POLLIN, 0};
  while (editor.waiting == 0) {
    if (poll(&polled, 1, 60000) == 0) return 5;
    check(continuo_dispatch(session));
  }
  check(continuo_answer_delivery(session, editor.waiting, CONTINUO_DONE));
  std::printf("%s\n", editor.said.c_str());
  check(continuo_session_destroy(session, 2000));
  return 0;
}
