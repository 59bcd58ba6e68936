// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Another user of the computer, really with another user ID: a process of its own that `setpriv` starts.
/// Only root can become somebody else.
@Suite(.waiting) struct SecondUserTests {
  /// Prints, for each path, what came of connecting to it (a socket), listing it (a folder) or reading it,
  /// as the name of the error, or `done`. A socket is `done` when something was answered, and `ended` when
  /// the other side hung up.
  private static let attempts = """
    import errno, os, socket, stat, sys
    print(os.geteuid())
    for kind, path in zip(sys.argv[1::2], sys.argv[2::2]):
        try:
            if kind == "connect":
                with socket.socket(socket.AF_UNIX) as s:
                    s.settimeout(30)
                    s.connect(path)
                    try:
                        told = "done" if s.recv(1) else "ended"
                    except ConnectionResetError:
                        told = "ended"
                    print(told)
                    continue
            elif kind == "list":
                os.listdir(path)
            elif kind == "make":
                open(path, "x").close()
            else:
                open(path, "rb").read(1)
            print("done")
        except OSError as error:
            print(errno.errorcode[error.errno])
    """

  /// What user 65534 gets by each attempt.
  private func byNobody(_ attempts: [(kind: String, path: String)], _ home: Home) throws -> [String] {
    let told = try ChildProcess.run(
      "/usr/bin/setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", Self.attempts]
        + attempts.flatMap { [$0.kind, $0.path] },
      environment: ["LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"])
    var lines = told.split(separator: "\n").map(String.init)
    #expect(lines.first == "65534", "the user was not changed: \(told)")
    lines.removeFirst()
    return lines
  }

  /// A device whose agent runs, in folders that everybody may enter: only the agent's own modes are left.
  private func openHome() throws -> Home {
    let home = try Home()
    try home.addFolder()
    for folder in [
      home.sandbox.directory, home.device.root, home.device.root + "/run", home.device.root + "/state",
    ] {
      try FilePath(folder).setPermissions(0o755)
    }
    return home
  }

  @Test func anotherUserReachesNeitherTheSocketNorTheState() throws {
    guard CurrentProcess.user == 0 else { return print("skipped: becoming another user needs root") }
    let home = try openHome()
    let (run, state) = (home.device.root + "/run/continuo", home.device.root + "/state/continuo")
    let files = Scratch.names(in: state).filter { FilePath("\(state)/\($0)").resolved != nil }
    #expect(files.contains("identity"))
    let attempts: [(kind: String, path: String)] =
      [
        ("list", home.device.root + "/run"), ("connect", home.device.socket), ("list", run),
        ("make", run + "/new"),
      ]
      + [("list", state), ("make", state + "/new")] + files.map { ("read", "\(state)/\($0)") }
    let answers = try byNobody(attempts, home)
    #expect(answers.first == "done", "the way there is barred before the agent's own folder: \(answers)")
    #expect(answers.count == attempts.count)
    for (attempt, answer) in zip(attempts, answers).dropFirst() {
      #expect(answer == "EACCES", "\(attempt.kind) \(attempt.path)")
    }
    #expect(try home.device.continuo("status", "--json").contains("\"process\""))
  }

  /// The modes of the folders are one bolt, the peer's user ID from the kernel is another; and files keep
  /// their own mode.
  @Test func whoComesPastTheFolderIsTurnedAwayByTheAgentAndReadsNoFile() throws {
    guard CurrentProcess.user == 0 else { return print("skipped: becoming another user needs root") }
    let home = try openHome()
    let (run, state) = (home.device.root + "/run/continuo", home.device.root + "/state/continuo")
    for folder in [run, state] { try FilePath(folder).setPermissions(0o755) }
    let files = Scratch.names(in: state).filter {
      (try? FilePath("\(state)/\($0)").status())?.kind == .regular
    }
    let reads: [(kind: String, path: String)] = files.map { ("read", "\(state)/\($0)") }
    #expect(
      try byNobody([("connect", home.device.socket)] + reads, home)
        == [String](repeating: "EACCES", count: files.count + 1))
    try FilePath(home.device.socket).setPermissions(0o666)
    #expect(try byNobody([("connect", home.device.socket)], home) == ["ended"])
    #expect(Files.text(home.device.log)?.contains("a client of user 65534 was turned away") == true)
    for folder in [run, state] { try FilePath(folder).setPermissions(0o700) }
    #expect(try home.continuo("status").exit == .code(0), "its owner goes on")
  }
}
