// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CFileCalls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Set by the constructor; before it, and without the environment, everything is only passed on.
static int log_file = -1;
static dev_t device;
static int refuses_nameless, refuses_flags;
// How many notes are left before the process is killed; 0 for no end.
static long notes_left;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

// The inodes below the folder.
enum { room = 65536 };
static uint64_t known[room];
static size_t known_count;

// glibc's own: what stands in this file must not be asked.
static long pass_on(long number, long a, long b, long c, long d, long e, long f) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return real(number, a, b, c, d, e, f);
}
static long raw(long number, long a, long b, long c, long d, long e) {
  return pass_on(number, a, b, c, d, e, 0);
}

static void give_up(const char *why) {
  raw(SYS_write, 2, (long)why, (long)strlen(why), 0, 0);
  _exit(70);
}

static int is_known(uint64_t file) {
  for (size_t i = known_count; i > 0; i--)
    if (known[i - 1] == file) return 1;
  return 0;
}

static void put(const void *bytes, size_t count) {
  while (count > 0) {
    long done = raw(SYS_write, log_file, (long)bytes, (long)count, 0, 0);
    if (done <= 0) give_up("the notes of file calls cannot be written\n");
    bytes = (const char *)bytes + done;
    count -= (size_t)done;
  }
}

static void note(struct continuo_call call, const char *name, const char *other, const void *data) {
  int before = errno;
  call.name_size = name ? strlen(name) : 0;
  call.other_name_size = other ? strlen(other) : 0;
  put(&call, sizeof call);
  put(name, call.name_size);
  put(other, call.other_name_size);
  put(data, call.data_size);
  if (notes_left > 0 && --notes_left == 0) {
    raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0);
    for (;;) raw(SYS_pause, 0, 0, 0, 0, 0);
  }
  errno = before;
}

static void know(uint64_t file) {
  if (is_known(file)) return;
  if (known_count == room) give_up("too many files for the notes of file calls\n");
  known[known_count++] = file;
}

// The inode behind an open file, or 0 when it is none of ours.
static uint64_t file_of(int descriptor) {
  struct stat found;
  if (log_file < 0) return 0;
  int before = errno;
  int is_ours = fstat(descriptor, &found) == 0 && found.st_dev == device && is_known(found.st_ino);
  errno = before;
  return is_ours ? found.st_ino : 0;
}

// The folder in which the last name of `path` stands, or 0; `*name` becomes that name.
static uint64_t folder_of(int directory, const char *path, const char **name) {
  struct stat found;
  if (log_file < 0 || !path) return 0;
  char above[4096];
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  if (!slash)
    strcpy(above, ".");
  else if (slash == path)
    strcpy(above, "/");
  else if ((size_t)(slash - path) < sizeof above) {
    memcpy(above, path, (size_t)(slash - path));
    above[slash - path] = 0;
  } else
    return 0;
  int before = errno;
  int is_ours =
      fstatat(directory, above, &found, 0) == 0 && found.st_dev == device && is_known(found.st_ino);
  errno = before;
  return is_ours ? found.st_ino : 0;
}

// What lies under a name itself, or 0.
static uint64_t lies_at(int directory, const char *path, mode_t *mode) {
  struct stat found;
  int before = errno;
  int is_there = fstatat(directory, path, &found, AT_SYMLINK_NOFOLLOW) == 0;
  errno = before;
  if (is_there && mode) *mode = found.st_mode & 07777;
  return is_there ? found.st_ino : 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("CONTINUO_CALLS_FOLDER"), *log = getenv("CONTINUO_CALLS_LOG");
  const char *refused = getenv("CONTINUO_CALLS_REFUSED");
  struct stat found;
  if (!folder || !log || stat(folder, &found) != 0) return;
  refuses_nameless = refused && strstr(refused, "nameless");
  refuses_flags = refused && strstr(refused, "flags");
  device = found.st_dev;
  log_file = (int)raw(SYS_openat, AT_FDCWD, (long)log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600, 0);
  know(found.st_ino);
  note((struct continuo_call){.kind = CONTINUO_CALL_ROOT, .file = found.st_ino}, NULL, NULL, NULL);
  const char *last = getenv("CONTINUO_CALLS_LAST");
  notes_left = last ? atol(last) : 0;
}

// Opening

static void note_opened(int opened, int flags, uint64_t before, uint64_t folder, const char *name) {
  struct stat found;
  int is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (opened < 0 || fstat(opened, &found) != 0) return;
  if (is_nameless || ((flags & O_CREAT) && before == 0)) {
    know(found.st_ino);
    note((struct continuo_call){.kind = is_nameless ? CONTINUO_CALL_NAMELESS : CONTINUO_CALL_CREATE,
                                .file = found.st_ino, .folder = folder, .value = found.st_mode & 07777},
         is_nameless ? NULL : name, NULL, NULL);
  } else if ((flags & O_TRUNC) && is_known(found.st_ino)) {
    note((struct continuo_call){.kind = CONTINUO_CALL_TRUNCATE, .file = found.st_ino}, NULL, NULL, NULL);
  }
}

