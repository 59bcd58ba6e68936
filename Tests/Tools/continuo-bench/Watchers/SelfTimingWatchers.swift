// SPDX-License-Identifier: MIT

import LinuxSystem

/// A program that notes by itself when it saw what, and tells at the end: nothing but the kernel is between
/// the change and the moment.
@MainActor class SelfTimingWatcher: Watcher {
  let readyAfter: UInt64
  private let child: ChildProcess
  private let arrivals: Arrivals

  var process: Int32 { child.process }

  init(_ command: [String]) throws {
    child = try ChildProcess(command, environment: Programs.environment)
    arrivals = Arrivals(child.output)
    try arrivals.read(until: [UInt8(ascii: "\n")], "that \(command[0]) is ready")
    let words = arrivals.lines().first?.text.split(separator: " ") ?? []
    guard words.count >= 2, words[0] == "READY", let taken = UInt64(words[1]) else {
      throw Failure("\(command[0]) does not say that it is ready")
    }
    readyAfter = taken
  }

  func sightings() throws -> [Int: UInt64] {
    _ = try arrivals.readAll("the last file")
    child.waitForEnd()
    return moments(in: arrivals.lines())
  }

  func moments(in lines: [(text: Substring, at: UInt64)]) -> [Int: UInt64] {
    Moments.read(lines.map(\.text), after: "SEEN")
  }

  func stop() { child.kill() }
}

/// The floor: what the kernel itself takes.
final class RawWatcher: SelfTimingWatcher {
  init(_ folder: String) throws { try super.init([try Programs.own("watch-floor"), "watch", folder]) }
}

/// The floor of two processes: the same program, timed by the reader of its pipe.
final class RawPipeWatcher: SelfTimingWatcher {
  init(_ folder: String) throws { try super.init([try Programs.own("watch-floor"), "tell", folder]) }

  override func moments(in lines: [(text: Substring, at: UInt64)]) -> [Int: UInt64] {
    let told = lines.compactMap { line -> (Int, UInt64)? in
      let words = line.text.split(separator: " ")
      guard words.count == 2, words[0] == "SEEN", let file = Int(words[1]) else { return nil }
      return (file, line.at)
    }
    return Dictionary(told) { first, _ in first }
  }
}

/// Debian's Python library, told as early as its `dispatch` is called.
final class WatchdogWatcher: SelfTimingWatcher {
  init(_ folder: String) throws {
    let python = try Programs.peer("python3", package: "python3-watchdog")
    guard FilePath("/usr/lib/python3/dist-packages/watchdog").allows(.read) else {
      throw Failure("not installed: apt-get install python3-watchdog")
    }
    try super.init([python == "/usr/bin/python3" ? python : "/usr/bin/python3", "-c", Self.script, folder])
  }

  private static let script = """
    import os, sys, threading, time
    from watchdog.events import FileSystemEventHandler
    from watchdog.observers import Observer
    seen, done = {}, threading.Event()
    class Handler(FileSystemEventHandler):
        def dispatch(self, event):
            moment = time.monotonic_ns()
            if event.is_directory or event.event_type not in ("closed", "moved"):
                return
            name = os.path.basename(getattr(event, "dest_path", "") or event.src_path)
            if name == "end":
                done.set()
            elif name[0] == "f":
                seen.setdefault(int(name[1:]), moment)
    start = time.monotonic_ns()
    observer = Observer()
    observer.schedule(Handler(), sys.argv[1], recursive=True)
    observer.start()
    print("READY", time.monotonic_ns() - start, flush=True)
    done.wait()
    print("\\n".join("SEEN %d %d" % item for item in seen.items()), flush=True)
    os._exit(0)
    """
}

/// Lines `WORD file nanoseconds`.
enum Moments {
  static func read(_ lines: [Substring], after word: Substring) -> [Int: UInt64] {
    var moments: [Int: UInt64] = [:]
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == word, let file = Int(words[1]), let moment = UInt64(words[2])
      else { continue }
      moments[file] = moment
    }
    return moments
  }
}
