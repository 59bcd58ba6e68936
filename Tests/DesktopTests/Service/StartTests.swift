// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

@testable import continuo_desktop

@Suite("Apps started for the agent", .serialized) struct StartTests {
  let desktop: ServedDesktop
  let program: StartedProgram

  /// What a shell, an `Exec` line or an option parser would make something else of.
  static let odd = ["-e", "--", "a b", "", "line\nfeed", "$HOME `id`", "'\"\\", "%f", "é"]

  init() throws {
    desktop = try ServedDesktop()
    try desktop.scratch.folder("bin")
    // No terminal of this machine is found.
    desktop.environment[0] = "PATH=\(desktop.scratch.path)/bin"
    program = try StartedProgram("\(desktop.scratch.path)/bin/program")
  }

  /// A desktop entry that starts the program.
  private func entry(_ id: String, _ lines: String) throws {
    try Scratch.write(
      "[Desktop Entry]\nType=Application\nName=Trails & Co\n\(lines)\n",
      to: "\(desktop.scratch.path)/data/applications/\(id).desktop")
  }

  private func check(_ start: StartedProgram.Start, _ answer: [String], _ request: String) {
    #expect(answer == ["done", request, start.process])
    #expect(start.session == start.process)
    #expect(start.streams == ["/dev/null", "/dev/null", "/dev/null"])
    #expect(start.descriptors == "0 1 2 3 ")
    #expect(start.unusualSignals == 0)
  }

  // MARK: By arguments

  @Test func aCommandGetsItsArgumentsAsTheyAre() throws {
    let service = try desktop.service()
    try service.send([
      ["start", "r1", "", "exec", "org.example.Trails", "0", "\(Self.odd.count + 1)", program.path] + Self.odd
        + ["0", "0"]
    ])
    let start = try program.start()
    #expect(start.arguments == Self.odd)
    check(start, try service.next("done"), "r1")
  }