static int open_noted(int directory, const char *path, int flags, long mode, const struct open_how *how) {
  const char *name;
  int is_nameless = (flags & O_TMPFILE) == O_TMPFILE, result;
  if (is_nameless && refuses_nameless) {
    errno = EOPNOTSUPP;
    return -1;
  }
  pthread_mutex_lock(&order);
  uint64_t folder = folder_of(directory, path, &name);
  uint64_t before = folder && (flags & O_CREAT) ? lies_at(directory, path, NULL) : 0;
  if (how)
    result = (int)raw(SYS_openat2, directory, (long)path, (long)how, sizeof *how, 0);
  else
    result = (int)raw(SYS_openat, directory, (long)path, flags, mode, 0);
  if (folder) note_opened(result, flags, before, folder, name);
  pthread_mutex_unlock(&order);
  return result;
}

#define MODE                                                  \
  long mode = 0;                                              \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list list;                                             \
    va_start(list, flags);                                    \
    mode = va_arg(list, unsigned int);                        \
    va_end(list);                                             \
  }

int open(const char *path, int flags, ...) { MODE return open_noted(AT_FDCWD, path, flags, mode, NULL); }
int open64(const char *path, int flags, ...) { MODE return open_noted(AT_FDCWD, path, flags, mode, NULL); }
int openat(int directory, const char *path, int flags, ...) {
  MODE return open_noted(directory, path, flags, mode, NULL);
}
int openat64(int directory, const char *path, int flags, ...) {
  MODE return open_noted(directory, path, flags, mode, NULL);
}
int creat(const char *path, mode_t mode) {
  return open_noted(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, NULL);
}
// Under these names programs that were built with checks call them.
int __open_2(const char *path, int flags) { return open_noted(AT_FDCWD, path, flags, 0, NULL); }
int __open64_2(const char *path, int flags) { return open_noted(AT_FDCWD, path, flags, 0, NULL); }
int __openat_2(int directory, const char *path, int flags) {
  return open_noted(directory, path, flags, 0, NULL);
}
int __openat64_2(int directory, const char *path, int flags) {
  return open_noted(directory, path, flags, 0, NULL);
}

// Bytes

static void note_written(uint64_t file, off_t offset, const void *bytes, ssize_t count) {
  note((struct continuo_call){.kind = CONTINUO_CALL_WRITE, .file = file, .value = (uint64_t)offset,
                              .data_size = (uint64_t)count},
       NULL, NULL, bytes);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  uint64_t file = file_of(descriptor);
  if (!file) return raw(SYS_write, descriptor, (long)bytes, (long)count, 0, 0);
  pthread_mutex_lock(&order);
  ssize_t done = raw(SYS_write, descriptor, (long)bytes, (long)count, 0, 0);
  // Asked afterwards, so that it holds for files that are appended to.
  if (done > 0) note_written(file, lseek(descriptor, 0, SEEK_CUR) - done, bytes, done);
  pthread_mutex_unlock(&order);
  return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  uint64_t file = file_of(descriptor);
  if (!file) return raw(SYS_pwrite64, descriptor, (long)bytes, (long)count, offset, 0);
  pthread_mutex_lock(&order);
  ssize_t done = raw(SYS_pwrite64, descriptor, (long)bytes, (long)count, offset, 0);
  if (done > 0) note_written(file, offset, bytes, done);
  pthread_mutex_unlock(&order);
  return done;
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

// Each piece as a write of its own: the kernel need not write all of them at once either.
ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  if (!file_of(descriptor)) return raw(SYS_writev, descriptor, (long)pieces, count, 0, 0);
  ssize_t all = 0;
  for (int i = 0; i < count; i++) {
    ssize_t done = write(descriptor, pieces[i].iov_base, pieces[i].iov_len);
    if (done < 0) return all > 0 ? all : done;
    all += done;
    if ((size_t)done < pieces[i].iov_len) break;
  }
  return all;
}
ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t offset) {
  if (!file_of(descriptor)) return raw(SYS_pwritev, descriptor, (long)pieces, count, offset, 0);
  ssize_t all = 0;
  for (int i = 0; i < count; i++) {
    ssize_t done = pwrite(descriptor, pieces[i].iov_base, pieces[i].iov_len, offset + all);
    if (done < 0) return all > 0 ? all : done;
    all += done;
    if ((size_t)done < pieces[i].iov_len) break;
  }
  return all;
}

static int noted(long result, struct continuo_call call, const char *name, const char *other) {
  if (result == 0 && (call.file || call.folder || call.other_folder)) note(call, name, other, NULL);
  pthread_mutex_unlock(&order);
  return (int)result;
}

