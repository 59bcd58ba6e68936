/* SPDX-License-Identifier: MIT */
/* What a call of the library is to give; for programs of one file. */
#include <continuo.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

static void check(continuo_status status, continuo_status expected, const char *what) {
  continuo_text sentence = {NULL, 0};
  if (status == expected) return;
  continuo_last_error(&sentence);
  fprintf(stderr, "%s gave %d: %s\n", what, (int)status, (const char *)sentence.bytes);
  exit(2);
}

/* For programs in which every continuation succeeds. */
static inline void end_with_failure(void *context, continuo_session session, const continuo_failure *failure) {
  (void)context, (void)session;
  fprintf(stderr, "failed: %s\n", (const char *)failure->sentence.bytes);
  exit(4);
}

/* A session of the app of that identifier, which is not connected yet. */
static inline continuo_session made_session(continuo_text identifier, const continuo_callbacks *callbacks) {
  continuo_app told = {0};
  continuo_session session;
  told.size = sizeof told;
  told.identifier = identifier;
  check(continuo_session_create(&told, callbacks, &session), CONTINUO_OK, "session_create");
  return session;
}

/* Dispatches until a callback has said that it is over, or nothing came for a minute. */
static inline void dispatch_until(continuo_session session, const int *is_over) {
  struct pollfd polled = {0};
  polled.fd = continuo_descriptor(session);
  polled.events = POLLIN;
  while (!*is_over) {
    if (poll(&polled, 1, 60000) == 0) exit(5);
    check(continuo_dispatch(session), CONTINUO_OK, "dispatch");
  }
}
