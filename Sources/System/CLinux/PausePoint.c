// SPDX-License-Identifier: MIT

#include "CLinux.h"

#ifdef DEBUG
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void continuo_pause_point(int step) {
  char armed[PATH_MAX], reached[PATH_MAX], release[PATH_MAX], byte;
  const char *directory = getenv("CONTINUO_PAUSE_POINTS");
  if (!directory) return;
  snprintf(armed, sizeof armed, "%s/%d", directory, step);
  snprintf(reached, sizeof reached, "%s/%d.reached", directory, step);
  if (rename(armed, reached) != 0) return;
  snprintf(release, sizeof release, "%s/release", directory);
  int pipe = open(release, O_RDONLY | O_CLOEXEC);
  if (pipe < 0) return;
  while (read(pipe, &byte, 1) < 0 && errno == EINTR) {
  }
  close(pipe);
}
#else
void continuo_pause_point(int step) { (void)step; }
#endif