int ftruncate(int descriptor, off_t size) {
  pthread_mutex_lock(&order);
  return noted(raw(SYS_ftruncate, descriptor, size, 0, 0, 0),
               (struct continuo_call){.kind = CONTINUO_CALL_TRUNCATE, .file = file_of(descriptor),
                                      .value = (uint64_t)size},
               NULL, NULL);
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

static int synchronize(long number, int descriptor) {
  pthread_mutex_lock(&order);
  return noted(raw(number, descriptor, 0, 0, 0, 0),
               (struct continuo_call){.kind = CONTINUO_CALL_SYNC, .file = file_of(descriptor)}, NULL, NULL);
}
int fsync(int descriptor) { return synchronize(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return synchronize(SYS_fdatasync, descriptor); }

int fchmod(int descriptor, mode_t mode) {
  pthread_mutex_lock(&order);
  return noted(raw(SYS_fchmod, descriptor, mode, 0, 0, 0),
               (struct continuo_call){.kind = CONTINUO_CALL_MODE, .file = file_of(descriptor),
                                      .value = mode},
               NULL, NULL);
}

int fchmodat(int directory, const char *path, mode_t mode, int flags) {
  struct stat found;
  pthread_mutex_lock(&order);
  struct continuo_call call = {.kind = CONTINUO_CALL_MODE, .value = mode};
  if (log_file >= 0 && fstatat(directory, path, &found, 0) == 0 && found.st_dev == device &&
      is_known(found.st_ino))
    call.file = found.st_ino;
  // The call itself takes no flags, and nobody here gives any.
  return noted(raw(SYS_fchmodat, directory, (long)path, mode, flags, 0), call, NULL, NULL);
}
int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }

// Names

static int rename_noted(int from, const char *path, int to, const char *other, unsigned int flags) {
  const char *name = NULL, *other_name = NULL;
  if (flags && refuses_flags) {
    errno = EINVAL;
    return -1;
  }
  pthread_mutex_lock(&order);
  struct continuo_call call = {.kind = CONTINUO_CALL_RENAME, .flags = flags};
  call.folder = folder_of(from, path, &name);
  call.other_folder = folder_of(to, other, &other_name);
  return noted(raw(SYS_renameat2, from, (long)path, to, (long)other, flags), call, name, other_name);
}
int rename(const char *path, const char *other) { return rename_noted(AT_FDCWD, path, AT_FDCWD, other, 0); }
int renameat(int from, const char *path, int to, const char *other) {
  return rename_noted(from, path, to, other, 0);
}
int renameat2(int from, const char *path, int to, const char *other, unsigned int flags) {
  return rename_noted(from, path, to, other, flags);
}

int linkat(int from, const char *path, int to, const char *other, int flags) {
  const char *name = NULL;
  pthread_mutex_lock(&order);
  struct continuo_call call = {.kind = CONTINUO_CALL_LINK, .folder = folder_of(to, other, &name)};
  long result = raw(SYS_linkat, from, (long)path, to, (long)other, flags);
  if (result == 0 && call.folder) call.file = lies_at(to, other, NULL);
  return noted(result, call, name, NULL);
}
int link(const char *path, const char *other) { return linkat(AT_FDCWD, path, AT_FDCWD, other, 0); }

int unlinkat(int directory, const char *path, int flags) {
  const char *name = NULL;
  pthread_mutex_lock(&order);
  struct continuo_call call = {
      .kind = flags & AT_REMOVEDIR ? CONTINUO_CALL_REMOVE_FOLDER : CONTINUO_CALL_UNLINK,
      .folder = folder_of(directory, path, &name)};
  return noted(raw(SYS_unlinkat, directory, (long)path, flags, 0, 0), call, name, NULL);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int directory, const char *path, mode_t mode) {
  const char *name = NULL;
  pthread_mutex_lock(&order);
  struct continuo_call call = {.kind = CONTINUO_CALL_MAKE_FOLDER, .folder = folder_of(directory, path, &name)};
  long result = raw(SYS_mkdirat, directory, (long)path, mode, 0, 0);
  if (result == 0 && call.folder) {
    mode_t given = 0;
    call.file = lies_at(directory, path, &given);
    call.value = given;
    know(call.file);
  }
  return noted(result, call, name, NULL);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// Calls without a function in older C libraries come this way.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  switch (number) {
  case SYS_openat2: {
    const struct open_how *how = (const struct open_how *)c;
    return open_noted((int)a, (const char *)b, (int)how->flags, 0, how);
  }
  case SYS_renameat2: return rename_noted((int)a, (const char *)b, (int)c, (const char *)d, (unsigned int)e);
  default: return pass_on(number, a, b, c, d, e, f);
  }
}

void continuo_calls_mark(const void *bytes, size_t count) {
  if (log_file < 0) return;
  pthread_mutex_lock(&order);
  note((struct continuo_call){.kind = CONTINUO_CALL_MARK, .data_size = count}, NULL, NULL, bytes);
  pthread_mutex_unlock(&order);
}
