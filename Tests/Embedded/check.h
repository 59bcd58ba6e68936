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
