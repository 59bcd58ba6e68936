// SPDX-License-Identifier: MIT

import Foundation

/// What version 0706be6 left on two devices, as `Fixtures/README.md` tells: a test's own copy, in a temporary
/// directory that goes with the value.
public final class WrittenBefore {
  private let scratch: Scratch
  /// The directory with `desktop` and `laptop`, each with `Notes` and `state`: an absolute path.
  public var path: String { scratch.path }
  private static let writtenIn = "/tmp/continuo-written-000000"

  /// Unpacks the copy. The paths in both devices' state lead to it.
  ///
  /// Throws `Scratch.Failure` when the archive cannot be unpacked.
  public init() throws {
    scratch = try Scratch("written")
    try Self.unpack("0706be6", to: scratch.path)
    guard scratch.path.utf8.count == Self.writtenIn.utf8.count else {
      throw Scratch.Failure(description: "the archive cannot be unpacked to \(scratch.path)")
    }
    for device in ["desktop", "laptop"] {
      let file = state(of: device, "state")
      // Lengths stand before texts in this format, and stay as they are.
      try Scratch.write(Self.replaced(try bytes(of: device, "state"), by: scratch.path), to: file)
    }
  }

  /// Unpacks an archive of `Fixtures/written`. Throws `Scratch.Failure` where it cannot be.
  public static func unpack(_ name: String, to path: String) throws {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/bin/tar")
    tar.arguments = ["-xzf", "\(root)/Fixtures/written/\(name).tar.gz", "-C", path]
    try tar.run()
    tar.waitUntilExit()
    guard tar.terminationStatus == 0 else {
      throw Scratch.Failure(description: "the archive \(name) cannot be unpacked to \(path)")
    }
  }

  /// The path of one of a device's state files.
  public func state(of device: String, _ name: String) -> String {
    "\(path)/\(device)/state/continuo/\(name)"
  }

  /// The bytes of one of a device's state files. Throws what `Data` throws.
  public func bytes(of device: String, _ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: state(of: device, name))))
  }

  private static func replaced(_ bytes: [UInt8], by path: String) -> [UInt8] {
    var bytes = bytes
    let old = Array(writtenIn.utf8)
    for start in bytes.indices where bytes[start...].starts(with: old) {
      bytes.replaceSubrange(start..<start + old.count, with: Array(path.utf8))
    }
    return bytes
  }
}
