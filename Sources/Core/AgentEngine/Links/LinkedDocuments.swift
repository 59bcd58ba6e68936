// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import LocalNetwork

/// Documents over links: sends what other devices ask of this one, and has sent what somebody here fetches.
/// Joins `ServeMachine` and `FetchMachine` with files and links. Loop thread only.
final class LinkedDocuments {
  /// Larger documents come with the folder alone.
  static let sizeLimit: UInt64 = 1 << 30

  /// A document that has come, and when it was last written where it comes from, in nanoseconds since 1970;
  /// nil where that was not said.
  typealias Came = (file: any OpenFile, modified: Int64?)

  /// A client that waits for a document.
  private struct Request {
    let client: UInt64
    let digest: ContentDigest
    let size: UInt64
    let answer: (Result<any OpenFile, ContinuityError>) -> Void
  }

  /// What a document is had sent for that nobody waits for by name.
  enum Purpose: Hashable, CaseIterable {
    /// It is to lie in its folder.
    case laying
    /// It is to be opened in a private copy.
    case copying
  }

  private struct Wish: Hashable {
    let offer: OfferID
    let purpose: Purpose
  }

  /// A document that is had sent: it waits for a link, and for whatever a setback takes.
  private struct Wanted {
    let version: DocumentVersion
    /// Told when its bytes begin to come, and when they come no more.
    let comes: (Bool) -> Void
    let answer: (Came) -> Void
  }

  /// A document that comes.
  private struct Coming {
    let offer: OfferID
    let digest: ContentDigest
    let link: LinkNumber
    let file: any OpenFile
    var modified: Int64?
    /// Whether its device said that it sends it.
    var hasBegun = false
  }

  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let exchange: ExchangeDriver
  private let circle: DeviceCircle
  /// The document in that version, where it is open here before its folder has it.
  private let copy: (DocumentReference) -> OpenedDocument?
  private var serving = ServeMachine()
  private var fetching = FetchMachine(sizeLimit: LinkedDocuments.sizeLimit)
  private let fetchEvents = EventLine<FetchMachine.Event>()
  /// The links over which devices have asked, and are asked.
  private var askers: [DeviceID: LinkNumber] = [:]
  private var asked: [DeviceID: LinkNumber] = [:]
  private(set) var present: [LinkNumber: DeviceID] = [:]
  /// The documents that the own record names.
  private(set) var offered: [ActivityID: DocumentReference] = [:]
  /// The drafts that the own record names, and the activities of which no file has the text.
  private var drafts: [ActivityID: Draft] = [:]
  private var inNoFile: Set<ActivityID> = []
  private var coming: [DocumentTransfer: Coming] = [:]
  private var requests: [OfferID: [Request]] = [:]
  private var wishes: [Wish: Wanted] = [:]
  private var timer: TimerNumber?

  init(
    ports: AgentPorts, folders: FolderRegistry, exchange: ExchangeDriver, circle: DeviceCircle,
    copy: @escaping (DocumentReference) -> OpenedDocument?
  ) {
    self.copy = copy
    (self.ports, self.folders, self.exchange, self.circle) = (ports, folders, exchange, circle)
  }

  /// Takes `fileSent` or `fileReceived`.
  func take(_ report: LinkReport) {
    switch report {
    case .fileSent(let number, let transfer, _):
      guard let device = present[number] else { return }
      serve(.ended(DocumentTransfer(with: device, as: transfer)))
    case .fileReceived(let number, let transfer, let end):
      guard let device = present[number], asked[device] == number else { return }
      feed(.received(device, transfer, end))
    default: break
    }
  }

  /// These links there are now. Of several to a device the oldest one is used, as long as it is there.
  func use(_ now: [LinkNumber: DeviceID]) {
    present = now
    for (device, number) in askers where now[number] == nil {
      askers[device] = nil
      serve(.unlinked(device))
    }
    for (device, number) in asked.sorted(by: { $0.key < $1.key }) where now[number] == nil {
      asked[device] = nil
      feed(.unlinked(device))
    }
    for (number, device) in now.sorted(by: { $0.key < $1.key }) where asked[device] == nil {
      asked[device] = number
      feed(.linked(device))
    }
    // What was not asked for yet is not waited for without a link.
    for offer in requests.keys.sorted() where asked[offer.device] == nil { giveUp(offer, offer.device) }
  }

