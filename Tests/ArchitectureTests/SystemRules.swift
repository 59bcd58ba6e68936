// SPDX-License-Identifier: MIT

/// Who may call the operating system beside `LinuxSystem`; empty when nobody else does.
struct SystemRules {
  let tree: SourceTree

  /// Modules that are the C library, or stand for calls of the kernel.
  static let modules: Set<String> = ["Glibc", "CLinux"]

  /// The room itself, whose files may import them.
  static let room = "Sources/System/LinuxSystem/"

  /// Files that need one of them, each with its reason, by a part of the path.
  static let reasons: [(reason: String, paths: [String])] = [
    (
      "searches and compares bytes by memchr(3), memcmp(3) or frees what malloc(3) gave",
      [
        "TextEditing/Buffer/TextBuffer+Bytes", "TextEditing/Buffer/TextBuffer+Change",
        "TextEditing/Buffer/TextSearch", "Embedding/FileLines", "ContinuoC/HostAllocations",
        "continuo-bench/Watchers/Arrivals", "fixtures/CrashPoints/FileCall",
      ]
    ),
    (
      "keeps what belongs to a thread by pthread_key_create(3), or compares threads",
      ["ContinuoC/LastError", "ContinuoC/HostSession", "ContinuoC/Arguments"]
    ),
    (
      "drives the terminal: its character set, size and modes, which a fault gives back",
      ["continuo-edit/Terminal", "continuo-edit/TerminalRescue"]
    ),
    (
      "starts programs by calls that GLib does not have",
      ["continuo-desktop/Serve/ProgramStart"]
    ),
    (
      "drives inotify, and reads folders in the kernel's own records",
      ["continuo-watch/InotifyLibrary", "continuo-watch/FolderEntries", "continuo-watch/FolderReader"]
    ),
    (
      "waits for mounts and settings of the clock",
      ["continuo-watch/WatchLoop"]
    ),
    (
      "stages what no room needs: mounts, orphans, HTTP, patterns of names, and what a preloaded library has",
      [
        "fixtures/Sandbox/Device+Disk", "fixtures/Sandbox/Descendants", "fixtures/Waiting/HTTPExchange",
        "fixtures/Script/PlayedExpectations", "fixtures/CrashPoints/CallNotes",
      ]
    ),
    (
      "tells the moment as stamps of files do, in nanoseconds, or goes on in the midst of a file",
      ["fixtures/Record/FolderRecorder", "fixtures/Soak/SoakEngine"]
    ),
  ]

  private var callers: [String] {
    tree.swiftFiles().filter { path, text in
      imports(in: text).contains { Self.modules.contains($0.module) }
        && !path.hasPrefix(Self.room)
    }.map(\.path)
  }

  private static func covers(_ listed: String, _ path: String) -> Bool {
    // The room and what is in it, wherever the room lies.
    let path = path.split(separator: "/").dropFirst(2).joined(separator: "/")
    return listed.hasSuffix("/") ? path.hasPrefix(listed) : path == listed + ".swift"
  }

  /// Files that call the system and are not listed, and what is listed and calls nothing.
  func strangers() -> [String] {
    let listed = Self.reasons.flatMap(\.paths)
    let callers = callers
    return callers.filter { path in !listed.contains { Self.covers($0, path) } }
      .map { "\($0) calls the system: use LinuxSystem, or give a reason" }
      + listed.filter { listed in !callers.contains { Self.covers(listed, $0) } }
      .map { "\($0) has a reason to call the system and does not" }
  }

  /// How many files of the product and its tools call the system, `LinuxSystem` aside.
  var count: Int { callers.count }
}
