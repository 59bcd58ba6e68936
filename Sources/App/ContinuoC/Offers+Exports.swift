// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding

/// Takes the list of offers.
@c(continuo_offer_count)
public func continuoOfferCount(
  _ session: continuo_session, _ count: UnsafeMutablePointer<Int>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let count else { throw .null("count") }
    host.takenOffers = embedded.offers.sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }
    let listed = Set(host.takenOffers.map(\.id))
    for offer in host.offers.all where !listed.contains(offer) { host.offers.drop(offer) }
    count.pointee = host.takenOffers.count
  }
}

/// One of the offers that were taken.
@c(continuo_offer_at)
public func continuoOfferAt(
  _ session: continuo_session, _ index: Int, _ info: UnsafeMutablePointer<continuo_offer_info>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    _ = try host.connected()
    guard host.takenOffers.indices.contains(index) else {
      throw .absent("There is no offer at that index; ask continuo_offer_count() how many there are.")
    }
    _ = try Arguments.checkedSize(info.map { UnsafePointer($0) }, "info")
    try Arguments.store(host.info(of: host.takenOffers[index]), to: info, "info")
  }
}

/// Begins to continue an offer here.
@c(continuo_offer_accept)
public func continuoOfferAccept(
  _ session: continuo_session, _ offer: continuo_offer,
  _ continuation: UnsafeMutablePointer<continuo_continuation>?
) -> continuo_status {
  accept(offer, of: session, continuation) { (embedded, offer) throws(ContinuityError) in
    try embedded.accept(offer)
  }
}

/// Begins to continue an offer here, and all that is open beside it.
@c(continuo_offer_accept_all)
public func continuoOfferAcceptAll(
  _ session: continuo_session, _ offer: continuo_offer,
  _ continuation: UnsafeMutablePointer<continuo_continuation>?
) -> continuo_status {
  accept(offer, of: session, continuation) { (embedded, offer) throws(ContinuityError) in
    try embedded.acceptAll(offer).last
  }
}

private func accept(
  _ offer: continuo_offer, of session: continuo_session,
  _ continuation: UnsafeMutablePointer<continuo_continuation>?,
  by accepting: (EmbeddedSession, OfferID) throws(ContinuityError) -> RequestID?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let offer = host.offers[offer] else {
      throw .handle("\(offer) names no offer of the list that was taken last; take it again.")
    }
    do throws(ContinuityError) {
      guard let request = try accepting(embedded, offer) else { return }
      continuation?.pointee = host.continuations.handle(of: request)
    } catch {
      throw Refusal(error, otherwise: CONTINUO_ERROR_ABSENT)
    }
  }
}

/// Ends a continuation that waits.
@c(continuo_cancel)
public func continuoCancel(
  _ session: continuo_session, _ continuation: continuo_continuation
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.connected().cancel(try host.continuation(continuation))
  }
}

/// Waits longer.
@c(continuo_extend)
public func continuoExtend(
  _ session: continuo_session, _ continuation: continuo_continuation, _ seconds: UInt32
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let request = try host.continuation(continuation)
    guard (1...86_400).contains(seconds) else { throw .argument("seconds may be 1 to 86,400.") }
    embedded.extend(request, seconds: UInt64(seconds))
  }
}

/// What the person decided.
@c(continuo_choose)
public func continuoChoose(
  _ session: continuo_session, _ continuation: continuo_continuation, _ choice: continuo_choice
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let request = try host.continuation(continuation)
    embedded.choose(try Arguments.choice(choice), for: request)
  }
}

/// The answer to a delivery, after its callback.
@c(continuo_answer_delivery)
public func continuoAnswerDelivery(
  _ session: continuo_session, _ continuation: continuo_continuation, _ answer: continuo_answer
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    _ = try host.connected()
    guard Int(answer) == CONTINUO_DONE || Int(answer) == CONTINUO_DECLINED else {
      throw .argument("answer is \(answer); use CONTINUO_DONE or CONTINUO_DECLINED.")
    }
    let request = try host.delivery(continuation)
    host.finish(request, isDone: Int(answer) == CONTINUO_DONE)
  }
}