  /// Takes a word that a device said over its link. Throws `invalidBytes` for what no device says.
  func hear(_ bytes: [UInt8], from device: DeviceID, over number: LinkNumber) throws(ContinuityError) {
    guard let word = try DocumentWord.decoded(bytes) else { return }
    switch word {
    case .refuse(let transfer, let refusal):
      if asked[device] == number { feed(.refused(device, transfer, refusal)) }
      return
    case .send(let transfer, let modified):
      if asked[device] == number {
        let transfer = DocumentTransfer(with: device, as: transfer)
        coming[transfer]?.modified = modified
        begin(transfer)
      }
      return
    case .ask, .cancel: break
    }
    // Whoever asks over another link has lost the former one.
    if let former = askers.updateValue(number, forKey: device), former != number {
      serve(.unlinked(device))
    }
    serve(.said(device, word))
  }

  // MARK: Sending

  /// The own record offers these activities, and no others.
  func offer(_ activities: [ActivitySnapshot]) {
    let documents = activities.compactMap { activity in activity.document.map { (activity.id, $0) } }
    offered = Dictionary(documents) { first, _ in first }
    inNoFile = Set(activities.lazy.filter(\.needsDraft).map(\.id))
    drafts = Dictionary(activities.compactMap { each in each.draft.map { (each.id, $0) } }) { first, _ in
      first
    }
    var versions = offered.mapValues { Set([ServeMachine.Offered($0.version)]) }
    for (activity, draft) in drafts { versions[activity, default: []].insert(ServeMachine.Offered(draft)) }
    serve(.offered(versions))
  }

  /// Whether this device offers a document or a draft under the activity, to a device that may have it: one
  /// that has the document's folder, where it lies in one.
  func offers(_ activity: ActivityID, to device: DeviceID) -> Bool {
    offered[activity] == nil ? inNoFile.contains(activity) : offered(activity, to: device) != nil
  }

  /// The document that this device offers under the activity, to a device that has its folder as well.
  func offered(_ activity: ActivityID, to device: DeviceID) -> DocumentReference? {
    offered[activity].flatMap { folders.isShared($0.folder, with: device) ? $0 : nil }
  }

  private func serve(_ event: ServeMachine.Event) {
    for action in serving.handle(event, at: ports.now) {
      switch action {
      case .open(let sending, let activity, let version):
        let refusal = open(activity, version, for: sending)
        serve(.opened(sending, refusal))
      case .refuse(let sending, let refusal):
        say(.refuse(sending.number, refusal), to: askers[sending.device])
      case .stop(let sending):
        if let number = askers[sending.device] { ports.network.send(.stopSending(number, sending.number)) }
      }
    }
  }

  /// Has the document sent as it lies here, to a device that has the folder as well; what keeps it from that.
  private func open(
    _ activity: ActivityID, _ version: ServeMachine.Offered, for sending: DocumentTransfer
  ) -> DocumentRefusal? {
    guard let number = askers[sending.device], offers(activity, to: sending.device) else {
      return .notOffered
    }
    if let draft = drafts[activity], ServeMachine.Offered(draft) == version {
      guard let file = ports.drafts.open(draft.digest), file.size == draft.size else { return .unreadable }
      say(
        .send(sending.number, modified: Int64(clamping: Int128(draft.changedAt.milliseconds) * 1_000_000)),
        to: number)
      ports.network.send(.sendFile(number, sending.number, size: version.size), with: file)
      return nil
    }
    guard let reference = offered[activity] else { return .notOffered }
    guard let folder = folders.directory(of: reference.folder),
      let document = copy(reference) ?? (try? folder.open(document: reference.path))
    else { return .unreadable }
    guard document.stamp.size == version.size else { return .changed }
    say(.send(sending.number, modified: document.stamp.modified), to: number)
    ports.network.send(.sendFile(number, sending.number, size: version.size), with: document.file)
    return nil
  }

  private func say(_ word: DocumentWord, to number: LinkNumber?) {
    if let number { ports.network.send(.send(number, .request, word.encoded)) }
  }

  // MARK: Fetching

