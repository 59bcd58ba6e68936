// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
public import LinuxSystem
import Synchronization

/// What holds the bytes of a version that is laid.
package protocol LaidSource: Sendable {
  /// The file itself.
  var descriptor: Descriptor { get }
  /// A file that holds the same and that nobody else has open, for the first who asks: it becomes that one's.
  /// Nil for others, where there is none, and once `isCancelled`. Blocks until it is whole.
  func takeCopy(isCancelled: () -> Bool) -> ReceivedCopy?
}

/// A file that nobody else has open.
package struct ReceivedCopy: Sendable {
  let file: Descriptor
  let digest: ContentDigest
}

extension Descriptor: LaidSource {
  /// See `LaidSource`.
  package var descriptor: Descriptor { self }

  /// See `LaidSource`.
  package func takeCopy(isCancelled: () -> Bool) -> ReceivedCopy? { nil }
}

/// A file without a name that a document from another device is written into, by a process that is not
/// trusted with more, and a copy of it that nobody else has open. A large one is copied and hashed while it
/// comes, on a thread of its own, and its bytes are on the disk by then: little is left to do when the last
/// have come. Any thread; both files go with the last reference.
public final class ReceivedFile: LaidSource {
  /// For whoever receives it.
  public let descriptor: Descriptor
  private let copying: Copying?

  /// A smaller document takes less time than the thread does.
  static let copiedSize: UInt64 = 1 << 20

  /// Two files without names in `folder`, for a document of so many bytes. Throws what making them fails
  /// with.
  init(in folder: Descriptor, size: UInt64) throws(Errno) {
    descriptor = try folder.makeNameless()
    guard size >= Self.copiedSize else {
      copying = nil
      return
    }
    let copying = Copying(of: descriptor, into: try folder.makeNameless(), size: size)
    self.copying = (try? DetachedThread.start { copying.run() }) == nil ? nil : copying
  }

  deinit { copying?.end(whole: false) }

  /// See `LaidSource`. Nothing more comes.
  package func takeCopy(isCancelled: () -> Bool) -> ReceivedCopy? { copying?.finish(isCancelled) }
}

/// Copies one file into another while it grows.
private final class Copying: Sendable {
  private enum Stage {
    case coming
    /// All is there, and was perhaps not read yet.
    case whole
    /// All is there, and is being read.
    case last
    case abandoned
  }

  private struct State {
    var stage = Stage.coming
    var copy: ReceivedCopy?
  }

  /// As much is put on the disk at a time.
  private static let portion: UInt64 = 16 << 20
  /// In milliseconds: how long until it is looked again whether more has come, and at most.
  private static let pauses = (first: 4, last: 250)

  private let source: Descriptor
  private let target: Descriptor
  private let size: UInt64
  private let state = Mutex(State())
  private let told = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(of source: Descriptor, into target: Descriptor, size: UInt64) {
    (self.source, self.target, self.size) = (source, target, size)
  }

  func run() {
    var written: UInt64 = 0
    var looks = 0
    let digest = try? ContentHasher.copy(
      source, into: target, limit: size, isCancelled: { isAbandoned },
      progress: { count in
        looks = 0
        guard count - written >= Self.portion else { return }
        written = count
        // Whoever needs it there waits for it once more.
        try? target.synchronize()
      },
      more: {
        defer { looks += 1 }
        return more(after: looks)
      })
    if let digest, !isAbandoned {
      state.withLock { $0.copy = ReceivedCopy(file: target, digest: digest) }
    }
    ended.signal()
  }

  private var isAbandoned: Bool { state.withLock { $0.stage == .abandoned } }

  /// At the end of what has come: whether to read again.
  private func more(after looks: Int) -> Bool {
    let stage = state.withLock { state in
      defer { if state.stage == .whole { state.stage = .last } }
      return state.stage
    }
    guard stage == .coming else { return stage == .whole }
    let pause = min(Self.pauses.first << min(looks, 6), Self.pauses.last)
    _ = told.wait(timeout: .now() + .milliseconds(pause))
    return true
  }

  /// No more comes, or nobody wants it.
  func end(whole isWhole: Bool) {
    state.withLock { state in
      if !isWhole { state.stage = .abandoned } else if state.stage == .coming { state.stage = .whole }
    }
    told.signal()
  }

  func finish(_ isCancelled: () -> Bool) -> ReceivedCopy? {
    end(whole: true)
    repeat {
      if isCancelled() { return nil }
    } while ended.wait(timeout: .now() + .milliseconds(50)) == .timedOut
    // For whoever asks again.
    ended.signal()
    return state.withLock { state in
      defer { state.copy = nil }
      return state.copy
    }
  }
}
