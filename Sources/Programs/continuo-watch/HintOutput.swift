// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderWatch
import LinuxSystem
import SyncedFolders

/// Hints on their way to standard output: collected, then written in one piece, so that a burst costs few
/// writes.
final class HintOutput {
  enum Form {
    /// For the agent.
    case frames
    /// For people; names of the roots by number.
    case lines(Arguments.Printing, rootNames: [[UInt8]])
  }

  /// How many of the roots named for people are still followed.
  private(set) var liveRoots: Int
  private let form: Form
  private var buffer: [UInt8] = []

  init(_ form: Form) {
    self.form = form
    if case .lines(_, let names) = form { liveRoots = names.count } else { liveRoots = 0 }
  }

  /// Whether kernel events are printed.
  var isRaw: Bool { if case .lines(let printing, _) = form { printing.raw } else { false } }

  /// When something that is held back until it is quiet is to be looked at.
  private(set) var wake: Instant?
  private var settling = SettlingMachine()

  private var pace = HintPace()
  /// When creations that wait for more are to be written without it.
  var due: Instant? { pace.due }

  /// Whether it is time to write although more is coming.
  var isLarge: Bool { buffer.count >= 64 * 1024 }

  func append(_ hint: FolderHint, at now: Instant) {
    pace.hold(isCreation: false, at: now)
    if case .rootLost = hint { liveRoots -= 1 }
    switch form {
    case .frames: hint.appendFrame(to: &buffer)
    case .lines(let printing, _) where printing.settled:
      // What was there before is no news; all else that is told of names waits until it is quiet.
      var events = SettlingMachine.events(for: hint)
      if case .watching = hint { events = [] }
      for event in events { perform(settling.handle(event, at: now)) { _ in .gone } }
      if events.isEmpty { line { printing.json ? $0.text(hint) : $0.sentence(hint) } }
    case .lines: line { $0.text(hint) }
    }
  }

  /// Appends the hint of an event that means nothing else; false when it does, or where every event is shown.
  func append(_ event: QueuedEvent, of tree: WatchTree, at now: () -> Instant) -> Bool {
    guard case .frames = form else { return false }
    guard tree.appendFrame(of: event.mask, in: event.descriptor, name: event.name, to: &buffer) else {
      return false
    }
    pace.hold(isCreation: event.mask.contains(.create), at: now())
    return true
  }

  func append(_ event: KernelEvent) {
    guard case .lines(let printing, _) = form, printing.raw else { return }
    line { printing.json ? $0.text(event) : $0.sentence(event) }
  }

  /// Tells what was quiet for a moment, if it is time; `look` says what is there.
  func settle(at now: Instant, _ look: (SettlingMachine.Place) -> Look) {
    guard let due = wake, due <= now else { return }
    wake = nil
    perform(settling.handle(.timer, at: now), look)
  }

  private func perform(_ actions: [SettlingMachine.Action], _ look: (SettlingMachine.Place) -> Look) {
    guard case .lines(let printing, _) = form else { return }
    for action in actions {
      switch action {
      case .wake(let moment): wake = moment
      case .look(let place):
        let found = look(place)
        line { printing.json ? $0.text(found, place) : $0.sentence(found, place) }
      case .lookBelow(let place): line { printing.json ? $0.text(.below, place) : $0.sentence(.below, place) }
      }
    }
  }

  private func line(_ text: (HintLine) -> String) {
    guard case .lines(_, let names) = form else { return }
    buffer += text(HintLine(rootNames: names)).utf8
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Writes everything, unless it is creations that wait for more. False when the reader is gone.
  func flushWhatIsDue(at now: Instant) throws(Failure) -> Bool {
    guard pace.isDue(at: now) else { return true }
    return try flush()
  }

  /// Writes everything, waiting for the reader as long as it takes: nothing is dropped, and if the kernel's
  /// queue overflows meanwhile, that is told as a rescan. False when the reader is gone.
  func flush() throws(Failure) -> Bool {
    pace.passOn()
    var sent = 0
    while sent < buffer.count {
      do throws(Errno) {
        sent += try BorrowedDescriptor.standardOutput.write(
          buffer.span.bytes.extracting(droppingFirst: sent))
      } catch {
        switch error {
        case .wouldBlock: Poll.wait(for: BorrowedDescriptor.standardOutput.number, until: .writable)
        case .brokenPipe: return false
        default: throw .runtime("Writing failed: \(error.text).")
        }
      }
    }
    buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
    return true
  }
}
