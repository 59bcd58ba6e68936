// SPDX-License-Identifier: MIT

import CInotifyTools
import FolderWatch
import Glibc
import LinuxSystem

/// libinotifytools by the rules W1 to W9: one instance, one thread, one folder at a time, one event at a
/// time.
///
/// Each watch is added under a path of its own, slashes and dots that spell a counter, from inside the
/// folder.
/// The library keeps paths of dead watches and answers with their descriptors when a path comes again; a path
/// that never comes again is looked up right, and leads to exactly the open folder, however long its own path
/// is.
final class InotifyLibrary {
  /// What becomes readable when there are events; -1 while the kernel gives no instance.
  private(set) var descriptor: Int32 = -1
  private let null: Int32
  private var watches: UInt64 = 0
  private var isInsideFolder = false
  /// Watches that are dead or were given back: the library keeps about 200 bytes of each for ever.
  private(set) var dead = 0

  /// Called first in the program, so that the library's descriptor is a low one (it aborts at 1024).
  static func startBeforeOtherDescriptorsOpen() -> Result<InotifyLibrary, Failure> {
    Result { () throws(Failure) in try InotifyLibrary() }
  }

  private init() throws(Failure) {
    null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    try start()
  }

  /// Whether there is an instance. Without one nothing can be watched, and everything is polled.
  var isReady: Bool { descriptor >= 0 }

  /// Asks the kernel for an instance, if there is none. That all are in use is no failure: ask again later.
  func start() throws(Failure) {
    guard !isReady else { return }
    let before = try Self.inotifyDescriptors()
    guard inotifytools_initialize() != 0 else {
      let failure = Errno(rawValue: inotifytools_error())
      if [.filesExhausted, .systemFilesExhausted, .noMemory].contains(failure) { return }
      throw .runtime("inotify cannot be used: \(failure.text).")
    }
    guard let found = try Self.inotifyDescriptors().subtracting(before).first else {
      throw .runtime("The library's descriptor is not in /proc/self/fd; mount /proc.")
    }
    guard found < 1024 else {
      throw .runtime("Too many open files were passed on (\(found)); start this program with fewer.")
    }
    BorrowedDescriptor(found).closeOnExec()
    descriptor = found
  }

  /// Watches an open folder. Returns the watch descriptor, or why not.
  func watch(
    _ folder: Int32, for mask: KernelEvent.Mask = .subscription
  ) -> Result<Int32, Errno> {
    guard isReady else { return .failure(.filesExhausted) }
    guard fchdir(folder) == 0 else { return .failure(.current) }
    isInsideFolder = true
    watches += 1
    return Self.uniquePath(watches).withUnsafeBufferPointer { buffer in
      // The terminator is always there.
      guard let path = buffer.baseAddress else { return .failure(.inputOutput) }
      guard inotifytools_watch_file(path, Int32(bitPattern: mask.rawValue)) != 0 else {
        return .failure(Errno(rawValue: inotifytools_error()))
      }
      let found = inotifytools_wd_from_filename(path)
      return found > 0 ? .success(found) : .failure(.inputOutput)
    }
  }

  /// Gives a watch back; it may be dead already, of which the library would print a complaint.
  func unwatch(_ watch: Int32) {
    dead += 1
    let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    if kept >= 0, null >= 0 { dup2(null, STDERR_FILENO) }
    _ = inotifytools_remove_watch_by_wd(watch)
    if kept >= 0 {
      dup2(kept, STDERR_FILENO)
      close(kept)
    }
  }

  /// The next event, or nil when the queue is empty. Never blocks.
  func next() -> QueuedEvent? {
    // Without an instance the library aborts the process.
    guard isReady, let event = inotifytools_next_events(0, 1) else { return nil }
    let queued = QueuedEvent(event)
    if queued.mask.contains(.ignored) { dead += 1 }
    return queued
  }

  /// Why nothing comes although there is something to read. The library keeps the number of older errors, so
  /// it means something only then.
  var failure: Failure {
    .runtime("Reading events failed: \(Errno(rawValue: inotifytools_error()).text); start the program again.")
  }

  /// Where this process stands keeps a file system from being unmounted.
  func leaveFolder() {
    guard isInsideFolder else { return }
    isInsideFolder = chdir("/") != 0
  }

  /// The folder that the process stands in, as a C string: `.`, then `/.` for each one and `/` for each zero
  /// of the number.
  private static func uniquePath(_ number: UInt64) -> [CChar] {
    let (slash, dot) = (CChar(UInt8(ascii: "/")), CChar(UInt8(ascii: ".")))
    var path = [dot]
    path.reserveCapacity(64)
    var rest = number
    while rest > 0 {
      path.append(slash)
      if rest & 1 == 1 { path.append(dot) }
      rest >>= 1
    }
    path.append(slash)
    path.append(0)
    return path
  }

  private static func inotifyDescriptors() throws(Failure) -> Set<Int32> {
    let folder = FilePath("/proc/self/fd")
    do throws(Errno) {
      return Set(
        try folder.names().compactMap { name in
          let isInotify = folder.appending(name).linkTarget?.bytes.suffix(7).elementsEqual("inotify".utf8)
          return isInotify == true ? Int32(String(decoding: name, as: UTF8.self)) : nil
        })
    } catch {
      throw .runtime("/proc/self/fd cannot be read: \(error.text); mount /proc.")
    }
  }
}

/// An event in the library's buffer, valid until the next one is asked for.
struct QueuedEvent {
  let descriptor: Int32
  let mask: KernelEvent.Mask
  let cookie: UInt32
  let name: UnsafeRawBufferPointer

  init(_ event: UnsafePointer<inotify_event>) {
    let length = Int(event.pointee.len)
    descriptor = event.pointee.wd
    mask = KernelEvent.Mask(rawValue: event.pointee.mask)
    cookie = event.pointee.cookie
    // The name stands behind the event, filled up with zeros.
    let start = UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
    let count = length > 0 ? strnlen(start.assumingMemoryBound(to: CChar.self), length) : 0
    name = UnsafeRawBufferPointer(start: start, count: count)
  }

  /// The same, to be kept.
  var copy: KernelEvent {
    KernelEvent(descriptor: descriptor, mask: mask, cookie: cookie, name: Array(name))
  }
}

extension KernelEvent.Mask {
  /// Adds to what the inode is watched for already instead of replacing it; only for folders.
  static let adding = Self(rawValue: 0x2100_0000)
}
