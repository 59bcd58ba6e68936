// SPDX-License-Identifier: MIT

/// An app that is connected to the agent, as it calls itself, and the program that says so.
public struct ClientApp: Hashable, Sendable {
  /// The ID that its greeting named.
  public var appID: String
  /// The name that its greeting named.
  public var name: String
  /// The team that its greeting named.
  public var team: [UInt8]?
  /// What the kernel tells of the process that connected; nil where that has ended, or may not be looked at.
  public var program: ClientProgram?

  /// An app that greeted with this manifest.
  public init(_ manifest: AppManifest, program: ClientProgram?) {
    self.init(appID: manifest.appID, name: manifest.name, team: manifest.team, program: program)
  }

  /// An app of that ID, name and team.
  public init(appID: String, name: String, team: [UInt8]?, program: ClientProgram?) {
    self.appID = appID
    self.name = name
    self.team = team
    self.program = program
  }
}

/// The program of a client, which no greeting has a say in.
public struct ClientProgram: Hashable, Sendable {
  /// Its process.
  public var process: UInt64
  /// The file that it runs, as its own mount namespace has it: an absolute path, with “ (deleted)” behind
  /// that of a file that is gone. Of a script it is the interpreter's.
  public var executable: [UInt8]
  /// What confines it; nil for nothing that is known.
  public var sandbox: AppSandbox?

  /// The program of that process.
  public init(process: UInt64, executable: [UInt8], sandbox: AppSandbox?) {
    self.process = process
    self.executable = executable
    self.sandbox = sandbox
  }
}

/// What confines a program, and under which name.
public enum AppSandbox: Hashable, Sendable {
  /// Flatpak, with the app's ID there; nil where its file does not tell.
  case flatpak(String?)
  /// Snap, with the snap's name.
  case snap(String)

  /// The sandbox that a file `/.flatpak-info` tells of: the `name` of its group `Application`.
  public init(flatpakInfo bytes: [UInt8]) {
    var group: Substring = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        group = line
      } else if group == "[Application]", let sign = line.firstIndex(of: "="),
        line[..<sign].filter({ $0 != " " }) == "name"
      {
        let name = line[line.index(after: sign)...].drop { $0 == " " }
        self = .flatpak(Self.isName(name, and: "._-") ? String(name) : nil)
        return
      }
    }
    self = .flatpak(nil)
  }

  /// The sandbox that a process's AppArmor label tells of, as `/proc/PID/attr/current` has it: nil for none,
  /// and for a snap that AppArmor only looks at, which is not confined.
  public init?(securityLabel bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count == 2, words[1] == "(enforce)" else { return nil }
    let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[0] == "snap", Self.isName(parts[1], and: "-_") else { return nil }
    self = .snap(String(parts[1]))
  }

  private static func isName(_ text: Substring, and marks: String) -> Bool {
    (1...255).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || marks.contains($0) }
  }
}
