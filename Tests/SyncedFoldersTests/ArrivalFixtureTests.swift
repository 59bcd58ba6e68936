// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// Every script below `Fixtures/arrival`, found on the disk: adding one needs no code.
@Suite struct ArrivalFixtureTests {
  static let directory =
    "\(#filePath)".split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    + "/Fixtures/arrival"

  static let scripts: [String] = {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name.hasSuffix(".script") { names.append(name) }
    }
    return names.sorted()
  }()

  @Test("there are scripts") func thereAreScripts() {
    #expect(Self.scripts.count >= 11)
  }

  @Test("a script's reports are the ones it expects", arguments: scripts)
  func reports(of script: String) throws {
    let (steps, expected) = try ArrivalScript.load(Self.directory + "/" + script)
    let output = try ArrivalScript(steps: steps).output
    #expect(output == expected, "\(script) reported:\n\(output.joined(separator: "\n"))")
  }
}
