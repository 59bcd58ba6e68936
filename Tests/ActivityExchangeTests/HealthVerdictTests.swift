// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// What `continuo doctor` says of what was found.
@Suite struct HealthVerdictTests {
  private static let noon = WallTime(milliseconds: 1_800_000_000_000)

  /// A device that is well, with another one.
  private static func facts(_ change: (inout HealthFacts) -> Void = { _ in }) -> HealthFacts {
    var facts = HealthFacts()
    var peer = HealthFacts.Peer(name: "laptop")
    (peer.saidAt, peer.heardAt, peer.acknowledged) = (noon, noon, 7)
    facts.peers = [peer]
    facts.folders = [HealthFacts.Folder(name: "Notes", path: Array("/n".utf8), isUsed: true, heard: 1)]
    facts.said = (7, noon)
    facts.hasDesktop = true
    change(&facts)
    return facts
  }

  private static func local(_ change: (inout LocalFindings) -> Void = { _ in }) -> LocalFindings {
    var local = LocalFindings()
    local.limits = LocalFindings.Limits(watches: 524_288, instances: 128, queue: 16_384)
    local.places = [place("/s", 0o700, isFolder: true), place("/s/identity", 0o600)]
    local.folders = [Array("/n".utf8): LocalFindings.Folder(isWritable: true)]
    (local.bus, local.server) = (.answers, .present)
    change(&local)
    return local
  }

  private static func place(
    _ path: String, _ mode: UInt32, isOwn: Bool = true, isFolder: Bool = false
  ) -> LocalFindings.OwnPlace {
    LocalFindings.OwnPlace(path: path, permissions: mode, isOwn: isOwn, isFolder: isFolder)
  }

