// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem

/// The list of offers each time it changes, also through a restart of the agent. One thread.
final class OfferWatch {
  private let session: AgentSession
  private var told: [Offer]?
  private var news: Result<[Offer], ContinuityError>?

  /// Begins to watch. The session answers no other command from now on.
  init(session: AgentSession) {
    self.session = session
    session.client.didAnswer = { [weak self] _, answer in self?.receive(answer) }
    ask()
  }

  /// Blocks until the list is told for the first time or has changed. Nil when `deadline` passes or `signals`
  /// come.
  func next(until deadline: Instant? = nil, or signals: SignalPipe? = nil) throws(ContinuityError) -> [Offer]?
  {
    while true {
      if let news {
        self.news = nil
        let offers = try news.get()
        guard offers != told else { continue }
        told = offers
        return offers
      }
      let left = deadline.map { max(.zero, $0 - Instant.now) }
      guard left != .zero else { return nil }
      let retry = session.client.isConnected ? nil : session.client.retryDelay
      let pause = [left, retry].compactMap { $0 }.min()
      if session.turn(waiting: pause, orReadable: signals?.descriptor) { return nil }
      reconnect()
    }
  }

  private func receive(_ answer: AgentAnswer) {
    switch answer {
    case .offers(let offers): news = .success(offers)
    case .failed(let error): news = .failure(error)
    default: break
    }
  }

  private func reconnect() {
    guard !session.client.isConnected else { return }
    session.client.retry()
    if session.client.isConnected { ask() }
  }

  private func ask() { session.client.send(.watchOffers, number: 1) }
}
