// SPDX-License-Identifier: MIT

public import ActivityModel

/// What `continuo doctor` says of a device: a row for each thing that was looked at.
public struct HealthVerdict: Hashable, Sendable {
  /// The rows, in the order in which they are read.
  public private(set) var checks: [HealthCheck] = []

  /// The worst of all rows.
  public var worst: HealthCheck.Level { checks.map(\.level).max() ?? .ok }

  /// Judges what was found. `agent` is what the agent knows, or why none answers; `lan` what it says of its
  /// links, nil where it says nothing.
  public init(
    agent: Result<HealthFacts, ContinuityError>, local: LocalFindings, lan: LanStatus? = nil
  ) {
    judge(local.limits)
    judge(local.places)
    switch agent {
    case .failure(let error): say("agent", .problem, error.description)
    case .success(var facts):
      if let problem = lan?.problem { facts.problems.removeAll { $0 == problem } }
      judge(facts, local)
    }
    if let lan { judge(lan) }
    judge(local.bus, isKnown: (try? agent.get())?.hasDesktop ?? true)
    if let server = local.server { judge(server) }
  }

  private mutating func say(
    _ name: String, _ level: HealthCheck.Level, _ finding: String, fix: String = ""
  ) {
    checks.append(HealthCheck(name, level: level, finding: finding, fix: fix))
  }

  // MARK: The kernel

  /// A limit of inotify by its key, and what is too few, what is soon used up by one person's programs, and
  /// what is enough for most.
  private struct Limit {
    var key: String
    var few: UInt64
    var usual: UInt64
    var ample: UInt64
  }

  private mutating func judge(_ limits: LocalFindings.Limits) {
    judge(
      "inotify watches", limits.watches,
      Limit(key: "max_user_watches", few: 1024, usual: 65_536, ample: 524_288))
    judge(
      "inotify instances", limits.instances,
      Limit(key: "max_user_instances", few: 4, usual: 64, ample: 512))
    judge(
      "inotify queue", limits.queue,
      Limit(key: "max_queued_events", few: 256, usual: 16_384, ample: 65_536))
  }

  private mutating func judge(_ name: String, _ limit: UInt64?, _ scale: Limit) {
    guard let limit else {
      return say(
        name, .warning, "The limit cannot be read.",
        fix: "Look whether /proc/sys/fs/inotify is there; in a container, ask who runs it.")
    }
    let level: HealthCheck.Level = limit < scale.few ? .problem : limit < scale.usual ? .warning : .ok
    say(
      name, level, "The limit is \(limit).",
      fix: level == .ok
        ? ""
        : "Raise it: put fs.inotify.\(scale.key)=\(scale.ample) into "
          + "/etc/sysctl.d/60-inotify.conf, and run `sudo sysctl --system`.")
  }

  // MARK: Permissions

  private mutating func judge(_ places: [LocalFindings.OwnPlace]) {
    var isWell = true
    for place in places {
      if !place.isOwn {
        isWell = false
        say(
          "permissions", .problem, "\(place.path) belongs to somebody else.",
          fix: "Run `sudo chown -R $(id -u) \(place.path)`.")
      } else if place.permissions & 0o077 != 0 {
        isWell = false
        let mode = place.isFolder ? "700" : "600"
        say(
          "permissions", .problem, "Others may read or change \(place.path).",
          fix: "Run `chmod \(mode) \(place.path)`.")
      } else if place.permissions & 0o600 != 0o600 {
        isWell = false
        say(
          "permissions", .problem, "\(place.path) cannot be read and written.",
          fix: "Run `chmod u+rwX \(place.path)`.")
      }
    }
    if isWell, !places.isEmpty { say("permissions", .ok, "Keys, state and socket are this person's alone.") }
  }

  // MARK: The agent's facts

