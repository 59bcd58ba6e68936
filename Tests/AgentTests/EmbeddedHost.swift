// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine
@testable import Embedding

/// An editor that embeds a session, on the loop of a world: it polls one descriptor, and answers rounds.
final class EmbeddedHost {
  let session: EmbeddedSession
  private(set) var events: [EmbeddedSession.Event] = []
  /// What to do besides noting an event.
  var answer: (EmbeddedSession.Event) -> Void = { _ in }
  private let world: World

  init(_ world: World, _ appID: String = "org.example.ed") throws {
    self.world = world
    var text = AppManifest.DocumentType(name: "Text")
    text.extensions = ["*"]
    text.activityType = "public.text-editing"
    var pace = SessionMachine.Pace.usual
    pace.quiet = .milliseconds(10)
    let manifest = AppManifest(
      appID: appID, name: "Ed", activityTypes: [appID + ".page"], documentTypes: [text])
    session = try EmbeddedSession(
      manifest: manifest, places: AgentPlaces(environment: ["HOME": world.scratch.path]), startsAgent: false,
      pace: pace)
    session.onEvent = { [unowned self] event in
      events.append(event)
      if case .needsUpdate(let activity, _, _) = event { session.update(activity) }
      answer(event)
    }
    world.loop.watch(session.descriptor) { [weak session] _ in session?.dispatch() }
  }

  deinit {
    world.loop.forget(session.descriptor)
    session.close(within: .zero)
  }

  /// Connects to an agent of this process, as `connect()` does to one that runs by itself.
  func connect(to device: InProcessDevice, number: UInt64 = .random(in: 1000...(.max))) throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    device.core.accept(
      ClientConnection(number: number, socket: Descriptor(owning: ends[0]), loop: world.loop))
    session.client.adopt(ends[1])
    try world.run("the folders") { session.knowsRoots }
  }

  var handovers: [Handover] {
    events.compactMap {
      switch $0 {
      case .continueActivity(let handover), .restoreDocument(let handover): handover
      default: nil
      }
    }
  }

  var failures: [ContinuityError] {
    events.compactMap { if case .didFail(_, _, let error) = $0 { error } else { nil } }
  }

  var changes: [DocumentChange] {
    events.compactMap { if case .documentChanged(_, let change) = $0 { change } else { nil } }
  }

  var continuedBy: [String] {
    events.compactMap { if case .wasContinued(_, _, let receipt, _) = $0 { receipt.device } else { nil } }
  }

  var rounds: Int { events.count { if case .needsUpdate = $0 { true } else { false } } }
}

/// Two paired devices that share `plan.md`, each with an editor that embeds a session.
struct EmbeddedPair {
  let pair: Pair
  let source: EmbeddedHost
  let target: EmbeddedHost
  var world: World { pair.world }

  init() throws {
    pair = try Pair()
    source = try EmbeddedHost(pair.world)
    target = try EmbeddedHost(pair.world, "org.example.vi")
    try source.connect(to: pair.desktop)
    try target.connect(to: pair.laptop)
  }

  var document: String { pair.desktop.folder + "/plan.md" }
  var copy: String { pair.laptop.folder + "/plan.md" }

  /// The source saves `text` with the person at `place`, and the laptop's app sees the offer; the document
  /// arrives when `isDelivered`.
  @discardableResult
  func offer(_ text: String, at place: TextPlace? = nil, isDelivered: Bool = true) throws -> DocumentHandle {
    let handle = try source.session.open(Array(document.utf8))
    source.session.becomeCurrent(handle)
    try Scratch.write(text, to: document)
    source.session.saved(handle)
    source.session.setPlace(place, of: handle)
    let size = UInt64(text.utf8.count)
    try world.run("the record") {
      pair.desktop.record?.activities.contains { $0.document?.version.size == size } == true
    }
    try pair.desktop.carry(to: pair.laptop, documents: isDelivered ? ["plan.md"] : [])
    try world.run("the offer", state: { "\(target.session.offers)" }) {
      target.session.offers.contains {
        $0.version?.size == size && (!isDelivered || $0.status.arrival == .current)
      }
    }
    return handle
  }

  /// The target continues what is offered, until it has been asked for a document or was told of a failure.
  @discardableResult
  func accept() throws -> RequestID {
    let offer = try #require(target.session.offers.first)
    let request = try target.session.accept(offer.id)
    try world.run("the handover", state: { "\(target.events)" }) {
      !target.handovers.isEmpty || !target.failures.isEmpty
    }
    return request
  }

  /// The laptop's record goes back.
  func claim() throws {
    try world.run("the claim") { pair.laptop.record?.claims.isEmpty == false }
    try pair.laptop.carry(to: pair.desktop)
  }
}
