// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import AppSession
import EditorProtocol
import LinuxSystem

/// The sockets of one editor's continuation streams. No byte is read that the editor did not ask for, and
/// what it wrote is answered once the socket has all of it: each request is the room for its bytes.
struct ServedStreams {
  struct Answer {
    let id: RPCID
    let result: Result<JSONValue, RPCError>
  }

  private struct Reading {
    let id: RPCID
    let length: Int
  }

  private struct Writing {
    /// Nil for one that the editor cancelled: its bytes go on their way.
    var id: RPCID?
    var rest: ArraySlice<UInt8>
  }

  private struct Pair {
    let socket: Descriptor
    var reading: Reading?
    var writing: Writing?
    /// What was closed here.
    var closed: StreamDirections = []
    /// Why the end that is read is none, and why nothing can be written.
    var cutOff: ContinuityError?
    var failure: ContinuityError?
  }

  /// What was asked for and is not there yet.
  private var opening: [RequestID: RPCID] = [:]
  private var pairs: [RequestID: Pair] = [:]

  /// What is to be polled for `move`.
  var awaited: [Poll.Entry] {
    pairs.values.compactMap { pair in
      var interest: Readiness = []
      if pair.reading != nil { interest.insert(.readable) }
      if pair.writing != nil { interest.insert(.writable) }
      return interest.isEmpty ? nil : Poll.Entry(pair.socket.number, for: interest)
    }
  }

  // MARK: From opening to the end

  mutating func await(_ name: RequestID, for id: RPCID) { opening[name] = id }

  /// The request that waits for these streams; nil if none does, or not any more.
  mutating func take(_ name: RequestID) -> RPCID? { opening.removeValue(forKey: name) }

  func isOpen(_ name: RequestID) -> Bool { pairs[name] != nil }

  mutating func open(_ name: RequestID, over socket: Descriptor) { pairs[name] = Pair(socket: socket) }

  /// A request that the editor cancelled: nothing is read for it. What it wrote goes on its way.
  mutating func withdraw(_ id: RPCID) {
    for (name, pair) in pairs {
      if pair.reading?.id == id { pairs[name]?.reading = nil }
      if pair.writing?.id == id { pairs[name]?.writing?.id = nil }
    }
    for (name, waiting) in opening where waiting == id { opening[name] = nil }
  }

  /// The agent has told of the end. What came before it can still be read.
  mutating func end(_ name: RequestID, because error: ContinuityError?) -> [Answer] {
    guard let error, var pair = pairs[name] else { return [] }
    pair.failure = error
    if !Poll.wait(for: pair.socket.number, until: .ended, atMost: .zero) { pair.cutOff = error }
    pairs[name] = pair
    return move()
  }

  /// Throws for streams that there are not.
  mutating func close(_ name: RequestID, _ directions: StreamDirections) throws(RPCError) -> [Answer] {
    var pair = try pair(name)
    var answers: [Answer] = []
    // What was written is sent first.
    if directions.contains(.writing), pair.writing == nil {
      UnixSocket.shutDown(pair.socket, ending: .writing)
    }
    if directions.contains(.reading), !pair.closed.contains(.reading) {
      if let reading = pair.reading { answers.append(Self.failure(reading.id, Self.closed)) }
      pair.reading = nil
      UnixSocket.shutDown(pair.socket, ending: .reading)
    }
    pair.closed.formUnion(directions)
    keep(pair, as: name)
    return answers
  }

  /// Until nothing is left to do for it.
  private mutating func keep(_ pair: Pair, as name: RequestID) {
    pairs[name] = pair.closed == [.reading, .writing] && pair.writing == nil ? nil : pair
  }

  /// Before the session ends, and with it what is read: no end that the other app made.
  mutating func endAll() -> [Answer] {
    let moving = pairs.values.flatMap { [$0.reading?.id, $0.writing?.id].compactMap { $0 } }
    let waiting = moving + opening.values
    self = ServedStreams()
    return waiting.map { Self.failure($0, Self.closed) }
  }

