// SPDX-License-Identifier: MIT

import ActivityModel

/// What is known of a document that is awaited, and which reason that is: what is awaited, and what would end
/// the wait (semantics 49 and 50).
struct ArrivalFacts {
  var arrival: Arrival
  var circumstance: ArrivalMachine.Circumstance
  var reference: DocumentReference
  /// The device that announced the version.
  var device: String
  var folder: ArrivalMachine.FolderPresence
  /// The size of the file while a writer in place makes it longer.
  var growing: UInt64?
  /// How much an engine's unfinished copy holds.
  var partial: UInt64?
  var copies: [ConflictCopy]
  /// Where the version lies instead.
  var moved: RelativePath?
  /// Whether a merge put both versions into what is here.
  var hasMarkers: Bool

  private var document: String { reference.path.displayName }
  private var size: UInt64 { reference.version.size }

  private var folderName: String {
    switch folder {
    case .unknown(let name): name ?? ""
    case .away(let name), .here(let name), .refused(let name, _): name
    }
  }

  /// Nil when nothing is awaited.
  var reason: Reason? {
    switch (arrival, circumstance) {
    case (.unreadable, .unreadable(let why)): .unreadable(document: document, why: why)
    case (.missing, .replaced): .replaced(document: document, folder: folderName)
    case (.behind, .writing):
      .written(document: document, device: device, folder: folderName, growing.flatMap(progress))
    case (_, .otherSize(let found)):
      .otherSize(document: document, device: device, size: ByteAmount(found), expected: ByteAmount(size))
    case (_, .reading(let bytes, let size)): .reading(document: document, Reason.Progress(bytes, of: size))
    default: plainReason
    }
  }

  private var plainReason: Reason? {
    switch arrival {
    case .current: moved.map { .moved(document: document, path: "\($0)", folder: folderName) }
    case .behind: .behind(document: document, device: device, coming)
    case .missing: .missing(document: document, device: device, coming)
    case .ahead: .ahead(document: document, device: device)
    case .diverged: .diverged(document: document, device: device, beside)
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
    if hasMarkers { return .markers }
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
  func expiry(after wait: Duration, state: Reason?) -> ContinuityError {
    let code: ContinuityError.Code
    var remedy = Reason.LateVersion.Remedy.sync(folder: folderName, canOpen: true)
    switch arrival {
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
    case .current, .behind, .ahead: code = .versionNeverArrived
    }
    let late = Reason.LateVersion(
      document: document, device: device,
      seconds: UInt64(clamping: (wait.nanoseconds + 500_000_000) / 1_000_000_000), state: state,
      remedy: remedy)
    return ContinuityError(code, subject: reference.path.description, because: .neverArrived(late))
  }
}

extension ArrivalMachine {
  func facts(of arrival: Arrival, _ circumstance: Circumstance) -> ArrivalFacts {
    ArrivalFacts(
      arrival: arrival, circumstance: circumstance, reference: reference, device: deviceName, folder: folder,
      growing: seen.flatMap { $0.isGrowing ? $0.stamp.size : nil }, partial: partial, copies: copies,
      moved: moved,
      hasMarkers: marked.map { $0 == hashed?.stamp } ?? false)
  }

  func expiry(at now: Instant) -> ContinuityError {
    facts(of: status?.arrival ?? .behind, circumstance)
      .expiry(after: now - (waitingSince ?? now), state: status?.cause)
  }
}