  @Test func aDeviceThatIsWellHasOnlyRowsThatSaySo() {
    let verdict = HealthVerdict(agent: .success(Self.facts()), local: Self.local())
    #expect(verdict.worst == .ok, "\(verdict.checks)")
    #expect(
      verdict.checks.map(\.name) == [
        "inotify watches", "inotify instances", "inotify queue", "permissions", "clones", "agent",
        "folder Notes", "device laptop", "clock of laptop", "session bus", "notifications",
      ])
    #expect(verdict.checks.allSatisfy { $0.fix.isEmpty && $0.finding.hasSuffix(".") })
  }

  struct Case: Sendable {
    var name: String
    var level: HealthCheck.Level
    var says: String
    var facts: @Sendable (inout HealthFacts) -> Void = { _ in }
    var local: @Sendable (inout LocalFindings) -> Void = { _ in }
  }

  static let cases: [Case] = [
    Case(
      name: "inotify watches", level: .warning, says: "fs.inotify.max_user_watches=524288",
      local: { $0.limits.watches = 8192 }),
    Case(name: "inotify watches", level: .problem, says: "sysctl", local: { $0.limits.watches = 100 }),
    Case(name: "inotify watches", level: .warning, says: "/proc", local: { $0.limits.watches = nil }),
    Case(
      name: "inotify instances", level: .problem, says: "max_user_instances",
      local: { $0.limits.instances = 2 }),
    Case(
      name: "inotify queue", level: .warning, says: "max_queued_events", local: { $0.limits.queue = 1024 }),
    Case(
      name: "permissions", level: .problem, says: "chmod 700 /s",
      local: { $0.places = [place("/s", 0o755, isFolder: true)] }),
    Case(
      name: "permissions", level: .problem, says: "chmod 600 /s/identity",
      local: { $0.places = [place("/s/identity", 0o640)] }),
    Case(
      name: "permissions", level: .problem, says: "chown",
      local: { $0.places = [place("/s", 0o700, isOwn: false)] }),
    Case(
      name: "permissions", level: .problem, says: "chmod u+rwX",
      local: { $0.places = [place("/s", 0o500, isFolder: true)] }),
    Case(name: "agent", level: .problem, says: "full", facts: { $0.problems = ["The disk is full."] }),
    Case(name: "clones", level: .problem, says: "continuo reset", facts: { $0.isCopied = true }),
    Case(
      name: "clones", level: .problem, says: "laptop",
      facts: {
        $0.peers[0].isCopied = true
        $0.problems = [Reason.deviceCopied(device: "laptop").sentence]
      }),
    Case(name: "folders", level: .warning, says: "continuo folder add", facts: { $0.folders = [] }),
    Case(
      name: "folder Notes", level: .problem, says: "writable",
      local: { $0.folders[Array("/n".utf8)]?.isWritable = false }),
    Case(
      name: "folder Notes", level: .problem, says: ".stignore has .*.",
      local: { $0.folders[Array("/n".utf8)]?.ignoringPattern = ".*" }),
    Case(name: "folder Notes", level: .warning, says: "`.continuo`", facts: { $0.folders[0].heard = 0 }),
    Case(
      name: "folder Notes", level: .warning, says: "NFS",
      facts: {
        $0.folders[0].polling = "It lies on NFS."
        $0.problems = ["Folder Notes: It lies on NFS."]
      }),
    Case(name: "devices", level: .warning, says: "continuo pair", facts: { $0.peers = [] }),
    Case(
      name: "device laptop", level: .warning, says: "Nothing was heard",
      facts: { $0.peers = [HealthFacts.Peer(name: "laptop")] }),
    Case(
      name: "device laptop", level: .problem, says: "has not read this device's",
      facts: {
        $0.peers[0].acknowledged = 6
        $0.problems = [Reason.recordsUnread(device: "laptop").sentence]
      }),
    Case(
      name: "device laptop", level: .problem, says: "tower has read records of laptop",
      facts: { $0.problems = [Reason.recordsMissing(device: "laptop", readBy: "tower").sentence] }),
    Case(
      name: "clock of laptop", level: .warning, says: "121 s ahead",
      facts: { $0.peers[0].saidAt = noon.adding(seconds: 121) }),
    Case(
      name: "clock of laptop", level: .problem, says: "601 s ahead",
      facts: { $0.peers[0].saidAt = noon.adding(seconds: 601) }),
    Case(
      name: "clock of laptop", level: .problem, says: "700 s behind",
      facts: { $0.said = (7, noon.adding(seconds: 700)) }),
    Case(
      name: "session bus", level: .warning, says: "server",
      local: { ($0.bus, $0.server) = (.none, nil) }),
    Case(
      name: "session bus", level: .warning, says: "continuo agent stop", facts: { $0.hasDesktop = false }),
    Case(
      name: "session bus", level: .problem, says: "refused",
      local: { ($0.bus, $0.server) = (.silent("/run/bus: refused"), nil) }),
    Case(name: "notifications", level: .warning, says: "dunst", local: { $0.server = .absent }),
    Case(name: "notifications", level: .warning, says: "late", local: { $0.server = .unknown("late") }),
  ]

  @Test(arguments: HealthVerdictTests.cases.indices) func whatIsWrongIsOneRowWithItsFix(_ index: Int) {
    let test = Self.cases[index]
    let verdict = HealthVerdict(
      agent: .success(Self.facts(test.facts)), local: Self.local(test.local))
    let wrong = verdict.checks.filter { $0.level != .ok }
    #expect(wrong.map(\.name) == [test.name] && verdict.worst == test.level, "\(wrong)")
    #expect(wrong.contains { ($0.finding + " " + $0.fix).contains(test.says) }, "\(wrong)")
  }

  // MARK: The LAN

  private static func lan(_ change: (inout LanStatus) -> Void = { _ in }) -> LanStatus {
    var lan = LanStatus()
    (lan.isOn, lan.port, lan.process, lan.isConfined) = (true, 47_000, 7, true)
    lan.addresses = [[192, 168, 1, 5]]
    lan.links = [link("laptop", .linked), link("phone", .linked)]
    change(&lan)
    return lan
  }

  private static func link(_ name: String, _ state: DeviceLink.State, _ cause: Reason? = nil)
    -> LanStatus.Link
  {
    LanStatus.Link(DeviceLink(device: .random(), name: name, state: state), because: cause)
  }

  private func rows(
    _ lan: LanStatus, facts: HealthFacts = HealthVerdictTests.facts()
  ) -> [HealthCheck] {
    HealthVerdict(agent: .success(facts), local: Self.local(), lan: lan).checks
      .filter { $0.name == "LAN" || $0.name.hasPrefix("link to ") || $0.name == "agent" }
  }

  @Test func aLanThatIsWellIsOneRow() {
    let agent = HealthCheck("agent", level: .ok, finding: "It runs, and knows of no problem.")
    #expect(
      rows(Self.lan()) == [
        agent,
        HealthCheck("LAN", level: .ok, finding: "It is on at TCP port 47000, and linked with 2 of 2 others."),
      ])
    #expect(
      rows(LanStatus()) == [
        agent, HealthCheck("LAN", level: .ok, finding: "It is off: folders carry what is offered."),
      ])
  }

  @Test func whatKeepsFromLinksIsARowOfItsOwn() {
    for cause in [
      Reason.linkUnanswered(device: "phone", port: 4700), .linkOutdated(device: "phone"),
      .linkApart(device: "phone"), .linkRefused(device: "phone"), .linkOff(device: "phone"),
    ] {
      let found = rows(Self.lan { $0.links[1] = Self.link("phone", .unreachable, cause) })
      #expect(found.map(\.name) == ["agent", "LAN", "link to phone"])
      #expect(found.last?.level == .warning && found.last?.finding == cause.sentence)
    }
    let nowhere = rows(
      Self.lan { lan in
        lan.addresses = []
        lan.links = ["laptop", "phone"].map { Self.link($0, .unreachable, .noNetwork) }
      })
    #expect(
      nowhere.map(\.name) == ["agent", "LAN", "LAN"] && nowhere[2].finding == Reason.noNetwork.sentence)
  }

  @Test func aProcessThatCannotRunIsAProblemOnceAndOneHalfConfinedAWarning() {
    let problem = "continuo-lan is not installed: install it."
    for isOn in [true, false] {
      let found = rows(
        Self.lan { ($0.problem, $0.isOn, $0.links) = (problem, isOn, []) },
        facts: Self.facts { $0.problems = [problem] })
      #expect(found.map(\.name) == ["agent", "LAN"] && found.map(\.level) == [.ok, .problem])
      #expect(found[1].finding == problem)
    }
    let found = rows(Self.lan { $0.isConfined = false })
    #expect(found.map(\.level) == [.ok, .ok, .warning] && found[2].fix.contains("Linux 5.13"))
  }

  /// Whether that lasts too long, the agent concludes.
  @Test func whatWasSaidLastNeedNotBeReadYet() {
    for read in [nil, 6] as [UInt64?] {
      let facts = Self.facts {
        $0.peers[0].acknowledged = read
        ($0.peers[0].saidAt, $0.peers[0].heardAt) = (
          Self.noon.adding(seconds: 900), Self.noon.adding(seconds: 900)
        )
      }
      #expect(HealthVerdict(agent: .success(facts), local: Self.local()).worst == .ok)
    }
  }

  @Test func withoutAnAgentTheRestIsLookedAtAllTheSame() {
    let error = ContinuityError(.agentUnavailable, description: "The disk is full.")
    let verdict = HealthVerdict(agent: .failure(error), local: Self.local())
    #expect(verdict.worst == .problem)
    #expect(
      verdict.checks.filter { $0.level != .ok } == [
        HealthCheck("agent", level: .problem, finding: "The disk is full.")
      ])
    #expect(verdict.checks.contains { $0.name == "permissions" })
  }
}