  // MARK: Bytes

  /// The answer, or nil when it follows.
  mutating func read(_ name: RequestID, atMost length: Int, for id: RPCID) throws(RPCError) -> JSONValue? {
    var pair = try pair(name)
    guard !pair.closed.contains(.reading) else { throw RPCError(Self.closed) }
    guard pair.reading == nil else { throw RPCError(Self.waits) }
    pair.reading = Reading(id: id, length: length)
    defer { pairs[name] = pair }
    return try Self.read(&pair)?.result.get()
  }

  /// The answer, or nil when it follows.
  mutating func write(_ bytes: [UInt8], to name: RequestID, for id: RPCID) throws(RPCError) -> JSONValue? {
    var pair = try pair(name)
    guard !pair.closed.contains(.writing) else { throw RPCError(Self.closed) }
    // Behind one that was cancelled, unless much waits already.
    let former = pair.writing
    guard former?.id == nil, (former?.rest.count ?? 0) <= ClientCall.longestChunk else {
      throw RPCError(Self.waits)
    }
    pair.writing = Writing(id: id, rest: (former?.rest ?? []) + bytes)
    defer { pairs[name] = pair }
    return try Self.write(&pair)?.result.get()
  }

  /// Reads and writes what can be, for the requests that wait.
  mutating func move() -> [Answer] {
    var answers: [Answer] = []
    for name in pairs.keys.sorted() {
      guard var pair = pairs[name] else { continue }
      answers += [Self.read(&pair), Self.write(&pair)].compactMap { $0 }
      keep(pair, as: name)
    }
    return answers
  }

  private static func read(_ pair: inout Pair) -> Answer? {
    guard let reading = pair.reading else { return nil }
    var room = [UInt8](repeating: 0, count: reading.length)
    do throws(Errno) {
      let count = try pair.socket.read(into: &room)
      pair.reading = nil
      if count == 0, let reason = pair.cutOff { return failure(reading.id, reason) }
      let data = UserInfoValue.bytes(Array(room.prefix(count))).json
      return Answer(id: reading.id, result: .success(["data": data, "atEnd": .bool(count == 0)]))
    } catch {
      if error == .wouldBlock { return nil }
      pair.reading = nil
      return failure(reading.id, pair.cutOff ?? .lostStreams(because: error.clause))
    }
  }

  private static func write(_ pair: inout Pair) -> Answer? {
    guard var writing = pair.writing else { return nil }
    do throws(Errno) {
      if let reason = pair.failure {
        pair.writing = nil
        return writing.id.map { failure($0, reason) }
      }
      while !writing.rest.isEmpty {
        writing.rest.removeFirst(try UnixSocket.sendAtOnce(writing.rest, to: pair.socket.number))
        pair.writing = writing
      }
      pair.writing = nil
      if pair.closed.contains(.writing) { UnixSocket.shutDown(pair.socket, ending: .writing) }
      return writing.id.map { Answer(id: $0, result: .success(.null)) }
    } catch {
      if error == .wouldBlock { return nil }
      pair.writing = nil
      return writing.id.map { failure($0, .lostStreams(because: error.clause)) }
    }
  }

  // MARK: Refusals

  private func pair(_ name: RequestID) throws(RPCError) -> Pair {
    guard let pair = pairs[name] else {
      throw RPCError(
        ContinuityError(
          .invalidRequest, subject: name.description,
          description:
            "There are no streams \(name), or they were closed: ask for new ones by streams/open."))
    }
    return pair
  }

  private static func failure(_ id: RPCID, _ error: ContinuityError) -> Answer {
    Answer(id: id, result: .failure(RPCError(error)))
  }

  private static let closed = ContinuityError(
    .invalidRequest, subject: "streams",
    description: "This direction of the streams was closed by streams/close: open new ones.")

  private static let waits = ContinuityError(
    .invalidRequest, subject: "streams",
    description: "Another request waits for this direction of the streams: wait for its answer first.")
}
