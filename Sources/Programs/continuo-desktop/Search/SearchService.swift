// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import CDesktopGLib
import LinuxSystem

/// `continuo-desktop search`: the session's bus starts it for GNOME Shell and KRunner, which look for saved
/// activities with it. It ends when nobody has asked for a while.
///
/// See `docs/decisions/0072-search-of-the-desktop.md`.
final class SearchService {
  static let name = "org.continuo.Search"
  private static let path = "/org/continuo/Search"
  /// So long nobody has to ask.
  private static let patience: UInt32 = 60_000
  /// A person waits for each letter.
  private static let agentTime = Duration.seconds(2)
  /// What is opened may be a large document, which is read first.
  private static let openingTime = Duration.seconds(20)
  /// `DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER`.
  private static let isOwner: UInt32 = 1

  private let loop = g_main_loop_new(nil, 0)
  private let bus = SessionBus(address: SessionBus.address(LaunchEnvironment.ofThisProcess()))
  private lazy var lock = ScreenLock(bus)
  private var results = SearchResults()
  private var session: AgentSession?
  private var end: LoopTimer?
  private var status: Int32 = 1

  /// Returns the status to exit with: 0 when it could serve.
  static func run() -> Int32 {
    guard Activation.startAgent() else { return 1 }
    let service = SearchService()
    service.bus.onConnect = { [weak service] in service?.serve() }
    service.bus.onProblem = { [weak service] problem in
      OwnProcess.complain(problem)
      service?.quit()
    }
    service.bus.connect()
    g_main_loop_run(service.loop)
    service.bus.flush()
    return service.status
  }

  deinit { g_main_loop_unref(loop) }

  private func serve() {
    let isThere = bus.put(at: Self.path, described: Self.description) { [weak self] in
      self?.answer($0, $1, $2)
    }
    guard isThere else { return quit() }
    // Whoever had this program started waits until it has the name, and is answered right.
    lock.watch { [weak self] in self?.takeName() }
  }

  private func takeName() {
    bus.call(.takeName(Self.name)) { [weak self] result in
      guard let self, case .success(let answer) = result, answer[0].number == Self.isOwner else {
        self?.quit()
        return
      }
      status = 0
      waitOn()
    }
  }

  /// Whoever asks after the name was given back has another process started.
  private func waitOn() {
    end = LoopTimer(milliseconds: Self.patience) { [weak self] in
      self?.bus.call(.giveBackName(Self.name)) { _ in self?.quit() }
    }
  }

  private func quit() { g_main_loop_quit(loop) }

  // MARK: Answering

  private func answer(_ interface: String, _ method: String, _ arguments: BusValue) -> BusValue? {
    waitOn()
    lock.askAgain()
    switch method {
    case "GetInitialResultSet": return .tuple([.texts(results.names(of: found(arguments[0].texts)))])
    case "GetSubsearchResultSet": return .tuple([.texts(results.names(of: found(arguments[1].texts)))])
    case "GetResultMetas":
      return .tuple([results.details(of: lock.isOpen ? arguments[0].texts ?? [] : [])])
    case "Match": return .tuple([SearchResults.matches(found(arguments[0].text.map { [$0] }))])
    case "Actions": return .tuple([.array(of: "(sss)", [])])
    case "ActivateResult", "Run":
      if lock.isOpen, let key = arguments[0].text.flatMap(SavedActivity.Key.init(named:)) {
        goOn(with: key)
      }
      return .tuple([])
    // There is no window of all results to open.
    case "LaunchSearch", "Teardown": return .tuple([])
    default: return nil
    }
  }

  /// None while the screen is locked: who stands before it is told nothing.
  private func found(_ terms: [String]?) -> [FoundActivity] {
    guard lock.isOpen, let words = terms.flatMap(SearchResults.words),
      case .found(let activities)? = ask(.find(words: words, atMost: SearchResults.limit))
    else { return [] }
    return activities
  }

  private func goOn(with key: SavedActivity.Key) {
    let answer = ask(.restoreSaved(key, onTerminal: false), limit: Self.openingTime)
    // No app takes it: what the desktop opens such a document with, or the browser. A page that is not
    // encrypted is asked about on the command line, and not opened here.
    if case .noApp(let offer, _)? = answer {
      _ = ask(.openOffer(offer.id, agreed: false), limit: Self.openingTime)
    }
  }

  /// Nil when the agent refuses or does not answer; an agent that was started again is found again.
  private func ask(_ command: AgentCommand, limit: Duration = agentTime) -> AgentAnswer? {
    for _ in 0..<2 {
      if session == nil { session = try? AgentSession(startsAgent: true, limit: Self.agentTime) }
      guard let session else { return nil }
      if let answer = try? session.ask(command, limit: limit) { return answer }
      guard !session.client.isConnected else { return nil }
      self.session = nil
    }
    return nil
  }

  /// As GNOME Shell and KRunner call it.
  private static let description = """
    <node>
      <interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetSubsearchResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetResultMetas">
          <arg type="as" direction="in"/><arg type="aa{sv}" direction="out"/>
        </method>
        <method name="ActivateResult">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="u" direction="in"/>
        </method>
        <method name="LaunchSearch"><arg type="as" direction="in"/><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.kde.krunner1">
        <method name="Actions"><arg type="a(sss)" direction="out"/></method>
        <method name="Match">
          <arg type="s" direction="in"/><arg type="a(sssida{sv})" direction="out"/>
        </method>
        <method name="Run"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
        <method name="Teardown"/>
      </interface>
    </node>
    """
}
