// SPDX-License-Identifier: MIT

import ActivityModel

// A frame holds 64 KiB, and every client, also of an older release, refuses more. What is too long for one
// frame is a list in nearly every case: its first entries go, and the message says how many stay behind,
// where it has a place for that. The formats stay as they are.
extension AgentMessage {
  /// The content of the frame: of this message or, where that is more than a frame holds, of a shorter one
  /// that stands for it. Nil when nothing may be left out, as of an activity that is handed over.
  public var frameContent: [UInt8]? {
    let content = encoded
    if Self.isTaken(content) { return content }
    guard let shorter = shortened?.encoded, Self.isTaken(shorter) else { return nil }
    return shorter
  }

  private static func isTaken(_ content: [UInt8]) -> Bool {
    guard content.count <= CBOR.Limits.message.bytes else { return false }
    // Each item takes a byte at least; only long messages are looked at.
    if content.count <= CBOR.Limits.message.entries { return true }
    return (try? CBOR(decoding: content, limits: .message)) != nil
  }

  /// The message with the ends of its lists left out; nil when it has none that may be shorter.
  private var shortened: AgentMessage? {
    switch self {
    case .version: nil
    case .answer(let number, let answer): answer.shortened.map { .answer(number, $0) }
    case .report(let report): report.shortened.map(AgentMessage.report)
    }
  }
}

extension AgentReport {
  fileprivate var shortened: AgentReport? {
    switch self {
    case .roots(let roots): .roots(roots.leading(within: .message, \.cbor))
    case .offers(let offers): .offers(offers.shortened(\.cbor))
    case .documentChanged(let path, .conflict(let copies)):
      .documentChanged(path: path, .conflict(copies: copies.leading(within: .message, CBOR.bytes)))
    case .fail(let request, let error): .fail(request, error.shortened)
    default: nil
    }
  }
}

extension AgentAnswer {
  fileprivate var shortened: AgentAnswer? {
    switch self {
    case .failed(let error): .failed(error.shortened)
    case .done(let sentence): .done(sentence.shortened)
    case .offers(let offers): .offers(offers.shortened(\.cborWithPage))
    case .activities(let activities): .activities(activities.shortened)
    case .status(let status): .status(status.shortened)
    case .explained(let explanations, let total):
      // What is left out is asked for next.
      .explained(explanations.leading(within: .message, \.cbor), total: total)
    case .examined(let facts): .examined(facts.shortened)
    case .folders(let roots):
      .failed(
        ContinuityError(
          .userInfoTooLarge, subject: "folders",
          description:
            "\(roots.count) folders are registered, more than one list can hold: forget some that you do not "
            + "need with `continuo folder remove`."))
    case .apps(let apps): .apps(apps.leading(within: .message, \.cbor))
    case .copies(let copies): .copies(copies.leading(within: .message, \.cbor))
    case .found(let activities): .found(activities.leading(within: .message, \.cbor))
    case .lan(let status): .lan(status.shortened)
    case .devices(let devices): .devices(devices.leading(within: .message, \.cbor))
    default: nil
    }
  }
}

extension [Offer] {
  /// The newest, and at the last of them how many there are besides.
  fileprivate func shortened(_ encode: (Offer) -> CBOR) -> [Offer] {
    var listed = leading(within: .message, encode)
    let missing = count - listed.count
    guard missing > 0, var last = listed.popLast() else { return listed }
    let remark = last.remark
    if remark.count > 512 { last.notes = [.told(String(remark.prefix(512)))] }
    last.notes.append(.moreOffers(UInt64(missing)))
    return listed + [last]
  }
}

extension [OwnActivity] {
  fileprivate var shortened: [OwnActivity] {
    var listed = leading(within: .message, \.cbor)
    let missing = count - listed.count
    guard missing > 0, var last = listed.popLast() else { return listed }
    last.notes = last.notes.prefix(1) + [.moreActivities(UInt64(missing))]
    return listed + [last]
  }
}

extension AgentStatus {
  /// Each list gets a part of the frame; what is left out is counted in words.
  fileprivate var shortened: AgentStatus {
    var status = self
    let part = CBOR.Limits.message.bytes / 4 - 1024
    status.devices = devices.leading(within: part / 2, CBOR.text)
    status.apps = apps.leading(within: part / 2, CBOR.text)
    status.folders = folders.leading(within: part, \.cbor)
    status.problems = problems.map(\.shortened).leading(within: part, CBOR.text)
    let missing = [
      (devices.count - status.devices.count, "devices"), (apps.count - status.apps.count, "apps"),
      (folders.count - status.folders.count, "folders"),
      (problems.count - status.problems.count, "problems"),
    ]
    for (count, name) in missing where count > 0 {
      status.problems.append("\(count) more \(name) are not listed here: the list is full.")
    }
    return status
  }
}

extension LanStatus {
  /// Each list gets a part of the frame; no circle and no computer has so many.
  fileprivate var shortened: LanStatus {
    var status = self
    let part = CBOR.Limits.message.bytes / 4 - 1024
    status.links = links.leading(within: part, \.cbor)
    status.typed = typed.leading(within: part, \.cbor)
    status.offNetworks = offNetworks.leading(within: part, CBOR.text)
    status.problem = problem?.shortened
    return status
  }
}

extension HealthFacts {
  /// Each list gets a part of the frame.
  fileprivate var shortened: HealthFacts {
    var facts = self
    let part = CBOR.Limits.message.bytes / 4 - 1024
    facts.peers = peers.leading(within: part, \.cbor)
    facts.folders = folders.leading(within: part, \.cbor)
    facts.problems = problems.map(\.shortened).leading(within: part, CBOR.text)
    return facts
  }
}

extension ContinuityError {
  fileprivate var shortened: ContinuityError {
    ContinuityError(code, subject: subject.shortened, description: description.shortened)
  }
}

extension String {
  /// At most 4 KiB of it.
  fileprivate var shortened: String {
    var (size, end) = (0, startIndex)
    for index in unicodeScalars.indices {
      size += UTF8.width(unicodeScalars[index])
      guard size <= 4093 else { return self[..<end] + "…" }
      end = unicodeScalars.index(after: index)
    }
    return self
  }
}

extension Array {
  private typealias Room = (bytes: Int, items: Int, entries: Int)

  /// The first elements, as many as a message with these limits holds beside its envelope and a sentence.
  fileprivate func leading(within limits: CBOR.Limits, _ encode: (Element) -> CBOR) -> [Element] {
    leading((limits.bytes - 2048, limits.items - 64, limits.entries - 1), encode)
  }

  /// The first elements that take so many bytes together, of a message that holds other lists as well.
  fileprivate func leading(within bytes: Int, _ encode: (Element) -> CBOR) -> [Element] {
    let limits = CBOR.Limits.message
    return leading((bytes, limits.items / 4 - 64, limits.entries / 4), encode)
  }

  private func leading(_ room: Room, _ encode: (Element) -> CBOR) -> [Element] {
    var room = room
    return Array(
      prefix { element in
        let measure = CBORMeasure(of: encode(element))
        room.bytes -= measure.bytes
        room.items -= measure.items
        room.entries -= 1
        return room.bytes >= 0 && room.items >= 0 && room.entries >= 0
      })
  }
}
