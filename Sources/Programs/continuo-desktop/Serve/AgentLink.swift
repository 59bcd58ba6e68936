// SPDX-License-Identifier: MIT

import ActivityWire
import CDesktopGLib

/// The agent's end of this program: frames from standard input, frames to standard output. Waits for neither.
final class AgentLink {
  /// Set before `open`.
  var onFrame: (DesktopFrame) -> Void = { _ in }
  /// The agent is gone, or what it sent is broken; nothing is read after it.
  var onEnd: (DesktopFault?) -> Void = { _ in }

  private var reader = DesktopFrameReader()
  private var unsent: [UInt8] = []
  private var input: LoopWatch?
  private var output: LoopWatch?

  /// Standard input and output.
  private static let inputs: Int32 = 0
  private static let outputs: Int32 = 1

  /// An agent that takes nothing any more.
  private static let unsentLimit = 1 << 20

  func open() {
    g_unix_set_fd_nonblocking(Self.outputs, 1, nil)
    input = LoopWatch(Self.inputs, for: G_IO_IN) { [weak self] in self?.readSome() }
  }

  func send(_ fields: [String]) {
    unsent += DesktopFrame.bytes(of: fields)
    if output == nil { writeSome() }
  }

  private func readSome() {
    guard let piece = FileBeginning.piece(of: Self.inputs) else { return }
    guard !piece.isEmpty else { return end(reader.isInTheMidst ? DesktopFault.cut : nil) }
    reader.append(piece)
    do throws(DesktopFrame.Broken) {
      while input != nil, let frame = try reader.next() { onFrame(frame) }
    } catch { end(.cut) }
  }

  private func writeSome() {
    while !unsent.isEmpty {
      let count = FileBeginning.writeSome(unsent[...], to: Self.outputs)
      if count == 0, unsent.count <= Self.unsentLimit {
        if output == nil {
          output = LoopWatch(Self.outputs, for: G_IO_OUT) { [weak self] in self?.writeSome() }
        }
        return
      }
      guard let count, count > 0 else {
        unsent = []
        output = nil
        return end(nil)
      }
      unsent.removeFirst(count)
    }
    output = nil
  }

  /// Reads no more; for a frame that was not understood.
  func end(_ fault: DesktopFault?) {
    guard input != nil else { return }
    input = nil
    onEnd(fault)
  }
}
