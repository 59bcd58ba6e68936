// SPDX-License-Identifier: MIT

package import ActivityExchange
import ActivityModel

/// Lets the exchange decide, one event after the other, and has performed what it asks for. What has to
/// outlive the agent is on the disk before anybody hears of it. Loop thread only.
package final class ExchangeDriver {
  /// Who performs what the exchange asks for.
  struct Performer {
    /// Performs an action; a wake is the driver's own.
    var perform: (ExchangeMachine.Action) -> Void
    /// Everything that came up is decided.
    var settled: () -> Void
  }

  private let ports: AgentPorts
  private let store: StateStore
  private let performer: Performer
  private let events = EventLine<ExchangeMachine.Event>()
  private var timer: TimerNumber?
  /// Apps that were being started when the last agent ended; nil when they were taken up.
  private var formerStarts: [RequestID: StartedApp]?
  /// What it knows; to be read.
  package private(set) var machine: ExchangeMachine

  init(
    ports: AgentPorts, store: StateStore, bootNonce: [UInt8], timing: ExchangeMachine.Timing,
    performer: Performer
  ) {
    self.ports = ports
    self.store = store
    self.performer = performer
    machine = ExchangeMachine(
      bootNonce: bootNonce, continued: store.state.continued, toldClaims: store.state.toldClaims,
      timing: timing)
    formerStarts = store.state.startedApps
  }

  /// Apps that were being started when the last agent ended get what they were started for when they connect.
  /// Called when what others offer has been read.
  func resumeStarts() {
    let starts = formerStarts ?? [:]
    formerStarts = nil
    for (request, started) in starts.sorted(by: { $0.key < $1.key })
    where machine.isAwaited(started, wall: ports.wall) {
      feed(.awaitsApp(started.app, started.offer, request))
    }
  }

  /// Takes an event in; one that comes up meanwhile is taken after it.
  func feed(_ event: ExchangeMachine.Event) {
    events.feed(event) { event in
      let actions = machine.handle(event, at: ports.now, wall: ports.wall)
      remember()
      for action in actions { perform(action) }
      guard events.isEmpty else { return }
      performer.settled()
    }
  }

  /// By reference: a machine that an object holds would be copied for each question.
  private func ask<Answer>(_ question: (inout ExchangeMachine) -> Answer) -> Answer { question(&machine) }

  /// The state in which an offer stands; nil when there is no such offer.
  func snapshot(of offer: OfferID) -> ActivitySnapshot? { ask { $0.snapshot(of: offer) } }

  /// The folder of the offer's document; nil without one.
  func folder(of offer: OfferID) -> FolderID? { ask { $0.folder(of: offer) } }

  private func perform(_ action: ExchangeMachine.Action) {
    guard case .wake(let moment) = action else { return performer.perform(action) }
    ports.scheduler.cancel(timer)
    timer = moment.map { ports.scheduler.schedule(at: $0) { [weak self] in self?.feed(.timer) } }
  }

  /// Before anybody hears of it, so that nobody hears of it twice; on a full disk once too often rather than
  /// never. Tried again with the next event, and from time to time.
  func remember() {
    let (continued, told, started) = ask { ($0.continued, $0.toldClaims, $0.startedApps) }
    let starts = formerStarts ?? started
    guard
      continued != store.state.continued || told != store.state.toldClaims
        || starts != store.state.startedApps
    else { return }
    do throws(ContinuityError) {
      try store.change {
        $0.continued = continued
        $0.toldClaims = told
        $0.startedApps = starts
      }
    } catch {
      ports.log("the state could not be written: code \(error.code)")
    }
  }
}