  @Test func whatCannotBeStartedIsToldAndNothingElseHappens() throws {
    let service = try desktop.service()
    try service.send([["start", "1", "", "exec", "a", "0", "1", "/nowhere/program", "0", "0"]])
    #expect(
      try service.next("failed") == [
        "failed", "1", "/nowhere/program cannot be started: No such file or directory.",
      ])
    try service.send([["start", "2", "", "exec", "a", "0", "0", "0", "0"]])
    #expect(try service.next("failed")[1] == "2")
    try service.send([["start", "3", "", "entry", "../nothing", "0", "0"]])
    #expect(
      try service.next("failed") == [
        "failed", "3", "There is no app ../nothing, or its program is missing; install it again.",
      ])
  }

  @Test func whatEndedIsReaped() throws {
    let service = try desktop.service()
    for number in 1...5 {
      try service.send([["start", "\(number)", "", "exec", "a", "0", "1", program.path, "0", "0"]])
      _ = try program.start()
      let process = try #require(Int32(try service.next("done")[2]))
      // A zombie is still listed.
      let deadline = time(nil) + Int(FramedProgram.patience)
      while access("/proc/\(process)", F_OK) == 0, time(nil) < deadline { sched_yield() }
      #expect(access("/proc/\(process)", F_OK) != 0)
    }
  }

  // MARK: By desktop entry

  @Test(arguments: ["org.example.Trails", "-trails"])
  func anEntryIsReadByGLib(_ id: String) throws {
    try entry(id, #"Exec="\#(program.path)" -x "a b" "\\$HOME \\`id\\` \\"q\\" %%" %c plain"#)
    let service = try desktop.service()
    try service.send([["start", "r", "", "entry", id, "1", "DISPLAY=:7", "0"]])
    let start = try program.start()
    #expect(start.arguments == ["-x", "a b", "$HOME `id` \"q\" %", "Trails & Co", "plain"])
    #expect(start.variables["DISPLAY"] == ":7")
    #expect(start.variables["GIO_USE_VFS"] == nil && start.variables["DBUS_SESSION_BUS_ADDRESS"] == nil)
    check(start, try service.next("done"), "r")
  }

  @Test func anActivatableAppIsActivatedWithTheToken() throws {
    try entry("org.example.my-trails", "Exec=\(program.path)\nDBusActivatable=true")
    let (service, stage) = try desktop.notifying()
    try desktop.order("application", "org.example.my-trails", "/org/example/my_trails")
    try service.send([["show", "5", "Plan", "", "", "0", "", "1", "resume", "Continue"]])
    #expect(try service.next() == ["shown", "5"])
    try desktop.order("signal", "ActivationToken", "1", "token-5")
    try desktop.order("signal", "ActionInvoked", "1", "resume")
    #expect(try service.next() == ["action", "5", "resume"])
    try desktop.order("signal", "NotificationClosed", "1", "2")
    #expect(try service.next() == ["closed", "5", "dismissed"])
    for token in ["activation-token=token-5;desktop-startup-id=token-5", ""] {
      try service.send([["start", "r", "5", "entry", "org.example.my-trails", "0", "0"]])
      #expect(try stage.next("Activate") == ["Activate", token])
      #expect(try service.next() == ["done", "r", ""])
    }
  }

  @Test func anActivatableAppThatTheBusDoesNotKnowIsExecuted() throws {
    try entry("org.example.Trails", "Exec=\(program.path)\nDBusActivatable=true")
    let (service, _) = try desktop.notifying()
    try service.send([["start", "r", "", "entry", "org.example.Trails", "0", "0"]])
    check(try program.start(), try service.next("done"), "r")
  }

  @Test func anExecutedProgramGetsTheTokenInItsEnvironment() throws {
    desktop.environment += ["XDG_ACTIVATION_TOKEN=stale", "DESKTOP_STARTUP_ID=stale", "LISTEN_FDS=1"]
    let (service, _) = try desktop.notifying()
    try service.send([["show", "5", "Plan", "", "", "0", "", "1", "resume", "Continue"]])
    #expect(try service.next() == ["shown", "5"])
    try desktop.order("signal", "ActivationToken", "1", "token-5")
    try desktop.order("signal", "ActionInvoked", "1", "resume")
    #expect(try service.next() == ["action", "5", "resume"])
    for token in ["token-5", nil] {
      try service.send([["start", "r", "5", "exec", "a", "0", "1", program.path, "0", "0"]])
      let variables = try program.start().variables
      #expect(variables["XDG_ACTIVATION_TOKEN"] == token && variables["DESKTOP_STARTUP_ID"] == token)
      #expect(variables["LISTEN_FDS"] == nil)
    }
  }

  /// What was clicked on is taken away by the server and by the agent, which may show something there again,
  /// before the app is started.
  @Test func theTokenOutlivesItsNotificationAndIsForOnePress() throws {
    let (service, _) = try desktop.notifying()
    let shown = ["show", "5", "Plan", "", "", "0", "", "1", "resume", "Continue"]
    try service.send([shown])
    #expect(try service.next() == ["shown", "5"])
    try desktop.order("signal", "ActivationToken", "1", "token-5")
    try desktop.order("signal", "ActionInvoked", "1", "resume")
    try desktop.order("signal", "NotificationClosed", "1", "2")
    _ = try service.next("closed")
    try service.send([["withdraw", "5"], shown])
    #expect(try service.next() == ["shown", "5"])
    let start = ["start", "r", "5", "exec", "a", "0", "1", program.path, "0", "0"]
    try service.send([start])
    #expect(try program.start().variables["XDG_ACTIVATION_TOKEN"] == "token-5")
    // A press that no app was started for, and then one without a token.
    try desktop.order("signal", "ActivationToken", "2", "stale")
    for _ in 0..<2 {
      try desktop.order("signal", "ActionInvoked", "2", "resume")
      _ = try service.next("action")
    }
    try service.send([start])
    #expect(try program.start().variables["XDG_ACTIVATION_TOKEN"] == nil)
  }

  // MARK: Environment

  @Test func theUserManagerIsAskedFirstThenTheClient() throws {
    desktop.environment += [
      "DISPLAY=own", "XAUTHORITY=own", "SWAYSOCK=own", "XDG_SESSION_TYPE=own", "OTHER=own",
    ]
    try desktop.startBus()
    try desktop.order(
      "systemd", "WAYLAND_DISPLAY=manager", "DISPLAY=manager", "HOME=/manager", "PATH=/manager")
    let service = try desktop.service()
    #expect(try service.next() == ["server", "absent"])
    try service.send([
      [
        "start", "r", "", "exec", "org.example.my-app", "0", "1", program.path, "5", "DISPLAY=manager",
        "XAUTHORITY=client", "XAUTHORITY=second", "HOME=/client", "OTHER=client", "0",
      ]
    ])
    let start = try program.start()
    #expect(start.variables["WAYLAND_DISPLAY"] == "manager" && start.variables["DISPLAY"] == "manager")
    // This process's own display is another one: nothing of that session counts.
    #expect(start.variables["XAUTHORITY"] == "client" && start.variables["SWAYSOCK"] == nil)
    #expect(start.variables["HOME"] == "\(desktop.scratch.path)/home")
    #expect(start.variables["PATH"] == "\(desktop.scratch.path)/bin" && start.variables["OTHER"] == "own")
    #expect(start.variables["DBUS_SESSION_BUS_ADDRESS"] == "unix:path=\(desktop.socket)")
    let scope = try desktop.stage().next("StartTransientUnit")
    #expect(scope[1].hasPrefix("app-continuo-org.example.my\\x2dapp-") && scope[1].hasSuffix(".scope"))
    #expect(scope[2] == "fail" && scope[3].contains("PIDs|\(start.process)|Slice|app.slice"))
  }

  // MARK: Terminals

  @Test func aTerminalIsPutBeforeACommand() throws {
    let terminal = try StartedProgram("\(desktop.scratch.path)/bin/xdg-terminal-exec")
    try entry("trails", "Exec=program %c \"a b\"\nTerminal=true")
    let service = try desktop.service()
    try service.send([["start", "1", "", "exec", "a", "1", "3", "program", "a b", "-x", "0", "1", "ours"]])
    #expect(try terminal.start().arguments == ["program", "a b", "-x"])
    try service.send([["start", "2", "", "entry", "trails", "0", "0"]])
    #expect(try terminal.start().arguments == ["program", "Trails & Co", "a b"])
  }

  @Test func theChosenTerminalCountsWhenTheDesktopHasNone() throws {
    let terminal = try StartedProgram("\(desktop.scratch.path)/bin/my terminal")
    try entry("trails", "Exec=program x\nTerminal=true")
    let service = try desktop.service()
    let setting = ["3", "my terminal", "--100%", "it's"]
    try service.send([["start", "1", "", "exec", "a", "1", "1", "program", "0"] + setting])
    #expect(try terminal.start().arguments == ["--100%", "it's", "program"])
    try service.send([["start", "2", "", "entry", "trails", "0"] + setting])
    #expect(try terminal.start().arguments == ["--100%", "it's", "program", "x"])
  }

  @Test func withoutATerminalItIsSaidWhatToDo() throws {
    let service = try desktop.service()
    try service.send([["start", "1", "", "exec", "a", "1", "1", "program", "0", "1", "missing"]])
    #expect(try service.next("failed") == ["failed", "1", Terminals.missing.sentence])
  }

  @Test func aKnownTerminalIsTakenLast() throws {
    func prefix(_ setting: [String], _ there: Set<String>) throws -> [String] {
      try Terminals(setting: setting.map { Array($0.utf8) }) {
        there.contains(String(decoding: $0, as: UTF8.self))
      }.prefix().map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try prefix(["st"], ["xdg-terminal-exec", "st", "foot"]) == ["xdg-terminal-exec"])
    #expect(try prefix(["mine", "-e"], ["mine", "foot"]) == ["mine", "-e"])
    #expect(try prefix(["mine"], ["xterm", "gnome-terminal"]) == ["gnome-terminal", "--"])
    #expect(throws: DesktopFault.self) { try prefix(["mine"], []) }
  }
}
