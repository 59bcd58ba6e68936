// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// The streams that are open on one link: whose turn it is, and how many bytes may go and come; a value.
///
/// No byte is read from an app before the other device has room for it: each stream begins with room for
/// `firstWindow` bytes, and more is granted as what came is written. So no more than a window of each stream
/// waits here, however long an app reads nothing. Each direction ends by itself.
struct LinkStreams: Sendable {
  /// So many bytes may come of each before any room is granted.
  static let firstWindow = 64 << 10
  /// So many may be under way once an app has shown that it reads.
  static let window = 256 << 10
  /// More room than this is granted by nobody.
  static let creditLimit = 1 << 24
  /// So many bytes of a stream are in one frame.
  static let pieceLimit = LinkPiece.limit - headerSize

  private static let headerSize = 5

  /// What a frame says of the stream whose number it begins with.
  fileprivate enum Word: UInt8 {
    /// The next bytes.
    case bytes = 0
    /// So many bytes more may come.
    case grant = 1
    /// No more bytes come.
    case end = 2
    /// Nobody reads what comes.
    case stop = 3
    /// The stream is no more.
    case reset = 4
  }

  private struct Stream {
    /// So many bytes may go.
    var credit = firstWindow
    /// So many may come.
    var granted = firstWindow
    var window = firstWindow
    /// Written since room was granted last.
    var written = 0
    /// Came, and waits to be written.
    var waiting = 0
    /// Whether bytes wait to be read from the app here.
    var isReadable = false
    /// Whether anything goes, and comes, yet.
    var (sends, receives) = (true, true)
    /// Whether the other device has said that no more comes.
    var hasEnded = false

    var isOver: Bool { !sends && !receives }
  }

  /// What reading from an app gave.
  enum Read: Hashable, Sendable {
    /// So many as were asked for, or fewer.
    case bytes([UInt8])
    /// None are there now.
    case nothing
    /// The app writes no more; and whether it reads no more, either.
    case end(isGone: Bool)
  }

  /// What is to be done.
  enum Step: Equatable {
    /// A frame goes to the other device.
    case say([UInt8])
    /// Write these bytes for the app, behind those before.
    case write(StreamNumber, [UInt8])
    /// The app here reads the end behind what was written, or can write no more.
    case end(StreamNumber, StreamDirection)
    /// The stream is over, in one of these ways; nil where nobody is to be told.
    case close(StreamNumber, StreamEnd?)
    /// That is said by no device.
    case misbehaved
  }

  private var streams: [StreamNumber: Stream] = [:]
  /// Those that can be read from and may go, the next one first.
  private var turns: [StreamNumber] = []

  // MARK: The app here

  /// A stream is open; false where too many are, or one of that number.
  mutating func open(_ number: StreamNumber) -> Bool {
    guard streams.count < StreamMachine.linkLimit, streams[number] == nil else { return false }
    streams[number] = Stream()
    return true
  }

  /// Whether it is to be told when bytes of the app wait.
  func isAwaited(_ number: StreamNumber) -> Bool {
    streams[number].map { $0.sends && $0.credit > 0 && !$0.isReadable } ?? false
  }

  /// Bytes of the app wait.
  mutating func noteReadable(_ number: StreamNumber) {
    guard isAwaited(number) else { return }
    streams[number]?.isReadable = true
    turns.append(number)
  }

  /// Of which stream so many bytes, or fewer, are to be read next.
  var next: (number: StreamNumber, count: Int)? {
    turns.first.flatMap { number in streams[number].map { (number, min($0.credit, Self.pieceLimit)) } }
  }

  /// Takes what was read for `next`.
  mutating func take(_ read: Read, of number: StreamNumber) -> [Step] {
    guard let (first, count) = next, first == number else { return [] }
    turns.removeFirst()
    switch read {
    case .nothing: streams[number]?.isReadable = false
    case .bytes(let bytes):
      streams[number]?.credit -= bytes.count
      // What is read in part has no more for now, as far as anybody knows.
      let goesOn = bytes.count == count && streams[number]?.credit ?? 0 > 0
      streams[number]?.isReadable = goesOn
      if goesOn { turns.append(number) }
      return [.say(frame(number, .bytes, bytes))]
    case .end(let isGone):
      streams[number]?.isReadable = false
      streams[number]?.sends = false
      return [.say(frame(number, .end))] + (isGone ? stop(number) : closeIfOver(number))
    }
    return []
  }

