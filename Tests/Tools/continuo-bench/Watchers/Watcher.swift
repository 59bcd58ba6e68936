// SPDX-License-Identifier: MIT

import LinuxSystem

/// A program that tells of changes below a folder, ready from its making on.
@MainActor protocol Watcher: AnyObject {
  /// Who reads the kernel's queue.
  var process: Int32 { get }
  /// How long it took from being asked until everything was watched, in nanoseconds.
  var readyAfter: UInt64 { get }
  /// When it told of each file that was closed, by the file's number; waits until it tells of the file `end`.
  func sightings() throws -> [Int: UInt64]
  /// Ends the program.
  func stop()
}

extension Watcher {
  /// `f17` is 17.
  static func number(of name: some StringProtocol) -> Int? {
    name.first == "f" ? Int(name.dropFirst()) : nil
  }
}

/// Who is measured beside ours.
enum Peer: String, CaseIterable {
  case raw = "raw kernel program"
  case rawPipe = "raw, told by a pipe"
  case inotifywait
  case watchman
  case watchdog = "watchdog (Python)"

  /// Starts it; throws when it is not installed.
  @MainActor func start(_ folder: String) throws -> any Watcher {
    switch self {
    case .raw: try RawWatcher(folder)
    case .rawPipe: try RawPipeWatcher(folder)
    case .inotifywait: try InotifywaitWatcher(folder)
    case .watchman: try WatchmanWatcher(folder)
    case .watchdog: try WatchdogWatcher(folder)
    }
  }

  /// Ours and these, as entrants of a race that is run by `run`.
  @MainActor static func field(
    _ peers: [Peer], _ run: @escaping @MainActor (Peer?) throws -> [Double]
  ) -> [Race.Entrant] {
    [Race.Entrant(name: "ours") { try run(nil) }]
      + peers.map { peer in Race.Entrant(name: peer.rawValue) { try run(peer) } }
  }
}

/// The environment of the programs that are measured.
@MainActor enum Programs {
  static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]

  /// One of those built beside this one.
  static func own(_ name: String) throws -> String {
    let path = try Files.ownDirectory() + "/" + name
    guard FilePath(path).allows(.execute) else {
      throw Failure("\(name) is not built: swift build -c release --product \(name)")
    }
    return path
  }

  /// One of the system's.
  static func peer(_ name: String, package: String) throws -> String {
    for folder in ["/usr/local/bin", "/usr/bin", "/bin"] where FilePath("\(folder)/\(name)").allows(.execute)
    {
      return "\(folder)/\(name)"
    }
    throw Failure("not installed: apt-get install \(package)")
  }
}
