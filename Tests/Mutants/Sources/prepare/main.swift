// SPDX-License-Identifier: MIT

import Foundation

// Copies the pure rooms and the kit to another package, with every mutant behind a switch:
// `prepare ROOT WORK`. The sources of the product stay as they are.

struct Mutant {
  var name: String
  var sentence: String
  var file: String
  var expression: String
  /// Nil: the statement is left out.
  var replacement: String?

  init?(name: String, text: String) {
    self.name = name
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let key = line.prefix { $0 != " " }
      fields[String(key)] = String(line.dropFirst(key.count + 1))
    }
    guard let sentence = fields["#"], let file = fields["file"], let expression = fields["-"],
      (fields["+"] == nil) != (fields["skip"] == nil)
    else { return nil }
    (self.sentence, self.file, self.expression) = (sentence, file, expression)
    replacement = fields["+"]
  }

  func applied(to source: String, number: Int) -> String? {
    guard source.components(separatedBy: expression).count == 2 else { return nil }
    let switched =
      replacement.map { "(mutated(\(number)) ? (\($0)) : (\(expression)))" }
      ?? "if !mutated(\(number)) { \(expression) }"
    return source.replacingOccurrences(of: expression, with: switched)
  }
}

func fail(_ sentence: String) -> Never {
  FileHandle.standardError.write(Data((sentence + "\n").utf8))
  exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fail("usage: prepare ROOT WORK") }
let (root, work) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
let rooms = [
  "Core/ActivityModel", "Core/ActivityWire", "Core/ActivityExchange", "Core/AppSession", "Core/SyncedFolders",
  "Core/FolderWatch", "Core/Trust", "Core/LocalNetwork", "Core/AgentEngine", "Testing/ContinuityTestKit",
]
let files = FileManager.default
let sources = work.appending(path: "Sources")
try? files.removeItem(at: sources)
try files.createDirectory(at: sources.appending(path: "mutants"), withIntermediateDirectories: true)
for folder in ["Core", "Testing"] {
  try files.createDirectory(at: sources.appending(path: folder), withIntermediateDirectories: true)
}
for room in rooms {
  try files.copyItem(at: root.appending(path: "Sources/\(room)"), to: sources.appending(path: room))
}

let folder = root.appending(path: "Fixtures/mutants")
var rows: [String] = []
let names = try files.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".mutant") }.sorted()
for (index, name) in names.enumerated() {
  let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  guard let mutant = Mutant(name: String(name.dropLast(7)), text: text) else {
    fail("\(name) needs the lines #, file, - and + or skip.")
  }
  let place = work.appending(path: mutant.file)
  var source = try String(contentsOf: place, encoding: .utf8)
  guard let changed = mutant.applied(to: source, number: index + 1) else {
    fail("\(name): its expression does not stand exactly once in \(mutant.file); bring it up to date.")
  }
  source = changed
  if !source.contains("import ActivityModel"), !mutant.file.contains("/ActivityModel/") {
    source = "import ActivityModel\n" + source
  }
  try source.write(to: place, atomically: true, encoding: .utf8)
  rows.append("  (\"\(mutant.name)\", \"\(mutant.sentence)\"),")
}
let switches = """
  /// The mutant that is on; set before any world runs.
  nonisolated(unsafe) public var activeMutant = 0
  @inline(__always) public func mutated(_ number: Int) -> Bool { activeMutant == number }
  /// Names and sentences, by number from 1.
  public let allMutants: [(name: String, sentence: String)] = [
  \(rows.joined(separator: "\n"))
  ]

  """
try switches.write(
  to: sources.appending(path: "Core/ActivityModel/Mutated.swift"), atomically: true, encoding: .utf8)
try files.copyItem(
  at: root.appending(path: "Tests/Mutants/runner.txt"), to: sources.appending(path: "mutants/main.swift"))
try? files.removeItem(at: work.appending(path: "Package.swift"))
try files.copyItem(
  at: root.appending(path: "Tests/Mutants/package.txt"), to: work.appending(path: "Package.swift"))
