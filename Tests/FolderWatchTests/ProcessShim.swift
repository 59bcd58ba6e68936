// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A small C library that is compiled here and preloaded into a program, to make the system answer as it
/// seldom does: where `mount` and `unshare` are refused, and for what cannot be had at all, such as a
/// sleeping machine.
struct ProcessShim {
  struct NoCompiler: Error, CustomStringConvertible {
    let description: String
  }

  let path: String

  /// The environment of a program that runs under it.
  var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["LD_PRELOAD": path]) { $1 }
  }

  /// Compiles `source`, which defines the functions that are to answer otherwise.
  init(_ source: String, in folder: TemporaryFolder) throws {
    let name = "\(folder.path)/\(UUID().uuidString)"
    try source.write(toFile: name + ".c", atomically: true, encoding: .utf8)
    // The Swift toolchain brings clang; a C compiler of the system's own need not be there.
    let built = ["cc", "clang", "gcc"].contains { compiler in
      Command.succeeds(compiler, "-shared", "-fPIC", "-O1", "-o", name + ".so", name + ".c", "-ldl")
    }
    guard built else { throw NoCompiler(description: "no C compiler made \(name).so: install clang") }
    path = name + ".so"
  }

  private static let heading = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <sys/inotify.h>
    #include <sys/stat.h>
    #include <sys/vfs.h>
    #include <time.h>
    #include <unistd.h>

    """

  /// At most `limit` watches are given.
  static func watchLimit(_ limit: Int) -> String {
    heading + """
      static int watches;
      int inotify_add_watch(int fd, const char *path, uint32_t mask) {
        int (*real)(int, const char *, uint32_t) = dlsym(RTLD_NEXT, "inotify_add_watch");
        if (watches >= \(limit)) { errno = ENOSPC; return -1; }
        int watch = real(fd, path, mask);
        if (watch >= 0) watches++;
        return watch;
      }
      int inotify_rm_watch(int fd, int watch) {
        int (*real)(int, int) = dlsym(RTLD_NEXT, "inotify_rm_watch");
        int result = real(fd, watch);
        if (result == 0) watches--;
        return result;
      }
      """
  }

  /// Every watch is put on a folder where nothing happens, and every file system is one of this number.
  static func silence(_ quiet: String, fileSystem magic: String) -> String {
    heading + """
      int inotify_add_watch(int fd, const char *path, uint32_t mask) {
        static int count;
        char other[512];
        int (*real)(int, const char *, uint32_t) = dlsym(RTLD_NEXT, "inotify_add_watch");
        __builtin_snprintf(other, sizeof other, "\(quiet)/%d", count++);
        mkdir(other, 0700);
        return real(fd, other, mask);
      }
      int fstatfs(int fd, struct statfs *found) {
        int (*real)(int, struct statfs *) = dlsym(RTLD_NEXT, "fstatfs");
        int result = real(fd, found);
        found->f_type = \(magic);
        return result;
      }
      """
  }

  /// No instance of inotify is given as long as `file` exists.
  static func instanceLimit(while file: String) -> String {
    heading + """
      static int refused(void) { errno = 0; return access("\(file)", F_OK) == 0; }
      int inotify_init1(int flags) {
        int (*real)(int) = dlsym(RTLD_NEXT, "inotify_init1");
        if (refused()) { errno = EMFILE; return -1; }
        return real(flags);
      }
      int inotify_init(void) { return inotify_init1(0); }
      """
  }

  /// While `file` exists, the next event tells that the file system of its folder was unmounted.
  static func unmount(when file: String) -> String {
    heading + """
      #include <string.h>
      ssize_t read(int fd, void *buffer, size_t size) {
        static int done;
        char link[64], name[64] = {0};
        ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
        ssize_t count = real(fd, buffer, size);
        __builtin_snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        if (done || count < 32 || readlink(link, name, 63) < 0 || !strstr(name, "inotify")) return count;
        if (access("\(file)", F_OK) != 0) return count;
        done = 1;
        struct inotify_event first = {.wd = ((struct inotify_event *)buffer)->wd, .mask = IN_UNMOUNT};
        struct inotify_event second = {.wd = first.wd, .mask = IN_IGNORED};
        memcpy(buffer, &first, 16);
        memcpy((char *)buffer + 16, &second, 16);
        return 32;
      }
      """
  }

  /// The clock that counts sleep is ahead by the seconds in a file.
  static func sleepClock(_ file: String) -> String {
    heading + """
      #include <fcntl.h>
      int clock_gettime(clockid_t clock, struct timespec *time) {
        int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
        int result = real(clock, time);
        if (clock == CLOCK_BOOTTIME) {
          char text[16] = {0};
          int file = open("\(file)", O_RDONLY);
          if (file >= 0) { (void)!read(file, text, 15); close(file); time->tv_sec += atoi(text); }
        }
        return result;
      }
      """
  }

  /// Opening a folder whose name contains `name` fails once with too many open files.
  static func openFailsOnce(_ name: String) -> String {
    heading + """
      #include <stdarg.h>
      #include <string.h>
      #include <sys/syscall.h>
      long syscall(long number, ...) {
        static int failed;
        long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
        va_list list;
        va_start(list, number);
        long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long);
        va_end(list);
        if (number == SYS_openat2 && !failed && strstr((const char *)b, "\(name)")) {
          failed = 1;
          errno = EMFILE;
          return -1;
        }
        return real(number, a, b, c, d);
      }
      """
  }
}
