// SPDX-License-Identifier: MIT

public import ActivityModel

/// The sentences: what is awaited, and what would end the wait (semantics 49 and 50).
extension ArrivalFacts {
  private var document: String { reference.path.displayName }

  private var folderName: String {
    switch folder {
    case .unknown(let name): name ?? ""
    case .away(let name), .here(let name), .refused(let name, _): name
    }
  }

  func reason(for arrival: Arrival, _ circumstance: Circumstance) -> String {
    switch (arrival, circumstance) {
    case (.unreadable, .unreadable(let why)):
      "\(document) is here but cannot be read: \(why); it is looked at again as soon as it changes."
    case (.missing, .replaced):
      "\(document) is just being replaced in folder \(folderName); the new file is awaited."
    case (.behind, .writing):
      "\(document) is just being written in folder \(folderName)\(growth); it counts once it is the version "
        + "from \(deviceName)."
    case (_, .otherSize(let size)):
      "\(document) is here with \(ByteCount.text(size)), and the version from \(deviceName) has "
        + "\(ByteCount.text(reference.version.size)); it is read once it lies still."
    case (_, .reading(let bytes, let size)):
      ArrivalMachine.readingReason(reference.path, bytes, of: size)
    default: plainReason(for: arrival)
    }
  }

  /// How much of it a writer in place has brought.
  private var growth: String {
    guard let growing, growing <= reference.version.size else { return "" }
    return ": \(ByteCount.text(growing)) of \(ByteCount.text(reference.version.size)) are here"
  }

  /// What is under way, and how much of it came.
  private var onItsWay: String {
    if let copyNote { return copyNote }
    let way = "is still on its way through folder \(folderName)"
    guard let partial, partial > 0 else { return way }
    let size = reference.version.size
    return "\(way): \(ByteCount.text(min(partial, size))) of \(ByteCount.text(size)) are here"
  }

  private func plainReason(for arrival: Arrival) -> String {
    switch arrival {
    case .current: moved.map { "\(document) is now at “\($0)” in folder \(folderName)." } ?? ""
    case .behind:
      "An older version of \(document) is here; the version from \(deviceName) \(onItsWay)."
    case .missing:
      "\(document) is not here; the version from \(deviceName) \(onItsWay)."
    case .ahead:
      "This device has a newer version of \(document) than the one from \(deviceName). "
        + "If you continue, the newer version is opened."
    case .diverged: divergence
    case .unreadable: "\(document) cannot be read; it is looked at again as soon as it changes."
    case .folderUnknown: absence
    }
  }

  private var divergence: String {
    let sentence = "\(document) was changed here apart from the version from \(deviceName)"
    if let copyNote { return "\(sentence), which \(copyNote); choose which to open." }
    if isMarked {
      return "\(sentence), and a merge put both into it, between conflict markers (<<<<<<<); "
        + "solve the conflict there, open it as it is, or keep waiting for that version."
    }
    guard !copies.isEmpty else {
      return "\(sentence); choose to open what is here, or keep waiting for that version."
    }
    let names = copies.map { "“\($0.displayName)”" }.joined(separator: ", ")
    return "\(sentence), and conflict copies lie beside it (\(names)); choose which to open."
  }

  /// R8: never to be opened silently under the plain name, always to be told.
  private var copyNote: String? {
    copies.first { $0.digest == reference.version.digest }
      .map { "arrived as the conflict copy “\($0.displayName)”" }
  }

  private var absence: String {
    switch folder {
    case .unknown(let name?):
      "\(document) lies in folder \(name), which this device does not have; "
        + "add its local copy with `continuo folder add`."
    case .unknown(nil):
      "\(document) lies in a synced folder that this device does not have; "
        + "add its local copy with `continuo folder add`."
    case .refused(_, let why): why
    case .away(let name), .here(let name):
      "Folder \(name) is not there now; \(document) is looked at as soon as the folder is back."
    }
  }

  /// R12: some versions never come, and only a person can tell why.
  func expiry(at now: Instant) -> ContinuityError {
    let seconds = ((now - (waitingSince ?? now)).nanoseconds + 500_000_000) / 1_000_000_000
    let waited = "The version of \(document) from \(deviceName) did not come within \(seconds) s. "
    let engine =
      "Check that folder \(folderName) is being synced on both devices and that the sync engine does not "
      + "skip this file, then keep waiting"
    let code: ContinuityError.Code
    var remedy = "\(engine), open what is here, or give up."
    switch status?.arrival {
    case .missing:
      code = .documentMissing
      remedy = "\(engine) or give up."
    case .diverged: code = .documentDiverged
    case .unreadable:
      code = .documentUnreadable
      remedy = "Make it readable, keep waiting, or give up."
    case .folderUnknown:
      code = .folderUnknown
      remedy = "Keep waiting or give up."
    default: code = .versionNeverArrived
    }
    let state = status.map { $0.reason.isEmpty ? "" : $0.reason + " " } ?? ""
    return ContinuityError(code, subject: reference.path.description, waited + state + remedy)
  }
}

extension ArrivalMachine {
  /// What a person is told while a large document is read, before it is called current or is handed over.
  public static func readingReason(_ path: RelativePath, _ bytes: UInt64, of size: UInt64) -> String {
    "\(path.displayName) (\(ByteCount.text(size))) is here and is being read: "
      + "\(ByteCount.text(bytes)) of \(ByteCount.text(size))."
  }
}
