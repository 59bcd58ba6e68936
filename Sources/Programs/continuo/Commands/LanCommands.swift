// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem
import SettingsFile

struct LanCommandLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lan",
    abstract: "Let your devices reach each other on the network, without waiting for the folder.",
    discussion: """
      Off until you switch it on, on each device. What is saved on one is then offered on the others at \
      once; folders go on carrying everything, and are enough without it. Only your own devices can connect.
      """,
    subcommands: [
      On.self, Off.self, Status.self, Connect.self, Forget.self, Network.self,
    ], defaultSubcommand: Status.self)

  struct On: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switch it on; returns when other devices can connect.",
      discussion: CommandEnd.help(
        """
        May be repeated, also with another port. A firewall of this computer has to let TCP connections to \
        the port in; only one of two devices needs that.
        """,
        ends: [.done: "it is on", .failed: "it is not, or not for long, and the sentence says what to do"]))

    @Option(
      help: ArgumentHelp(
        "Where others connect, from \(Reachability.lowestPort) on; else the port of the last time.",
        valueName: "PORT"))
    var port: UInt16?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
      if let port, port < Reachability.lowestPort {
        throw ValidationError("A port is from \(Reachability.lowestPort) to 65535.")
      }
    }

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let status = try LanAnswer.switchOn(port: port, AgentSession())
        if json { return JSONOutput.say(LanRow(status)) }
        LanAnswer.tellSwitchedOn(status)
      }
    }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switch it off: every link ends, and nothing listens any more.",
      discussion: CommandEnd.help())

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let status = try LanAnswer.switchOff()
        if json { return JSONOutput.say(LanRow(status)) }
        Terminal.say("The LAN is off; folders go on carrying what is offered.")
      }
    }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Tell how this device is linked with the others, and what is in the way.",
      discussion: CommandEnd.help(
        "A device is linked, dialling (it is tried), unreachable, refused (by whoever is there), or off.",
        ends: [.done: "it was told", .failed: "no agent told it"]))

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let status = try LanAnswer.ask(.status, AgentSession())
        if json { return JSONOutput.say(LanRow(status)) }
        LanAnswer.lines(of: status, networks: LanAnswer.networks()).forEach(Terminal.say)
      }
    }
  }

  struct Connect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Look for your devices at a computer that you name, now and later.",
      discussion: CommandEnd.help(
        """
        Seldom needed: devices tell each other where they are, sealed, through the folder. For a network \
        where their own addresses lead nowhere, as behind a router that forwards a port.
        """))

    @Argument(
      help: ArgumentHelp("A name or an address, and a port behind a colon.", valueName: "HOST[:PORT]"))
    var host: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let (name, port) = try HostText.parts(of: host)
        let (addresses, why) = HostLookup.addresses(of: name)
        guard !addresses.isEmpty else {
          throw ContinuityError(
            .invalidRequest, subject: name,
            description: "\(name) is not found (\(why)): check how it is written, or type its address.")
        }
        let typed = TypedHost(name: name, port: port, addresses: Array(addresses.prefix(TypedHost.limit)))
        let status = try LanAnswer.ask(.connect(typed), AgentSession())
        if json { return JSONOutput.say(LanRow(status)) }
        Terminal.say("\(name) is remembered; `continuo lan status` tells who is linked.")
        if !status.isOn { Terminal.hint("The LAN is off: `continuo lan on` switches it on.") }
      }
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a computer that was named by `continuo lan connect`.",
      discussion: CommandEnd.help("Links that stand stay."))

    @Argument(help: "Its name or address, as `continuo lan status` lists it.", completion: Completions.hosts)
    var host: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let name = try HostText.parts(of: host).name
        let status = try LanAnswer.ask(.forget(name), AgentSession())
        if json { return JSONOutput.say(LanRow(status)) }
        Terminal.say("\(name) is forgotten.")
      }
    }
  }

  struct Network: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switch one network off, or on again: your devices are told no address there.",
      discussion: CommandEnd.help(
        "For networks that others need not know you use: the addresses in records are a travel log. Whoever "
          + "knows the address can still connect, if it is a device of yours."))

    enum Position: String, ExpressibleByArgument { case on, off }

    @Argument(
      help: ArgumentHelp("The interface, as `continuo lan status` lists it.", valueName: "NAME"),
      completion: Completions.networks)
    var name: String

    @Argument(help: "on or off.", completion: .list(["on", "off"]))
    var position: Position

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let isOn = position == .on
        try SettingsFile.ofThisUser().edit { (file) throws(SettingsProblem) in
          var off = file.read().settings?.network.offInterfaces ?? []
          if isOn { off.remove(name) } else { off.insert(name) }
          try file.set(.offNetworks, to: off.isEmpty ? nil : .strings(off.sorted()))
        }
        let status = try LanAnswer.ask(.network(name, isOn: isOn), AgentSession())
        if json { return JSONOutput.say(LanRow(status)) }
        let effect = status.isOn ? ": your other devices are told so" : ""
        Terminal.say("\(name) is \(position.rawValue)\(effect).")
        if !LanAnswer.networks().contains(name) {
          Terminal.hint("This computer has no interface \(name) to a network now.")
        }
      }
    }
  }
}
