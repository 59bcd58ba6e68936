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
    let target = try folder.makeNameless()
    copying = try? Copying(of: descriptor, into: target, size: size)
  }

  deinit { copying?.abandon() }

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
  }

  /// As much is put on the disk at a time.
  private static let portion: UInt64 = 16 << 20
  /// In milliseconds: how long until it is looked again whether more has come, and at most.
  private static let pauses = (first: 4, last: 250)

  /// How far what is copied has come.
  private final class Source: Sendable {
    let stage = Mutex(Stage.coming)
    let told = DispatchSemaphore(value: 0)
  }

  private let source = Source()
  private let work: ThreadResult<ReceivedCopy>

  init(of file: Descriptor, into target: Descriptor, size: UInt64) throws(Errno) {
    work = try ThreadResult { [source] isAbandoned in
      Self.copy(file, into: target, size: size, source, isAbandoned)
    }
  }

  private static func copy(
    _ file: Descriptor, into target: Descriptor, size: UInt64, _ source: Source, _ isAbandoned: () -> Bool
  ) -> ReceivedCopy? {
    var written: UInt64 = 0
    var looks = 0
    let digest = try? ContentHasher.copy(
      file, into: target, limit: size, isCancelled: isAbandoned,
      progress: { count in
        looks = 0
        guard count - written >= portion else { return }
        written = count
        // Whoever needs it there waits for it once more.
        try? target.synchronize()
      },
      more: {
        defer { looks += 1 }
        return more(of: source, after: looks)
      })
    return digest.map { ReceivedCopy(file: target, digest: $0) }
  }

  /// At the end of what has come: whether to read again.
  private static func more(of source: Source, after looks: Int) -> Bool {
    let stage = source.stage.withLock { stage in
      defer { if stage == .whole { stage = .last } }
      return stage
    }
    guard stage == .coming else { return stage == .whole }
    let pause = min(pauses.first << min(looks, 6), pauses.last)
    _ = source.told.wait(timeout: .now() + .milliseconds(pause))
    return true
  }

  /// Nobody wants it.
  func abandon() {
    work.abandon()
    source.told.signal()
  }

  /// No more comes.
  func finish(_ isCancelled: () -> Bool) -> ReceivedCopy? {
    source.stage.withLock { if $0 == .coming { $0 = .whole } }
    source.told.signal()
    return work.take(isCancelled)
  }
}
