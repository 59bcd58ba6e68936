// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("The watch program on the command line")
struct WatchProgramTests {
  @Test(
    "Wrong usage ends with 2, a wrong folder with 1, each with one sentence",
    arguments: [
      (["--nonsense"], 2, "--help"), (["--json"], 2, "folder"), (["/tmp"], 2, "--json"),
      (["--json", "/nonexistent/folder"], 1, "/nonexistent/folder"),
      (["--json", "/etc/passwd"], 1, "not a folder"),
      (["--json", ""], 1, "name"),
    ])
  func badArguments(arguments: [String], code: Int, words: String) throws {
    let end = try WatchProcess(arguments).waitForEnd()
    #expect(end.code == Int32(code))
    #expect(end.complaint.contains(words))
    #expect(end.complaint.split(separator: "\n").count == 1)
  }

  @Test("Bytes that are no command end it with a sentence")
  func badCommands() throws {
    for bytes in [[0xff, 0xff, 0xff, 0xff], [0, 0, 0, 1, 0xff], [0, 0, 0, 3, 0x82, 0x09, 0x00]] as [[UInt8]] {
      let process = try WatchProcess()
      try process.send(bytes)
      let end = try process.waitForEnd()
      #expect(end.code == 1)
      #expect(end.complaint.contains("command"))
    }
  }

  @Test("For people it prints one JSON object a line, and ends when the last folder is gone")
  func jsonLines() throws {
    let folder = try TemporaryFolder()
    let program = Process()
    let output = Pipe()
    program.executableURL = WatchProcess.executable
    program.arguments = ["--json", folder.path]
    program.standardOutput = output
    program.standardError = FileHandle.nullDevice
    try program.start()
    try output.fileHandleForWriting.close()
    let first = output.fileHandleForReading.availableData
    try folder.write([[0x61, 0x0a, 0x22]])
    folder.remove([[0x61, 0x0a, 0x22]])
    try folder.write([[0x62, 0xff]])
    folder.remove([[0x62, 0xff]])
    folder.remove([])
    let all = first + (try output.fileHandleForReading.readToEnd() ?? Data())
    program.waitUntilExit()
    let lines = try String(decoding: all, as: UTF8.self).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(program.terminationStatus == 1)
    #expect(lines.first?["hint"] as? String == "watching")
    #expect(lines.first?["root"] as? String == folder.path)
    #expect(lines.contains { $0["path"] as? [String] == ["a\n\""] && $0["change"] as? String == "deleted" })
    #expect(lines.contains { ($0["path"] as? [[String: String]]) == [["hex": "62ff"]] })
    #expect(lines.last?["hint"] as? String == "rootLost")
  }
}