  private mutating func judge(_ facts: HealthFacts, _ local: LocalFindings) {
    judgeClones(facts)
    var known: Set<String> = [Reason.copied.sentence]
    for folder in facts.folders where !folder.polling.isEmpty {
      known.insert("Folder \(folder.name): \(folder.polling)")
    }
    for peer in facts.peers {
      if peer.isCopied { known.insert(Reason.deviceCopied(device: peer.name).sentence) }
      known.formUnion(gaps(of: peer, facts))
    }
    let others = facts.problems.filter { !known.contains($0) }
    if others.isEmpty { say("agent", .ok, "It runs, and knows of no problem.") }
    for problem in others { say("agent", .problem, problem) }
    if facts.folders.isEmpty {
      say(
        "folders", .warning, "No folder is registered.", fix: "Run `continuo folder add` with a synced one.")
    }
    for folder in facts.folders { judge(folder, facts, local.folders[folder.path]) }
    if facts.peers.isEmpty {
      say(
        "devices", .warning, "This is the only device.",
        fix: "Run `continuo pair`, and `continuo join` there.")
    }
    for peer in facts.peers {
      judge(peer, facts)
      judgeClock(of: peer, facts)
    }
  }

  private mutating func judgeClones(_ facts: HealthFacts) {
    let copied = facts.peers.filter(\.isCopied)
    for peer in copied { say("clones", .problem, Reason.deviceCopied(device: peer.name).sentence) }
    if facts.isCopied { say("clones", .problem, Reason.copied.sentence) }
    if copied.isEmpty, !facts.isCopied { say("clones", .ok, "Each device has an identity of its own.") }
  }

  private mutating func judge(
    _ folder: HealthFacts.Folder, _ facts: HealthFacts, _ local: LocalFindings.Folder?
  ) {
    let name = "folder \(folder.name)"
    var isWell = folder.isUsed
    if folder.isUsed, let local, !local.isWritable {
      isWell = false
      say(
        name, .problem, "Nothing can be written into \(DisplayText.shown(folder.path)).",
        fix: "Make the folder writable for this person.")
    }
    if let pattern = local?.ignoringPattern {
      isWell = false
      say(
        name, .problem, "Syncthing leaves out .continuo here: its .stignore has \(pattern).",
        fix: "Put !/.continuo above it, on every device.")
    } else if folder.isUsed, folder.heard == 0, !facts.peers.isEmpty {
      isWell = false
      say(name, .warning, Reason.recordsLeftOut(folder: folder.name).sentence)
    }
    if !folder.polling.isEmpty {
      isWell = false
      say(name, .warning, folder.polling)
    }
    guard isWell else { return }
    say(
      name, .ok,
      facts.peers.isEmpty
        ? "It is there and raises events."
        : "It is there, raises events, and records of \(folder.heard) of \(facts.peers.count) other devices "
          + "came through it.")
  }

  // MARK: Other devices

  /// Whether records go both ways: what comes back as read by the other device.
  private mutating func judge(_ peer: HealthFacts.Peer, _ facts: HealthFacts) {
    let name = "device \(peer.name)"
    let gaps = gaps(of: peer, facts)
    for gap in gaps { say(name, .problem, gap) }
    guard gaps.isEmpty else { return }
    guard peer.saidAt != nil else {
      return say(
        name, .warning, "Nothing was heard of \(peer.name).",
        fix: "Switch it on, register a folder on both devices, and check that the sync engine carries the "
          + "hidden folder .continuo.")
    }
    guard let said = facts.said else {
      return say(name, .ok, "It is heard; this device has said nothing since its agent was started.")
    }
    if let read = peer.acknowledged, read >= said.sequence {
      return say(name, .ok, "It has read what this device said last.")
    }
    say(
      name, .ok,
      peer.acknowledged == nil
        ? "It is heard, and has not said yet whether it reads this device's records."
        : "It has read what this device said before.")
  }

  /// What the agent concludes of the device: records that do not come there, or from there.
  private func gaps(of peer: HealthFacts.Peer, _ facts: HealthFacts) -> [String] {
    facts.problems.filter { problem in
      switch Reason(problem) {
      case .recordsUnread(peer.name), .recordsMissing(peer.name, _): true
      default: false
      }
    }
  }

