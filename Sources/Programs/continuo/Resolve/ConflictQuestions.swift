// SPDX-License-Identifier: MIT

import ActivityModel
import ConflictVersions
import LinuxSystem
import SyncedFolders

/// Asks a person on the terminal which version to keep.
struct ConflictQuestions {
  var list: ConflictList
  let tool: String?

  /// Whether one was kept. A refusal is told, and asked on.
  func ask() throws(ContinuityError) -> Bool {
    var list = list
    ConflictText.say(list)
    say(list)
    while true {
      Terminal.ask("> ")
      guard let line = readLine() else { return false }
      let words = line.split(separator: " ").map(String.init)
      do throws(ContinuityError) {
        switch (words.first, words.count) {
        case ("q", 1): return false
        case ("l", 1):
          list = try ConflictList(list.path)
          ConflictText.say(list)
        case ("d", 3): list = try compare(words[1], words[2], list)
        case ("d", 1) where list.resolution.versions.count == 2: list = try compare("1", "2", list)
        case ("k", 2): return try keep(words[1], list)
        default: say(list)
        }
      } catch {
        Terminal.complain(error.description)
        list = try ConflictList(list.path)
      }
      guard list.isInConflict else {
        Terminal.say("No conflict copy lies beside \(list.path.shown) any more.")
        return true
      }
    }
  }

  private func say(_ list: ConflictList) {
    Terminal.hint("d 1 2  compare 1 with 2 in your diff tool; merge there, and save in either")
    Terminal.hint("k 2    keep 2 as \(DisplayText.shown(list.path.name)); the others are put aside beside it")
    Terminal.hint("l      list again        q  leave it as it is")
  }

  /// The list afterwards: the person may have merged, and saved in either file.
  private func compare(
    _ left: String, _ right: String, _ list: ConflictList
  ) throws(ContinuityError) -> ConflictList {
    let (one, other) = (
      try list.version(meantBy: Array(left.utf8)), try list.version(meantBy: Array(right.utf8))
    )
    let folder = list.path.parent
    try DiffTool(named: tool).open(
      folder.appending(one.name), folder.appending(other.name), document: list.path)
    let new = try ConflictList(list.path)
    if new.resolution != list.resolution { ConflictText.say(new) }
    return new
  }

  private func keep(_ word: String, _ list: ConflictList) throws(ContinuityError) -> Bool {
    let version = try list.version(meantBy: Array(word.utf8))
    let aside = try ConflictKeeping(list.resolution, at: list.path).keep(version)
    ConflictText.say(ConflictText.kept(version, list), aside)
    for refusal in aside.compactMap(\.refusal) { Terminal.complain(refusal) }
    return aside.allSatisfy { $0.refusal == nil }
  }
}
