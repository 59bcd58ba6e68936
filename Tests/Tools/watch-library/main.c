// SPDX-License-Identifier: MIT
//
// libinotifytools alone, for continuo-bench to measure what the watch process holds beyond it: watches all folders
// below FOLDER, prints `READY nanoseconds bytes`, the time and the memory that took, and waits to be ended.
//
// The binary is under the library's GPL-2; see docs/decisions/0001-licence-of-the-watch-process.md.
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The memory that is this process's own, in bytes.
static long long memory(void) {
  long long kilobytes = 0;
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "RssAnon: %lld", &kilobytes) == 1) break;
  if (status) fclose(status);
  return kilobytes * 1024;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: watch-library FOLDER\n");
    return 2;
  }
  if (!inotifytools_initialize()) {
    fprintf(stderr, "watch-library: %s\n", strerror(inotifytools_error()));
    return 1;
  }
  long long before = memory();
  uint64_t start = now();
  int events = IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF |
               IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;
  if (!inotifytools_watch_recursively(words[1], events)) {
    fprintf(stderr, "watch-library: %s: %s\n", words[1], strerror(inotifytools_error()));
    return 1;
  }
  printf("READY %llu %lld\n", (unsigned long long)(now() - start), memory() - before);
  fflush(stdout);
  // The end of the input is the end of this program.
  char byte;
  return read(STDIN_FILENO, &byte, 1) < 0;
}
