// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

extension Offer {
  /// With what the desktop continues an offer that no app takes, where its default app for the document is
  /// called so: that, else the browser. Nil where it has neither.
  func desktopTarget(defaultApp: String?) -> ContinuationTarget? {
    defaultApp.map { .defaultApp(name: $0) } ?? webpageURL.map { .browser(address: $0) }
  }
}

/// Continues offers that no app takes with what the desktop has: the default app gets the document, the
/// browser the web page. For the exchange it is an app like others, so a document waits for its version and
/// is verified by the same rules. Loop thread only.
final class DesktopContinuations {
  /// What it needs of the agent, to which it speaks as a client.
  struct Agent {
    /// It is connected.
    var accept: (any ClientChannel) -> Void
    /// It says this.
    var receive: (AgentRequest, any ClientChannel) -> Void
    /// It is connected no more.
    var ended: (any ClientChannel) -> Void
    /// The page of an offer could not be opened.
    var failed: (OfferID, Reason) -> Void
  }

  /// Who asked for it.
  struct Wish {
    /// The notification that was pressed.
    var pressed: NotificationNumber?
    /// The command line that asked.
    var client: UInt64?
  }

  /// The stand-in for the app, under which others see what it does.
  static let appID = "org.continuo.desktop"

  private final class Channel: ClientChannel {
    let number: UInt64
    let onReport: (AgentReport, Channel) -> Void

    init(_ number: UInt64, onReport: @escaping (AgentReport, Channel) -> Void) {
      self.number = number
      self.onReport = onReport
    }

    func send(_ message: AgentMessage, file: (any OpenFile)?) -> ClientSending {
      if case .report(let report) = message { onReport(report, self) }
      return .sent
    }

    func disconnect() {}
  }

  private let ports: AgentPorts
  private let agent: Agent
  /// What is being opened, so that nothing is opened twice.
  private var open: Set<OfferID> = []
  /// Real clients are counted upwards.
  private var lastNumber = UInt64.max

  init(ports: AgentPorts, agent: Agent) {
    self.ports = ports
    self.agent = agent
  }

  /// Waits for the offer's document, and has the desktop open it with its default app, called `appName`.
  func openDocument(of offer: Offer, with appName: String, for wish: Wish) {
    guard open.insert(offer.id).inserted else { return }
    var received: UInt64 = 0
    let channel = connect(as: appName) { [weak self] report, channel in
      guard let self else { return }
      switch report {
      case .progress(let request, let status):
        // Nobody is there to be asked: what still comes in is waited for.
        guard case .overdue = status.cause, status.received > received else { return }
        received = status.received
        agent.receive(.choose(request, .keepWaiting), channel)
      case .deliver(let request, let delivery): open(delivery, request, of: offer.id, channel, for: wish)
      case .fail: end(channel, of: offer.id)
      default: break
      }
    }
    agent.receive(.accept(offer.id, ports.identifier()), channel)
  }

  /// In the loop's next turn: the exchange hears first that it was delivered.
  private func open(
    _ delivery: Delivery, _ request: RequestID, of offer: OfferID, _ channel: Channel, for wish: Wish
  ) {
    _ = ports.scheduler.schedule(at: ports.now) { [weak self] in
      guard let self else { return }
      ports.desktop.open(delivery.path ?? [], pressed: wish.pressed, for: wish.client) { [weak self] result in
        guard let self else { return }
        var outcome = ContinuationOutcome.opened
        if case .failure(let error) = result {
          agent.receive(.explain(request, error.description), channel)
          outcome = .failed
        }
        agent.receive(.outcome(request, outcome), channel)
        end(channel, of: offer)
      }
    }
  }

  /// Has the browser open the page of the offer; `answer` gets why it did not.
  func openPage(
    _ address: String, of offer: Offer, for wish: Wish,
    answer: @escaping (Result<Void, ContinuityError>) -> Void = { _ in }
  ) {
    guard open.insert(offer.id).inserted else { return answer(.success(())) }
    ports.desktop.browse(address, pressed: wish.pressed, for: wish.client) { [weak self] result in
      guard let self else { return }
      open.remove(offer.id)
      switch result {
      case .failure(let error): agent.failed(offer.id, error.cause)
      case .success:
        let channel = connect(as: "") { _, _ in }
        let ended = ConcludedContinuation(offer: offer.id, changedAt: offer.changedAt, outcome: .handled)
        agent.receive(.concluded(ports.identifier(), ended), channel)
        agent.ended(channel)
      }
      answer(result)
    }
  }

  private func connect(
    as name: String, onReport: @escaping (AgentReport, Channel) -> Void
  ) -> Channel {
    let channel = Channel(lastNumber, onReport: onReport)
    lastNumber -= 1
    agent.accept(channel)
    agent.receive(.hello(AppManifest(appID: Self.appID, name: name)), channel)
    return channel
  }

  private func end(_ channel: Channel, of offer: OfferID) {
    open.remove(offer)
    agent.ended(channel)
  }
}
