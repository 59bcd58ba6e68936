// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the calls of this architecture have to be looked at"
#endif

int continuo_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int continuo_without_paths(void) {
  // All that the first version of Landlock knows.
  struct landlock_ruleset_attr nothing = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &nothing, sizeof nothing.handled_access_fs, 0);
  if (rules < 0) return -1;
  int result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return result;
}

// Loads the lower half of a call's argument; both architectures are little-endian.
#define ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[number]))
#define ALLOWED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ALLOWED
// Allows a call unless its argument has one of these bits.
#define ALLOW_WITHOUT(call, number, bits)                                                                     \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), ARGUMENT(number),                                    \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), REFUSED, ALLOWED
// Allows a call where its argument is one of these two.
#define ALLOW_WITH(call, number, one, other)                                                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), ARGUMENT(number),                                    \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1),       \
      ALLOWED, REFUSED

int continuo_only_descriptors(void) {
  struct sock_filter calls[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // Descriptors that are there. A message that opens a connection is none of these.
      ALLOW(read), ALLOW(write), ALLOW(recvmsg), ALLOW_WITHOUT(sendmsg, 2, MSG_FASTOPEN), ALLOW(accept4),
      ALLOW(close), ALLOW(shutdown), ALLOW(getsockopt), ALLOW(ppoll),
#ifdef SYS_poll
      ALLOW(poll),
#endif
      // Not: whom signals of a descriptor reach.
      ALLOW_WITH(fcntl, 1, F_GETFL, F_SETFL),
      // Memory, none of it with new code.
      ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
      ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
      // Time, chance, and this process itself.
      ALLOW(clock_gettime), ALLOW(gettimeofday), ALLOW(getrandom), ALLOW(getpid), ALLOW(gettid), ALLOW(futex),
      ALLOW(sched_yield), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(restart_syscall), ALLOW(exit),
      ALLOW(exit_group),
      REFUSED,
  };
  struct sock_fprog program = {.len = sizeof calls / sizeof *calls, .filter = calls};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
