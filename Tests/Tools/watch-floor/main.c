// SPDX-License-Identifier: MIT
//
// What the kernel alone can do, for continuo-bench to measure beside: a watcher that only notes when it saw which
// file, and the writer of those files. In C, so that nothing but system calls is in its figures.
//
//   watch-floor watch FOLDER                      prints `READY nanoseconds`, then, when a file `end` was closed,
//                                                 `SEEN file nanoseconds` for each, and ends
//   watch-floor tell FOLDER                       the same, but prints `SEEN file` as soon as it sees one
//   watch-floor write FOLDER FILES FOLDERS PAUSE  writes FILES files over the sub-folders d0, d1 ..., PAUSE
//                                                 microseconds apart, then `end`; prints `CLOSED file nanoseconds`
//
// Files are called f0, f1 ...; moments are those of CLOCK_MONOTONIC.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

// What the watch process asks for, too.
static const uint32_t events = IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE |
                               IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "watch-floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void *need(void *memory) {
  if (!memory) fail("memory");
  return memory;
}

// MARK: Moments by the number of a file

static uint64_t *moments;
static size_t files;

static void note(size_t file, uint64_t moment) {
  if (file >= files) {
    size_t more = (file + 1) * 2;
    moments = need(realloc(moments, more * sizeof *moments));
    memset(moments + files, 0, (more - files) * sizeof *moments);
    files = more;
  }
  if (!moments[file]) moments[file] = moment;
}

static void tell(const char *word) {
  for (size_t file = 0; file < files; file++)
    if (moments[file]) printf("%s %zu %llu\n", word, file, (unsigned long long)moments[file]);
}

// MARK: Watching

static int instance;
static int tellsAtOnce;
static char **paths; // by watch descriptor
static int known;
static char **waiting;
static size_t waitingCount, waitingRoom;

static void later(const char *above, const char *name) {
  if (waitingCount == waitingRoom) {
    waitingRoom = waitingRoom ? waitingRoom * 2 : 1024;
    waiting = need(realloc(waiting, waitingRoom * sizeof *waiting));
  }
  size_t length = strlen(above) + strlen(name) + 2;
  char *path = need(malloc(length));
  snprintf(path, length, *name ? "%s/%s" : "%s%s", above, name);
  waiting[waitingCount++] = path;
}

// Each folder is watched first and listed afterwards; the type is in the entry, so no file is looked at.
static void follow(char *path) {
  int watch = inotify_add_watch(instance, path, events);
  if (watch < 0 && errno != ENOENT) fail(path);
  DIR *folder = watch < 0 ? NULL : opendir(path);
  if (!folder) return free(path);
  if (watch >= known) {
    int more = (watch + 1) * 2;
    paths = need(realloc(paths, (size_t)more * sizeof *paths));
    memset(paths + known, 0, (size_t)(more - known) * sizeof *paths);
    known = more;
  }
  free(paths[watch]);
  paths[watch] = path;
  for (struct dirent *entry; (entry = readdir(folder));)
    if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
      later(path, entry->d_name);
  closedir(folder);
}

static void followAll(void) {
  while (waitingCount) follow(waiting[--waitingCount]);
}

// Whether the last file was closed.
static int take(const struct inotify_event *event) {
  if (!event->len) return 0;
  if (event->mask & IN_ISDIR) {
    if (event->mask & (IN_CREATE | IN_MOVED_TO) && event->wd < known && paths[event->wd])
      later(paths[event->wd], event->name);
    return 0;
  }
  if (!(event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO))) return 0;
  if (event->name[0] == 'f' && tellsAtOnce) printf("SEEN %s\n", event->name + 1);
  if (event->name[0] == 'f' && !tellsAtOnce) note((size_t)atol(event->name + 1), now());
  return !strcmp(event->name, "end");
}

static void watch(const char *root) {
  instance = inotify_init1(IN_CLOEXEC);
  if (instance < 0) fail("inotify");
  uint64_t start = now();
  later(root, "");
  followAll();
  printf("READY %llu\n", (unsigned long long)(now() - start));
  fflush(stdout);
  static char buffer[1 << 17] __attribute__((aligned(8)));
  for (;;) {
    ssize_t count = read(instance, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("reading events");
    int isEnd = 0;
    for (char *at = buffer; at < buffer + count;) {
      const struct inotify_event *event = (const void *)at;
      at += sizeof *event + event->len;
      isEnd |= take(event);
    }
    fflush(stdout);
    followAll();
    if (isEnd) return tell("SEEN");
  }
}

// MARK: Writing

static void writeFile(const char *path, size_t number) {
  int file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || write(file, "0123456789", 10) != 10) fail(path);
  if (number != SIZE_MAX) note(number, now());
  close(file);
}

static void writeAll(const char *root, size_t count, size_t folders, unsigned pause) {
  char path[PATH_MAX];
  note(count ? count - 1 : 0, 0); // no memory is asked for between two files
  for (size_t number = 0; number < count; number++) {
    snprintf(path, sizeof path, "%s/d%zu/f%zu", root, number % folders, number);
    writeFile(path, number);
    // Not at an even pace: nothing that happens now and then is met always or never.
    if (pause) usleep(pause / 2 + (unsigned)rand() % (pause + 1));
  }
  snprintf(path, sizeof path, "%s/end", root);
  writeFile(path, SIZE_MAX);
  tell("CLOSED");
}

int main(int count, char **words) {
  if (count == 3 && (!strcmp(words[1], "watch") || !strcmp(words[1], "tell"))) {
    tellsAtOnce = words[1][0] == 't';
    watch(words[2]);
  } else if (count == 6 && !strcmp(words[1], "write") && atol(words[4]) > 0) {
    writeAll(words[2], (size_t)atol(words[3]), (size_t)atol(words[4]), (unsigned)atol(words[5]));
  } else {
    fprintf(stderr, "usage: watch-floor watch FOLDER | tell FOLDER | write FOLDER FILES FOLDERS PAUSE\n");
    return 2;
  }
  return 0;
}
