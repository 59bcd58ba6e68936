/* SPDX-License-Identifier: MIT */
/* What a call of the library is to give; for programs of one file. */
#include <continuo.h>

#include <stdio.h>
#include <stdlib.h>

static void check(continuo_status status, continuo_status expected, const char *what) {
  continuo_text sentence = {NULL, 0};
  if (status == expected) return;
  continuo_last_error(&sentence);
  fprintf(stderr, "%s gave %d: %s\n", what, (int)status, (const char *)sentence.bytes);
  exit(2);
}
