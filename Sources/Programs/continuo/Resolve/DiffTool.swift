// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The program in which a person compares two files: what `git difftool` would start, else `vimdiff`.
///
/// Only the person's own configuration and the system's count. That of a repository around the document is
/// not read: it lies in a synced folder, and whoever can write there could name any command.
struct DiffTool {
  /// As the configuration calls it.
  let name: String
  /// A command for the shell, which finds the files in `LOCAL` and `REMOTE`; nil for a program that takes
  /// both as its last words.
  let command: String?
  /// The program and its first words, without a command.
  let words: [String]

  /// The tool of that name; nil takes the one that is configured.
  init(named given: String?) {
    let name = given ?? Self.configured() ?? "vimdiff"
    self.name = name
    let command = Self.setting("difftool.\(name).cmd") ?? Self.setting("mergetool.\(name).cmd")
    self.command = given == nil || command != nil || !name.contains(" ") ? command : name
    let path = Self.setting("difftool.\(name).path") ?? Self.setting("mergetool.\(name).path")
    var words = Self.words(of: name)
    if let path, !path.isEmpty { words[0] = path }
    self.words = words
  }

  /// Opens both files, and returns when the person has closed them. Throws a sentence when the tool cannot be
  /// started, or fails.
  func open(_ left: FilePath, _ right: FilePath, document: FilePath) throws(ContinuityError) {
    var start = ChildProcess.Start(words.first ?? name, arguments: Array(words.dropFirst()))
    if let command {
      start = ChildProcess.Start("sh", arguments: ["-c", command])
      start.pathVariables = ["LOCAL": left, "REMOTE": right, "MERGED": document, "BASE": document]
    } else {
      start.paths = [left, right]
    }
    let child: ChildProcess
    do throws(Errno) { child = try ChildProcess(start) } catch {
      throw failure("could not be started (\(error.text))")
    }
    switch child.wait() {
    case .code(0): return
    case .code(127): throw failure("is not installed")
    // As diff(1) ends for files that differ.
    case .code(1): return
    case let exit: throw failure("ended with \(exit)")
    }
  }

  private func failure(_ what: String) -> ContinuityError {
    ContinuityError(
      .handoffFailed, subject: name,
      description: "The diff tool \(DisplayText.shown(name)) \(what); nothing was changed. Name another one "
        + "with --tool, or with `git config --global diff.tool`.")
  }

  /// `diff.guitool` on a graphical screen, then `diff.tool`, then `merge.tool`.
  private static func configured() -> String? {
    let isGraphical = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      CurrentProcess.variable($0)?.isEmpty == false
    }
    let keys = (isGraphical ? ["diff.guitool"] : []) + ["diff.tool", "merge.tool"]
    return keys.lazy.compactMap(setting).first { !$0.isEmpty }
  }

  /// The programs behind names that git knows without a command.
  private static func words(of name: String) -> [String] {
    switch name {
    case "vimdiff", "vimdiff1", "vimdiff2", "vimdiff3": ["vimdiff"]
    case "gvimdiff", "gvimdiff1", "gvimdiff2", "gvimdiff3": ["gvim", "-f", "-d"]
    case "nvimdiff", "nvimdiff1", "nvimdiff2", "nvimdiff3": ["nvim", "-d"]
    case "bc", "bc3", "bc4": ["bcompare"]
    case "emerge": ["emacs", "-f", "emerge-files-command"]
    case "vscode": ["code", "--wait", "--diff"]
    default: [name]
    }
  }

  /// Read at `/`, where no repository of somebody else's is found. Nil where git is not installed.
  private static func setting(_ key: String) -> String? {
    guard let pipe = try? Pipe.make(), let nowhere = try? FilePath("/dev/null").open(.writeOnly) else {
      return nil
    }
    var start = ChildProcess.Start("git", arguments: ["-C", "/", "config", "--get", key])
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG"] { start.changes.updateValue(nil, forKey: name) }
    start.standard = [nil, pipe.write.number, nowhere.number]
    let child = try? ChildProcess(start)
    pipe.write.close()
    guard let child, let bytes = try? pipe.read.readToEnd(limit: 64 << 10) else { return nil }
    guard child.wait() == .code(0) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