  /// So much may a clock be wrong unnoticed, and so much is forgiven to other devices, in seconds.
  private static let clock = (unnoticed: UInt64(120), forgiven: UInt64(600))

  /// A device that wrote what was read before, or that read before it was said, has another time.
  private mutating func judgeClock(of peer: HealthFacts.Peer, _ facts: HealthFacts) {
    guard let saidAt = peer.saidAt, let heardAt = peer.heardAt else { return }
    let name = "clock of \(peer.name)"
    let fix = "Set the clocks of both computers by the network: `timedatectl set-ntp true`."
    if let ahead = saidAt.seconds(after: heardAt), ahead > Self.clock.unnoticed {
      return say(
        name, ahead > Self.clock.forgiven ? .problem : .warning,
        "It is at least \(ahead) s ahead of the one here.", fix: fix)
    }
    if let said = facts.said, let read = peer.acknowledged, read >= said.sequence,
      let behind = said.at.seconds(after: saidAt), behind > Self.clock.unnoticed
    {
      return say(
        name, behind > Self.clock.forgiven ? .problem : .warning,
        "It is at least \(behind) s behind the one here.", fix: fix)
    }
    say(name, .ok, "Nothing says that it differs from the one here.")
  }

  // MARK: The network

  /// What is said where the kernel keeps no path from the network process.
  public static let unconfinedNetwork =
    "The kernel lacks Landlock: continuo-lan is confined by seccomp alone."

  private mutating func judge(_ lan: LanStatus) {
    if let problem = lan.problem { say("LAN", .problem, problem) }
    guard lan.isOn else {
      if lan.problem == nil { say("LAN", .ok, "It is off: folders carry what is offered.") }
      return
    }
    let linked = lan.links.count { $0.link.state == .linked }
    if lan.problem == nil {
      say(
        "LAN", .ok,
        "It is on at TCP port \(lan.port), and linked with \(linked) of \(lan.links.count) others.")
    }
    if lan.isConfined == false {
      say(
        "LAN", .warning, Self.unconfinedNetwork,
        fix: "Use Linux 5.13 or later, with landlock among the modules in /sys/kernel/security/lsm.")
    }
    var told: Set<Reason> = []
    for link in lan.links {
      guard let cause = link.cause, told.insert(cause).inserted else { continue }
      say(cause == .noNetwork ? "LAN" : "link to \(link.link.name)", .warning, cause.sentence)
    }
  }

  // MARK: The desktop

  private mutating func judge(_ bus: LocalFindings.Bus, isKnown: Bool) {
    switch bus {
    case .none:
      say(
        "session bus", .warning, "This session has none, so notifications cannot be shown.",
        fix: "Nothing on a server; at a desktop, log in there and run this again.")
    case .silent(let why):
      say(
        "session bus", .problem, "It does not answer: \(why).",
        fix: "Log in anew; look at `systemctl --user status dbus.socket`.")
    case .answers where !isKnown:
      say(
        "session bus", .warning, "It answers, and the agent knows no session to show notifications in.",
        fix: "Run `continuo agent stop`; an app of this session starts the agent again when it needs it.")
    case .answers: say("session bus", .ok, "It answers.")
    }
  }

  private mutating func judge(_ server: LocalFindings.NotificationServer) {
    switch server {
    case .present: say("notifications", .ok, "A notification server answers.")
    case .absent:
      say(
        "notifications", .warning, "No notification server is on the session's bus.",
        fix: "Install one, such as mako or dunst, where the desktop brings none.")
    case .unknown(let why): say("notifications", .warning, "The server could not be asked: \(why)")
    }
  }
}

extension WallTime {
  /// So many seconds after the other; nil when it is not after that.
  fileprivate func seconds(after other: WallTime) -> UInt64? {
    milliseconds > other.milliseconds ? (milliseconds - other.milliseconds) / 1000 : nil
  }
}
