// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"

#ifdef DEBUG
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(const char *label, const char *what, long result) {
  char line[PATH_MAX + 128];
  const char *reason = result >= 0 ? "done" : strerrorname_np(errno);
  int size = snprintf(line, sizeof line, "%s: %s: %s\n", label, what, reason);
  (void)!write(STDERR_FILENO, line, (size_t)size);
}

void continuo_try_what_is_forbidden(const char *label) {
  const char *paths = getenv("CONTINUO_LAN_FAULT");
  if (!paths) return;
  char copy[PATH_MAX], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", paths);
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  for (char *path = strtok_r(copy, ":", &rest); path; path = strtok_r(NULL, ":", &rest)) {
    tell(label, path, open(path, O_RDONLY | O_CLOEXEC));
    snprintf(place.sun_path, sizeof place.sun_path, "%s", path);
  }
  char *const words[] = {"true", NULL};
  struct iovec word = {.iov_base = &place, .iov_len = 1};
  struct msghdr message = {.msg_name = &place, .msg_namelen = sizeof place, .msg_iov = &word, .msg_iovlen = 1};
  // Asked for before nobody may.
  static pid_t parent;
  if (parent == 0) parent = getppid();
  tell(label, "ptrace", ptrace(PTRACE_ATTACH, parent, NULL, NULL));
  tell(label, "execve", execve("/bin/true", words, words + 1));
  // Nothing of this is a matter of Landlock.
  if (strcmp(label, "seccomp") != 0) return;
  tell(label, "process_vm_readv", syscall(SYS_process_vm_readv, parent, &word, 1, &word, 1, 0));
  tell(label, "socket", socket(AF_INET, SOCK_STREAM, 0));
  tell(label, "unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
  tell(label, "connect", connect(STDIN_FILENO, (struct sockaddr *)&place, sizeof place));
  tell(label, "bind", bind(STDIN_FILENO, (struct sockaddr *)&place, sizeof place));
  tell(label, "sendmsg that connects", sendmsg(STDIN_FILENO, &message, MSG_FASTOPEN));
  tell(label, "sendto", sendto(STDIN_FILENO, &place, 1, 0, (struct sockaddr *)&place, sizeof place));
  tell(label, "clone", syscall(SYS_clone, 17, NULL, NULL, NULL, NULL));
  tell(label, "kill", kill(parent, 0));
  tell(label, "fcntl for signals", fcntl(STDIN_FILENO, F_SETOWN, parent));
  tell(label, "setsockopt", setsockopt(STDIN_FILENO, SOL_SOCKET, SO_KEEPALIVE, &parent, sizeof parent));
  tell(label, "code", (long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1
                          ? -1 : 0);
  tell(label, "pidfd_open", syscall(SYS_pidfd_open, parent, 0));
  tell(label, "io_uring_setup", syscall(SYS_io_uring_setup, 1, NULL));
}
#else
void continuo_try_what_is_forbidden(const char *label) { (void)label; }
#endif