  /// Has the document of an offer sent from its device; answers once, in this turn or a later one, with a
  /// file that holds as many bytes as the version. Whether they are the right ones is for the caller to see.
  func fetch(
    _ offer: OfferID, for client: UInt64, answer: @escaping (Result<any OpenFile, ContinuityError>) -> Void
  ) {
    let device = circle.name(of: offer.device)
    guard let version = exchange.snapshot(of: offer)?.document?.version else {
      return answer(.failure(.notFetched("Nothing with a document is offered under that ID.")))
    }
    guard (1...Self.sizeLimit).contains(version.size) else {
      return answer(.failure(.notFetched("A document of \(version.size) bytes comes with its folder alone.")))
    }
    guard asked[offer.device] != nil else {
      return answer(.failure(.notFetched("There is no link to \(device): `continuo lan status` says why.")))
    }
    request(offer, version.digest, size: version.size, for: client, answer: answer)
  }

  /// Has a draft of an offer sent from its device; answers as `fetch` does.
  func fetch(
    _ draft: Draft, of offer: OfferID, for client: UInt64,
    answer: @escaping (Result<any OpenFile, ContinuityError>) -> Void
  ) {
    guard asked[offer.device] != nil else { return answer(.failure(.notFetched("There is no link."))) }
    request(offer, draft.digest, size: draft.size, for: client, answer: answer)
  }

  private func request(
    _ offer: OfferID, _ digest: ContentDigest, size: UInt64, for client: UInt64,
    answer: @escaping (Result<any OpenFile, ContinuityError>) -> Void
  ) {
    // What is asked for already, and is another one by now, comes to nothing.
    if let first = requests[offer]?.first, first.digest != digest {
      end(offer, .failure(.notFetched("The other device offers another version by now.")))
    }
    requests[offer, default: []].append(
      Request(client: client, digest: digest, size: size, answer: answer))
    want()
  }

  /// Has the document of an offer sent as soon as its device can, in this version; calls `comes` with true
  /// when the bytes begin to come and with false when that ends in vain, and `done` once, unless `forget` or
  /// another `want` came first. Whether the bytes are the right ones is for the caller to see.
  func want(
    _ offer: OfferID, _ version: DocumentVersion, for purpose: Purpose,
    comes: @escaping (Bool) -> Void = { _ in }, done: @escaping (Came) -> Void
  ) {
    wishes[Wish(offer: offer, purpose: purpose)] = Wanted(version: version, comes: comes, answer: done)
    want()
  }

  /// It is not needed any more.
  func forget(_ offer: OfferID, for purpose: Purpose) {
    if wishes.removeValue(forKey: Wish(offer: offer, purpose: purpose)) != nil { want() }
  }

  /// Other states may be offered by now: who waits for one that is not is told.
  func offersChanged() {
    guard !requests.isEmpty else { return }
    for (offer, waiting) in requests.sorted(by: { $0.key < $1.key }) {
      let snapshot = exchange.snapshot(of: offer)
      let offered = [snapshot?.document?.version.digest, snapshot?.draft?.digest]
      if waiting.contains(where: { !offered.contains($0.digest) }) {
        end(offer, .failure(.notFetched("The other device offers another version by now.")))
      }
    }
    want()
  }

  /// Nobody waits there any more.
  func clientEnded(_ client: UInt64) {
    guard requests.contains(where: { $0.value.contains { $0.client == client } }) else { return }
    requests = requests.mapValues { $0.filter { $0.client != client } }.filter { !$0.value.isEmpty }
    want()
  }

  private func want() {
    var wanted: [OfferID: FetchMachine.Wanted] = [:]
    for purpose in Purpose.allCases {
      for (wish, document) in wishes where wish.purpose == purpose {
        wanted[wish.offer] = FetchMachine.Wanted(
          digest: document.version.digest, size: document.version.size)
      }
    }
    for (offer, waiting) in requests {
      guard let first = waiting.first else { continue }
      wanted[offer] = FetchMachine.Wanted(digest: first.digest, size: first.size, isAwaited: true)
    }
    feed(.wants(wanted))
  }

  private func end(_ offer: OfferID, _ result: Result<any OpenFile, ContinuityError>) {
    let waiting = requests.removeValue(forKey: offer) ?? []
    for request in waiting { request.answer(result) }
  }

