// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// Which documents are laid into their folders, and what may be replaced.
@Suite struct LayingMachineTests {
  private static let offer = OfferID(device: id(1), activity: id(2))
  private static let other = OfferID(device: id(1), activity: id(3))

  private static func id<Kind>(_ byte: UInt8) -> Identifier<Kind> {
    guard let id = Identifier<Kind>(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure() }
    return id
  }

  private static func digest(_ text: String) -> ContentDigest { ArrivalScript.digest(text) }

  private static func document(
    _ text: String, after former: [String] = [], kind: DocumentReference.Kind = .file
  ) throws -> DocumentReference {
    let path = try #require(RelativePath("plan.md"))
    let version = DocumentVersion(
      digest: digest(text), size: UInt64(text.utf8.count), lineage: former.map { digest($0).prefix })
    return DocumentReference(folder: id(9), path: path, version: version, kind: kind)
  }

  private func stands(
    _ text: String, _ arrival: Arrival = .behind, _ documents: DocumentsOverLan = .always,
    offer: OfferID = Self.offer
  ) throws -> LayingMachine.Event {
    .stands(offer, try Self.document(text), arrival, documents)
  }

  private func want(_ text: String, offer: OfferID = Self.offer) throws -> LayingMachine.Action {
    .want(offer, try Self.document(text).version)
  }

  @Test func onlyWhatIsBehindOrMissingAndMeantToBeIsWanted() throws {
    for arrival in Arrival.allCases {
      for documents in DocumentsOverLan.allCases {
        var machine = LayingMachine()
        let isWanted = documents == .always && (arrival == .behind || arrival == .missing)
        let actions = machine.handle(try stands("two", arrival, documents))
        #expect(actions == (isWanted ? [try want("two")] : []), "\(arrival) \(documents)")
      }
    }
    var machine = LayingMachine()
    let folder = try Self.document("two", kind: .package)
    #expect(machine.handle(.stands(Self.offer, folder, .behind, .always)).isEmpty)
  }

  @Test func theNewestVersionIsWantedAndWhatIsNotNeededIsForgotten() throws {
    var machine = LayingMachine()
    _ = machine.handle(try stands("two"))
    #expect(machine.handle(try stands("two")).isEmpty, "it is under way")
    #expect(machine.handle(try stands("three")) == [.forget(Self.offer), try want("three")])
    #expect(machine.handle(.came(Self.offer, Self.digest("two"))).isEmpty, "another version by now")
    #expect(machine.handle(try stands("three", .current)) == [.forget(Self.offer)])
    #expect(machine.handle(try stands("three")) == [try want("three")])
    #expect(machine.handle(.gone(Self.offer)) == [.forget(Self.offer)])
    #expect(machine.handle(.came(Self.offer, Self.digest("three"))).isEmpty)
    #expect(machine.handle(.ended(.laid)).isEmpty, "nothing was laid")
  }

  @Test func oneIsLaidAfterTheOtherAndToItsEnd() throws {
    var machine = LayingMachine()
    for offer in [Self.offer, Self.other] { _ = machine.handle(try stands("two", offer: offer)) }
    let lay = LayingMachine.Action.lay(Self.offer, try Self.document("two"))
    #expect(machine.handle(.came(Self.offer, Self.digest("two"))) == [lay])
    #expect(machine.handle(.came(Self.other, Self.digest("two"))).isEmpty)
    #expect(machine.handle(try stands("two", .current)).isEmpty, "it goes to its end")
    // Saved again there meanwhile: that is next.
    #expect(machine.handle(try stands("three")).isEmpty)
    let next = machine.handle(.ended(.laid))
    let layOther = LayingMachine.Action.lay(Self.other, try Self.document("two"))
    let wanted = try want("three")
    #expect(next == [.forget(Self.offer), wanted, layOther])
  }

  @Test func whatDoesNotWorkIsTriedThreeTimesAndWhatIsKeptOnce() throws {
    for (outcome, attempts) in [
      (LayingOutcome.otherBytes, 3), (.changed, 3), (.failed("why"), 3), (.kept, 1), (.laid, 1),
    ] {
      var machine = LayingMachine()
      var count = 0
      for _ in 0..<5 {
        guard try machine.handle(stands("two")).isEmpty == false else { continue }
        count += 1
        _ = machine.handle(.came(Self.offer, Self.digest("two")))
        _ = machine.handle(.ended(outcome))
      }
      #expect(count == attempts, "\(outcome)")
      #expect(machine.handle(try stands("three")) == [try want("three")], "another version is another matter")
    }
  }

  /// Another device's word alone replaces nobody's text.
  @Test func onlyAnAncestorThatThisDeviceHasSeenGivesWay() throws {
    var history = DocumentHistory()
    for text in ["one", "mine"] { history.record(Self.digest(text)) }
    let version = try Self.document("two", after: ["one", "never here"]).version
    let path = try #require(RelativePath("plan.md"))
    let document = LaidDocument(path: path, version: version, history: history)
    #expect(document.mayReplace(Self.digest("one")))
    #expect(!document.mayReplace(Self.digest("mine")), "the other device does not know it")
    #expect(!document.mayReplace(Self.digest("never here")), "this device has not seen it")
    #expect(!document.mayReplace(Self.digest("stranger")) && !document.mayBeNew)
    // Both had both: who went back last, only a person can tell.
    history.record(Self.digest("two"))
    history.record(Self.digest("one"))
    #expect(!LaidDocument(path: path, version: version, history: history).mayReplace(Self.digest("one")))
    #expect(LaidDocument(path: path, version: version, history: DocumentHistory()).mayBeNew)
  }
}
