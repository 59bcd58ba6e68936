// SPDX-License-Identifier: MIT

import Testing

@testable import fixtures

/// What the model of `fixtures crashpoints` says a crash may leave, from a few calls.
@Suite struct CrashModelTests {
  private let root: FileCall.Number = 1

  private func at(_ name: String, in folder: FileCall.Number = 1) -> FileCall.Place {
    FileCall.Place(folder: folder, name: name)
  }

  private func create(_ number: FileCall.Number, _ name: String) -> FileCall {
    .create(number, at: at(name), mode: 0o600)
  }

  private func write(_ number: FileCall.Number, _ text: String, offset: Int = 0) -> FileCall {
    .write(number, offset: offset, DiskBytes(Array(text.utf8)))
  }

  /// The states as `name=text` in order of names; zeros show as `0`.
  private func states(
    _ calls: [FileCall], depth: CrashModel.Depth = .usual, after call: Int? = nil
  ) throws -> Set<String> {
    var found: Set<String> = []
    try CrashModel.states(of: [.root(root)] + calls, depth: depth) { state in
      guard call == nil || state.call == call else { return }
      found.insert(shown(state.tree))
    }
    return found
  }

  private func shown(_ tree: DiskTree) -> String {
    tree.items.sorted { $0.key < $1.key }.map { name, item in
      let text = (item.bytes?.array ?? []).map { $0 == 0 ? UInt8(ascii: "0") : $0 }
      return name + (item.bytes == nil ? "/" : "=" + String(decoding: text, as: UTF8.self))
    }.joined(separator: " ")
  }

  /// A file that was there before, settled.
  private var old: [FileCall] {
    [create(2, "a"), write(2, "old"), .mark("settled"), .mark("begin new")]
  }

  @Test func whatIsNotSynchronizedMayBeLostAndTorn() throws {
    let found = try states([create(2, "a"), write(2, "new!")])
    #expect(found == ["", "a=", "a=new!", "a=ne", "a=00w!", "a=0000"])
  }

  @Test func synchronizingAFileKeepsItsBytesAndNotItsName() throws {
    let found = try states([create(2, "a"), write(2, "new!"), .synchronize(2), .mark("done new")], after: 5)
    #expect(found == ["", "a=new!"])
  }

  @Test func synchronizingAFolderKeepsItsNamesAndNotTheirBytes() throws {
    let found = try states([create(2, "a"), write(2, "new!"), .synchronize(1), .mark("done new")], after: 5)
    #expect(found == ["a=", "a=new!", "a=ne", "a=00w!", "a=0000"])
  }

  @Test func aSafeReplacementLeavesTheOldOrTheNew() throws {
    let calls =
      old + [
        create(3, "b~"), write(3, "new!"), .synchronize(3), .rename(at("b~"), to: at("a"), .replacing),
        .synchronize(1), .mark("done new"),
      ]
    for state in try states(calls) {
      #expect(state.hasPrefix("a=old") || state.hasPrefix("a=new!"), "\(state)")
    }
    #expect(try states(calls, after: calls.count + 1) == ["a=new!"])
  }

  @Test func aReplacementThatDoesNotSynchronizeTheFileMayLeaveItEmpty() throws {
    let found = try states(
      old + [create(3, "b~"), write(3, "new!"), .rename(at("b~"), to: at("a"), .replacing), .synchronize(1)])
    #expect(found.isSuperset(of: ["a=", "a=ne", "a=0000"]))
  }

  @Test func aReplacementThatDoesNotSynchronizeTheFolderMayBeUndone() throws {
    let calls =
      old + [
        create(3, "b~"), write(3, "new!"), .synchronize(3), .rename(at("b~"), to: at("a"), .replacing),
        .mark("done new"),
      ]
    #expect(try states(calls, after: calls.count + 1).contains("a=old"))
  }

  @Test func anExchangeLeavesBothOrIsTornAndNeverLosesTheName() throws {
    let found = try states(
      [create(2, "a"), write(2, "old"), create(3, "b"), write(3, "new"), .mark("settled")]
        + [.rename(at("b"), to: at("a"), .exchanging), .unlink(at("b"))])
    #expect(found == ["a=old b=new", "a=new b=old", "a=new b=new", "a=old b=old", "a=old", "a=new"])
  }

  @Test func laterChangesMayBeKeptWithoutEarlierOnes() throws {
    let found = try states(old + [write(2, "NEW"), write(2, "er", offset: 3)])
    #expect(found.contains("a=older") && found.contains("a=NEW") && found.contains("a=NEWer"))
  }

  @Test func aFileThatIsWrittenOverHasOldAndNewBytesSideBySide() throws {
    let found = try states(old + [write(2, "new!"), .truncate(2, size: 2)])
    #expect(found.contains("a=ned") && found.contains("a=ol") && found.contains("a=ne"))
  }

  @Test func anInodeThatIsUsedAgainIsAnotherFile() throws {
    let found = try states([
      create(2, "a"), write(2, "old"), .synchronize(2), .synchronize(1), .unlink(at("a")), create(2, "b"),
      .synchronize(1),
    ])
    #expect(found.contains("b=") && !found.contains("b=old"))
  }

  @Test func manyPendingChangesAreTakenSinglyAndInOrder() throws {
    let calls = (2..<14).map { create($0, "\($0)") }
    let found = try states(calls, after: calls.count + 1)
    let names = (2..<14).map { "\($0)=" }
    #expect(found.contains(names.sorted().joined(separator: " ")) && found.contains("13="))
    #expect(found.contains(names.dropLast().sorted().joined(separator: " ")) == false, "told a call before")
    #expect(found.contains((names.dropLast(2) + [names[11]]).sorted().joined(separator: " ")))
    let all = try states(calls, depth: .full, after: calls.count + 1)
    #expect(all.isSuperset(of: found) && all.count > found.count)
  }

  @Test func aPromiseHoldsWhatWasSaidLastAndWhatWasBegunSince() throws {
    var promise = Promise()
    #expect(promise.durable == nil && promise.values == [""])
    for mark in ["begin 1", "done 1", "begin 2", "used 7", "used 5", "settled"] { promise.receive(mark) }
    #expect(promise.durable == "1" && promise.values == ["1", "2"] && promise.used == 7)
    #expect(throws: Failure.self) { try promise.check("3", of: "it") }
    #expect(throws: Failure.self) { try promise.check(nil, of: "it") }
    try promise.check("2", of: "it")
  }

  @Test func callsOfAFileThatNobodyMadeAreRefused() throws {
    #expect(throws: Failure.self) { try states([write(9, "x")]) }
    #expect(throws: Failure.self) { try states([.rename(at("x"), to: at("y"), .replacing)]) }
    #expect(throws: Failure.self) { try CallNotes(decoding: [1, 2, 3]) }
  }
}