  private func feed(_ event: FetchMachine.Event) {
    fetchEvents.feed(event) { event in
      for action in fetching.handle(event, at: ports.now) { perform(action) }
    }
    ports.scheduler.cancel(timer)
    timer = fetching.nextMoment(after: ports.now).map { moment in
      ports.scheduler.schedule(at: moment) { [weak self] in self?.feed(.time) }
    }
  }

  private func perform(_ action: FetchMachine.Action) {
    switch action {
    case .ask(let device, let transfer, let offer, let wanted): ask(device, transfer, offer, wanted)
    case .cancel(let device, let transfer):
      let former = coming.removeValue(forKey: DocumentTransfer(with: device, as: transfer))
      if let former {
        ports.network.send(.stopReceiving(former.link, transfer))
        say(.cancel(transfer), to: former.link)
      }
      if let former { giveUp(former, device) }
    case .drop(let device, let transfer):
      let former = coming.removeValue(forKey: DocumentTransfer(with: device, as: transfer))
      if let former { giveUp(former, device) }
    case .judge(let device, let transfer, let offer, let digest):
      if let whole = coming.removeValue(forKey: DocumentTransfer(with: device, as: transfer)) {
        if requests[offer]?.first?.digest == digest { end(offer, .success(whole.file)) }
        for purpose in Purpose.allCases {
          let wish = Wish(offer: offer, purpose: purpose)
          guard wishes[wish]?.version.digest == digest else { continue }
          wishes.removeValue(forKey: wish)?.answer((whole.file, whole.modified))
        }
      }
      // Whoever fetched it judges it, and comes again.
      feed(.judged(offer, digest, isRight: true))
      want()
    case .measure(let device, let transfer):
      guard let file = coming[DocumentTransfer(with: device, as: transfer)]?.file else { return }
      feed(.measured(device, transfer, file.size))
    }
  }

  private func ask(
    _ device: DeviceID, _ transfer: TransferNumber, _ offer: OfferID, _ wanted: FetchMachine.Wanted
  ) {
    guard let number = asked[device] else { return }
    do throws(ContinuityError) {
      let file = try ports.state.receive(wanted.size)
      coming[DocumentTransfer(with: device, as: transfer)] = Coming(
        offer: offer, digest: wanted.digest, link: number, file: file)
      // Before anything can come.
      ports.network.send(.receiveFile(number, transfer, size: wanted.size), with: file)
      say(.ask(transfer, offer.activity, wanted.digest, size: wanted.size), to: number)
    } catch {
      ports.log("a document is not received: code \(error.code)")
      end(offer, .failure(error))
      want()
      // It is tried again after a while.
      feed(.received(device, transfer, .unwritable))
    }
  }

  private func begin(_ transfer: DocumentTransfer) {
    guard let document = coming[transfer], !document.hasBegun else { return }
    coming[transfer]?.hasBegun = true
    tell(document, comes: true)
  }

  private func tell(_ document: Coming, comes: Bool) {
    for purpose in Purpose.allCases {
      let wish = wishes[Wish(offer: document.offer, purpose: purpose)]
      if wish?.version.digest == document.digest { wish?.comes(comes) }
    }
  }

  /// Who waits is told at the first setback: the folder brings it all the same.
  private func giveUp(_ document: Coming, _ device: DeviceID) {
    tell(document, comes: false)
    if requests[document.offer]?.first?.digest == document.digest { giveUp(document.offer, device) }
  }

  private func giveUp(_ offer: OfferID, _ device: DeviceID) {
    guard requests[offer] != nil else { return }
    let name = circle.name(of: device)
    end(offer, .failure(.notFetched("\(name) did not send the document: it comes with its folder.")))
    want()
  }
}

extension ServeMachine.Offered {
  fileprivate init(_ version: DocumentVersion) { self.init(digest: version.digest, size: version.size) }
  fileprivate init(_ draft: Draft) { self.init(digest: draft.digest, size: draft.size) }
}

extension ContinuityError {
  fileprivate static func notFetched(_ sentence: String) -> ContinuityError {
    ContinuityError(.documentMissing, subject: "link", description: sentence)
  }
}
