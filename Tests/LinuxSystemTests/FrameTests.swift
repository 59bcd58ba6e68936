// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import Testing

/// Frames through a socket, and what waits for it.
@Suite
struct FrameTests {
  private static func ends(_ scratch: Scratch) throws -> (near: Descriptor, far: Descriptor) {
    let path = scratch.path + "/socket"
    let listener = try UnixSocket.make()
    try UnixSocket.bind(listener, to: path)
    try UnixSocket.listen(listener, backlog: 1)
    let near = try UnixSocket.make()
    try UnixSocket.connect(near, to: path)
    return (near, try UnixSocket.accept(from: listener))
  }

  private static func frame(_ number: Int) -> [UInt8] {
    [0, 0, 0x20, 0] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 0x2000)
  }

  @Test("frames for one that is always behind arrive in their order, each with its descriptor")
  func order() throws {
    let (near, far) = try Self.ends(try Scratch("frames"))
    let null = try FilePath("/dev/null").open(.readOnly)
    var output = FrameOutput()
    var input = FrameInput(limit: 0x2000)
    var sent = 0
    var received = 0
    while received < 1000 {
      while sent < 1000, sent < received + 300 {
        let beside = sent % 50 == 0 ? try null.duplicate() : nil
        let isTaken = output.append(Self.frame(sent), beside: beside)
        try #require(isTaken)
        sent += 1
      }
      if case .failed(let reason) = output.write(to: near.number) { throw reason }
      for _ in 0..<5 {
        guard case .frame(let content, let beside) = input.read(from: far.number) else { break }
        try #require(content == Array(Self.frame(received).dropFirst(4)))
        try #require((beside != nil) == (received % 50 == 0))
        received += 1
      }
    }
    #expect(output.isEmpty && output.byteCount == 0)
  }

  @Test("more than the limits is not taken, and the limits stay when all is forgotten")
  func limits() {
    var output = FrameOutput(byteLimit: 10, frameLimit: 3)
    for _ in 0..<2 {
      let taken = [11, 8, 3, 1, 1, 0].map { output.append([UInt8](repeating: 0, count: $0), beside: nil) }
      #expect(taken == [false, true, false, true, true, false])
      #expect(output.byteCount == 10)
      output.removeAll()
    }
  }
}
