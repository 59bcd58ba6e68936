// SPDX-License-Identifier: MIT

import ActivityWire

/// Why nothing was told or noted, in one sentence that says what to do.
struct DesktopFault: Error, Equatable {
  var sentence: String

  /// The agent's frames are not understood.
  static let cut = DesktopFault(sentence: "The request of the agent is cut; update continuo.")
}

extension DesktopFrame {
  /// The one frame that comes from `descriptor`; waits for it.
  static func read(_ descriptor: Int32) throws(DesktopFault) -> DesktopFrame {
    var reader = DesktopFrameReader()
    while true {
      do throws(Broken) { if let frame = try reader.next() { return frame } } catch { throw DesktopFault.cut }
      guard let piece = FileBeginning.piece(of: descriptor) else { continue }
      guard !piece.isEmpty else { throw DesktopFault.cut }
      reader.append(piece)
    }
  }
}
