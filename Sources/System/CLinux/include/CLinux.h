// SPDX-License-Identifier: MIT
//
// What Swift cannot call by itself on Linux. No logic: each function is one system call or one control
// message, returns -1 with errno set on failure, and keeps no state.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// openat2(2) beneath `directory`: no symbolic link, no magic link, nothing outside. `flags` get O_CLOEXEC.
int continuo_open_beneath(int directory, const char *path, int flags, unsigned int mode);

/// getdents64(2): the next entries of an open folder, as many as fit into `room` bytes; 0 at the end. Each is a
/// struct dirent64.
ssize_t continuo_read_folder(int folder, void *entries, size_t room);

/// renameat2(2); `flags` as there (RENAME_NOREPLACE is 1, RENAME_EXCHANGE is 2).
int continuo_renameat2(int from_directory, const char *from, int to_directory, const char *to,
                       unsigned int flags);

/// llistxattr(2): the names of a file's extended attributes, each with its zero byte.
ssize_t continuo_list_attributes(const char *path, void *names, size_t room);

/// flistxattr(2): the same for an open file.
ssize_t continuo_list_attributes_of(int file, void *names, size_t room);

/// lgetxattr(2).
ssize_t continuo_get_attribute(const char *path, const char *name, void *value, size_t room);

/// fgetxattr(2).
ssize_t continuo_get_attribute_of(int file, const char *name, void *value, size_t room);

/// fsetxattr(2), whether the attribute is there or not.
int continuo_set_attribute(int file, const char *name, const void *value, size_t size);

/// fcntl(2) with F_SETLEASE: F_RDLCK, F_WRLCK or F_UNLCK.
int continuo_set_lease(int file, int lease);

/// fcntl(2) with F_GETLEASE.
int continuo_lease(int file);

/// fcntl(2) with F_SETSIG.
int continuo_set_signal(int file, int signal);

/// fremovexattr(2).
int continuo_remove_attribute(int file, const char *name);

/// pipe2(2) with O_CLOEXEC, and O_NONBLOCK when `nonblocking`.
int continuo_pipe(int ends[2], int nonblocking);

/// memfd_create(2) with MFD_CLOEXEC.
int continuo_memory_file(const char *name);

/// eventfd(2) with EFD_CLOEXEC | EFD_NONBLOCK.
int continuo_eventfd(void);

/// Sends `count` bytes, and `descriptor` beside them unless it is -1. Never raises SIGPIPE.
ssize_t continuo_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives up to `count` bytes. `*descriptor` becomes the descriptor that came beside them (close-on-exec,
/// owned by the caller) or -1; further ones are closed.
ssize_t continuo_receive(int socket, void *bytes, size_t count, int *descriptor);

/// accept4(2) with SOCK_CLOEXEC | SOCK_NONBLOCK.
int continuo_accept(int listener);

/// SO_PEERCRED of a connected Unix socket.
int continuo_peer(int socket, uid_t *user, pid_t *process);

/// SO_PEERPIDFD of a connected Unix socket: a descriptor of the process, close-on-exec; ENOPROTOOPT before Linux 6.5.
int continuo_peer_pidfd(int socket);

/// pidfd_open(2), close-on-exec.
int continuo_pidfd_open(pid_t process);

/// prctl(PR_SET_DUMPABLE, 0).
int continuo_forbid_dumps(void);

/// malloc_trim(3): free memory goes back to the system, where the C library can do so.
void continuo_return_free_memory(void);

/// prctl(PR_SET_PDEATHSIG, signal): this process gets `signal` when its parent thread ends.
int continuo_signal_on_parent_death(int signal);

/// posix_spawn(3) of `program` in a session of its own, at `/`, without the caller's descriptors and signal
/// settings: input and output are /dev/null, errors are appended to `log`. It is no child of the caller, who has
/// nothing to wait for. `report` is its descriptor 3, or nothing is for -1. Returns an errno value, 0 for success.
int continuo_spawn_detached(const char *program, char *const arguments[], char *const environment[],
                            const char *log, int report);

/// prctl(PR_SET_CHILD_SUBREAPER, 1): orphaned descendants become children of this process.
int continuo_adopt_orphans(void);

/// The child gets no descriptor from `first` on. `actions` is a posix_spawn_file_actions_t.
int continuo_spawn_close_from(void *actions, int first);

/// For tests that end a program in the midst of a hand-off: a place in step 1 to 13 of the straight line (see
/// docs/architecture.md). Where `$CONTINUO_PAUSE_POINTS` is a directory with a file named after the step, renames it
/// to `<step>.reached` and blocks until a byte can be read from `release` there. Does nothing in a release build.
void continuo_pause_point(int step);

/// statx(2): device, inode and the moment it was made in nanoseconds (0 where the file system does not keep it), which
/// together belong to one inode only: numbers alone are given out again.
int continuo_identity(int descriptor, uint64_t identity[3]);

/// statfs(2), for its answer alone: the kernel keeps none, so it waits for the server or program behind `path`.
int continuo_ask_file_system(const char *path);

/// fstatfs(2): the magic number of the file system that `descriptor` lies on.
int64_t continuo_file_system(int descriptor);

/// fstatfs(2): how many bytes a user may still write on the file system that `descriptor` lies on; -1 when it cannot
/// be looked at.
int64_t continuo_free_space(int descriptor);

/// timerfd_create(2): a descriptor that becomes readable when the civil clock is set, as it also is when the machine
/// wakes from sleep, and never otherwise. Close-on-exec, non-blocking. `continuo_clock_changes_taken` starts it.
int continuo_clock_changes(void);

/// Takes what made a descriptor of `continuo_clock_changes` readable, and waits for the next change.
int continuo_clock_changes_taken(int descriptor);

/// epoll_create1(2), close-on-exec.
int continuo_epoll(void);

/// epoll_ctl(2): watches `descriptor` for input, and for room too; `is_new` when it is not watched yet.
int continuo_epoll_watch(int epoll, int descriptor, int is_new, int wants_room);

/// epoll_ctl(2): watches `descriptor` no more.
int continuo_epoll_forget(int epoll, int descriptor);

/// timerfd_create(2) on the monotonic clock. Close-on-exec, non-blocking.
int continuo_timer(void);

/// timerfd_settime(2): readable after so many nanoseconds from now; never, for 0.
int continuo_timer_arm(int timer, uint64_t nanoseconds);

/// dladdr(3): the resolved path of the file that this code was loaded from, a library or the program itself, to be
/// freed; null when that cannot be told.
char *continuo_file_of_code(void);

/// socket(2) and bind(2): a socket of rtnetlink(7) that tells when links, or addresses of IPv4 or IPv6, change.
/// Close-on-exec, non-blocking.
int continuo_network_notices(void);

/// prctl(PR_SET_NO_NEW_PRIVS): no program that this process becomes has more rights than it.
int continuo_no_new_privileges(void);

/// landlock_create_ruleset(2) and landlock_restrict_self(2) without a rule: nothing of the file system can be opened,
/// made, renamed or executed by this process from now on, and no process outside can be traced. ENOSYS or EOPNOTSUPP
/// where the kernel does not know it.
int continuo_without_paths(void);

/// seccomp(2): from now on this process can use the descriptors that it has, accept connections, and use memory; every
/// other call fails with EPERM, and ends the process where it is one of another architecture.
int continuo_only_descriptors(void);

/// For tests of the above: tries what is forbidden and prints how each ended to standard error, with `label` before it.
/// `$CONTINUO_LAN_FAULT` names paths to open, separated by colons; without it, and in a release build, does nothing.
void continuo_try_what_is_forbidden(const char *label);
