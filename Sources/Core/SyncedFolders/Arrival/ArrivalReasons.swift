// SPDX-License-Identifier: MIT

import ActivityModel

// Which reason that is: what is awaited, and what would end the wait (semantics 49 and 50).
extension ArrivalFacts {
  private var document: String { reference.path.displayName }
  private var size: UInt64 { reference.version.size }

  private var folderName: String {
    switch folder {
    case .unknown(let name): name ?? ""
    case .away(let name), .here(let name), .refused(let name, _): name
    }
  }

  /// Nil when nothing is awaited.
  func reason(for arrival: Arrival, _ circumstance: Circumstance) -> Reason? {
    switch (arrival, circumstance) {
    case (.unreadable, .unreadable(let why)): .unreadable(document: document, why: why)
    case (.missing, .replaced): .replaced(document: document, folder: folderName)
    case (.behind, .writing):
      .written(document: document, device: deviceName, folder: folderName, growing.flatMap(progress))
    case (_, .otherSize(let found)):
      .otherSize(document: document, device: deviceName, size: ByteAmount(found), expected: ByteAmount(size))
    case (_, .reading(let bytes, let size)): .reading(document: document, Reason.Progress(bytes, of: size))
    default: plainReason(for: arrival)
    }
  }

  private func plainReason(for arrival: Arrival) -> Reason? {
    switch arrival {
    case .current: moved.map { .moved(document: document, path: "\($0)", folder: folderName) }
    case .behind: .behind(document: document, device: deviceName, coming)
    case .missing: .missing(document: document, device: deviceName, coming)
    case .ahead: .ahead(document: document, device: deviceName)
    case .diverged: .diverged(document: document, device: deviceName, beside)
    case .unreadable: .unreadable(document: document, why: nil)
    case .folderUnknown: absence
    }
  }

  private func progress(_ bytes: UInt64) -> Reason.Progress? {
    bytes > size ? nil : Reason.Progress(bytes, of: size)
  }

  /// What is under way, and how much of it came.
  private var coming: Reason.Coming {
    if let awaitedCopy { return .copy(awaitedCopy) }
    guard let partial, partial > 0 else { return .through(folder: folderName) }
    return .through(folder: folderName, progress(min(partial, size)))
  }

  private var beside: Reason.Beside {
    if let awaitedCopy { return .version(copy: awaitedCopy) }
    if isMarked { return .markers }
    return copies.isEmpty ? .nothing : .copies(copies.map(\.displayName))
  }

  /// R8: never to be opened silently under the plain name, always to be told.
  private var awaitedCopy: String? {
    copies.first { $0.digest == reference.version.digest }.map(\.displayName)
  }

  private var absence: Reason {
    switch folder {
    case .unknown(let name): .folderUnknown(document: document, folder: name)
    case .refused(_, let why): why
    case .away(let name), .here(let name): .folderAway(document: document, folder: name)
    }
  }

  /// R12: some versions never come, and only a person can tell why.
  func expiry(at now: Instant) -> ContinuityError {
    let wait = now - (waitingSince ?? now)
    let code: ContinuityError.Code
    var remedy = Reason.LateVersion.Remedy.sync(folder: folderName, canOpen: true)
    switch status?.arrival {
    case .missing:
      code = .documentMissing
      remedy = .sync(folder: folderName, canOpen: false)
    case .diverged: code = .documentDiverged
    case .unreadable:
      code = .documentUnreadable
      remedy = .makeReadable
    case .folderUnknown:
      code = .folderUnknown
      remedy = .wait
    case .current, .behind, .ahead, nil: code = .versionNeverArrived
    }
    let late = Reason.LateVersion(
      document: document, device: deviceName,
      seconds: UInt64(clamping: (wait.nanoseconds + 500_000_000) / 1_000_000_000), state: status?.cause,
      remedy: remedy)
    return ContinuityError(code, subject: reference.path.description, because: .neverArrived(late))
  }
}
