// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

int continuo_open_beneath(int directory, const char *path, int flags, unsigned int mode) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)(unsigned int)(flags | O_CLOEXEC);
  how.mode = (flags & O_CREAT) ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

ssize_t continuo_read_folder(int folder, void *entries, size_t room) {
  return syscall(SYS_getdents64, folder, entries, room);
}

int continuo_renameat2(int from_directory, const char *from, int to_directory, const char *to,
                       unsigned int flags) {
  return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

ssize_t continuo_list_attributes(const char *path, void *names, size_t room) {
  return llistxattr(path, names, room);
}

ssize_t continuo_list_attributes_of(int file, void *names, size_t room) { return flistxattr(file, names, room); }

ssize_t continuo_get_attribute(const char *path, const char *name, void *value, size_t room) {
  return lgetxattr(path, name, value, room);
}

ssize_t continuo_get_attribute_of(int file, const char *name, void *value, size_t room) {
  return fgetxattr(file, name, value, room);
}

int continuo_set_attribute(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0);
}

int continuo_set_lease(int file, int lease) { return fcntl(file, F_SETLEASE, lease); }

int continuo_lease(int file) { return fcntl(file, F_GETLEASE); }

int continuo_set_signal(int file, int signal) { return fcntl(file, F_SETSIG, signal); }

int continuo_remove_attribute(int file, const char *name) { return fremovexattr(file, name); }

int continuo_pipe(int ends[2], int nonblocking) {
  return pipe2(ends, O_CLOEXEC | (nonblocking ? O_NONBLOCK : 0));
}

int continuo_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int continuo_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

ssize_t continuo_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t continuo_receive(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * 16)];
  } control;
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  *descriptor = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t held = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < held; i++) {
      int each;
      memcpy(&each, CMSG_DATA(header) + i * sizeof each, sizeof each);
      if (*descriptor < 0)
        *descriptor = each;
      else
        close(each);
    }
  }
  return received;
}

int continuo_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int continuo_peer(int socket, uid_t *user, pid_t *process) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -1;
  *user = credentials.uid;
  *process = credentials.pid;
  return 0;
}

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int continuo_peer_pidfd(int socket) {
  int process = -1;
  socklen_t size = sizeof process;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) < 0) return -1;
  return process;
}

int continuo_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int continuo_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void continuo_return_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

int continuo_signal_on_parent_death(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

int continuo_spawn_detached(const char *program, char *const arguments[], char *const environment[],
                            const char *log, int report) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  if (report >= 0) posix_spawn_file_actions_adddup2(&actions, report, 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, report >= 0 ? 4 : 3);
  int result = 0, status = 0;
  pid_t between = fork();
  if (between == 0) {
    pid_t child;
    _exit(posix_spawn(&child, program, &actions, &attributes, arguments, environment));
  }
  if (between < 0) {
    result = errno;
  } else {
    while (waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    result = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return result;
}

int continuo_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int continuo_spawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int continuo_identity(int descriptor, uint64_t identity[3]) {
  struct statx found;
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found) != 0) {
    // Refused by an old kernel or a sandbox.
    struct stat old;
    if ((errno != ENOSYS && errno != EPERM) || fstat(descriptor, &old) != 0) return -1;
    identity[0] = old.st_dev;
    identity[1] = old.st_ino;
    identity[2] = 0;
    return 0;
  }
  identity[0] = makedev(found.stx_dev_major, found.stx_dev_minor);
  identity[1] = found.stx_ino;
  identity[2] = (found.stx_mask & STATX_BTIME)
                    ? (uint64_t)found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec
                    : 0;
  return 0;
}

int continuo_ask_file_system(const char *path) {
  struct statfs found;
  return statfs(path, &found);
}

int64_t continuo_file_system(int descriptor) {
  struct statfs found;
  if (fstatfs(descriptor, &found) != 0) return -1;
  return (int64_t)found.f_type;
}

int64_t continuo_free_space(int descriptor) {
  struct statfs found;
  if (fstatfs(descriptor, &found) != 0) return -1;
  int64_t bytes;
  if (__builtin_mul_overflow((int64_t)found.f_bavail, (int64_t)found.f_bsize, &bytes)) return INT64_MAX;
  return bytes;
}

int continuo_clock_changes(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int continuo_clock_changes_taken(int descriptor) {
  // As far away as the kernel can count: only a change of the clock ends the wait.
  struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 2000000000}};
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int continuo_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int continuo_epoll_watch(int epoll, int descriptor, int is_new, int wants_room) {
  struct epoll_event event = {.events = EPOLLIN | (wants_room ? EPOLLOUT : 0), .data.fd = descriptor};
  return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

int continuo_epoll_forget(int epoll, int descriptor) {
  struct epoll_event event = {0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

int continuo_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

int continuo_timer_arm(int timer, uint64_t nanoseconds) {
  struct itimerspec setting = {
      .it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)}};
  return timerfd_settime(timer, 0, &setting, NULL);
}

char *continuo_file_of_code(void) {
  Dl_info found;
  if (!dladdr((void *)&continuo_file_of_code, &found) || !found.dli_fname) return NULL;
  return realpath(found.dli_fname, NULL);
}

int continuo_network_notices(void) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK,
                                .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  int notices = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (notices < 0 || bind(notices, (struct sockaddr *)&address, sizeof address) == 0) return notices;
  int reason = errno;
  close(notices);
  errno = reason;
  return -1;
}