  /// So many bytes were written for the app.
  mutating func noteWritten(_ number: StreamNumber, _ count: Int) -> [Step] {
    guard streams[number]?.receives == true else { return [] }
    streams[number]?.waiting -= count
    streams[number]?.written += count
    return streams[number]?.hasEnded == true ? endWriting(number) : grant(number)
  }

  /// Once all that came is written.
  private mutating func endWriting(_ number: StreamNumber) -> [Step] {
    guard streams[number]?.waiting == 0 else { return [] }
    streams[number]?.receives = false
    return [.end(number, .writing)] + closeIfOver(number)
  }

  private mutating func grant(_ number: StreamNumber) -> [Step] {
    guard var stream = streams[number], stream.written >= stream.window / 2 else { return [] }
    let room = stream.written + Self.window - stream.window
    stream.granted += room
    (stream.window, stream.written) = (Self.window, 0)
    streams[number] = stream
    return [.say(frame(number, .grant, UInt32(room).bigEndianBytes))]
  }

  /// The app here reads no more.
  mutating func stop(_ number: StreamNumber) -> [Step] {
    guard let stream = streams[number] else { return [] }
    streams[number]?.receives = false
    let isNews = stream.receives && !stream.hasEnded
    return (isNews ? [.say(frame(number, .stop))] : []) + closeIfOver(number)
  }

  /// The agent gives a stream up, and the other device is told, whether it is open here or not: it may be
  /// there. One that has heard nothing of it would not understand.
  mutating func reset(_ number: StreamNumber, isTold: Bool) -> [Step] {
    let wasOpen = forget(number)
    return (isTold ? [.say(frame(number, .reset))] : []) + (wasOpen ? [.close(number, nil)] : [])
  }

  @discardableResult
  private mutating func forget(_ number: StreamNumber) -> Bool {
    turns.removeAll { $0 == number }
    return streams.removeValue(forKey: number) != nil
  }

  // MARK: The other device

  /// Takes a frame that came. Of a stream that is not open, or not any more, nothing is taken.
  mutating func take(_ frame: [UInt8]) -> [Step] {
    guard frame.count >= Self.headerSize, let word = Word(rawValue: frame[4]) else { return [.misbehaved] }
    let number = StreamNumber(rawValue: frame.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    let content = Array(frame.dropFirst(Self.headerSize))
    guard word.carries(content.count) else { return [.misbehaved] }
    guard let stream = streams[number] else { return [] }
    switch word {
    case .bytes: return take(content, of: number, stream)
    case .grant:
      let room = content.reduce(0) { $0 << 8 | Int($1) }
      guard stream.credit + room <= Self.creditLimit else { return [.misbehaved] }
      streams[number]?.credit += room
      return []
    case .end:
      guard !stream.hasEnded else { return [.misbehaved] }
      streams[number]?.hasEnded = true
      return stream.receives ? endWriting(number) : []
    case .stop:
      guard stream.sends else { return [] }
      streams[number]?.sends = false
      turns.removeAll { $0 == number }
      return [.end(number, .reading)] + closeIfOver(number)
    case .reset:
      forget(number)
      return [.close(number, .reset)]
    }
  }

  private mutating func take(_ bytes: [UInt8], of number: StreamNumber, _ stream: Stream) -> [Step] {
    guard bytes.count <= stream.granted, !stream.hasEnded else { return [.misbehaved] }
    streams[number]?.granted -= bytes.count
    guard stream.receives else { return [] }
    streams[number]?.waiting += bytes.count
    return [.write(number, bytes)]
  }

  private mutating func closeIfOver(_ number: StreamNumber) -> [Step] {
    guard streams[number]?.isOver == true else { return [] }
    forget(number)
    return [.close(number, .whole)]
  }

  private func frame(_ number: StreamNumber, _ word: Word, _ content: [UInt8] = []) -> [UInt8] {
    number.bytes + [word.rawValue] + content
  }
}

/// A direction of an app's end of a stream, as whoever carries it sees it.
public enum StreamDirection: Sendable {
  /// From the app.
  case reading
  /// To the app.
  case writing
}

extension LinkStreams.Word {
  /// Whether that many bytes are said behind it.
  fileprivate func carries(_ count: Int) -> Bool {
    switch self {
    case .bytes: (1...LinkStreams.pieceLimit).contains(count)
    case .grant: count == 4
    case .end, .stop, .reset: count == 0
    }
  }
}
