// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Offers that no app here takes: the desktop's default app gets the document, the browser the page. What
/// the desktop is asked stands in a file, and is answered by a program that the test writes.
@Suite(.waiting) struct OpenWithTests {
  private let pair: Pair
  private var laptop: InProcessDevice { pair.laptop }
  private var orders: String { pair.world.scratch.path + "/orders" }

  init() throws {
    pair = try Pair()
    // What is left on the laptop takes no text.
    pair.viewer.link.disconnect()
    pair.world.settle()
  }

  /// The desktop answers each word with these fields; `done` without any to one that has none.
  private func answer(_ answers: [String: [String]]) throws {
    let cases = answers.map { word, fields in "\"\(word)\": \(fields)" }.joined(separator: ", ")
    let program = pair.world.scratch.path + "/desktop"
    try Scratch.write(
      """
      #!/usr/bin/python3
      import sys
      answers = {\(cases)}
      while line := sys.stdin.buffer.readline():
          fields = sys.stdin.buffer.read(int(line)).split(b"\\0")[:-1]
          word, number = fields[0].decode(), fields[1]
          with open("\(orders)", "ab") as orders:
              orders.write(b" ".join([fields[0]] + fields[2:4]) + b"\\n")
          answer = answers.get(word, ["done"])
          told = [answer[0].encode(), number] + [a.encode() for a in answer[1:]]
          content = b"".join(field + b"\\0" for field in told)
          sys.stdout.buffer.write(b"%d\\n%s" % (len(content), content))
          sys.stdout.buffer.flush()
      """, to: program)
    try FilePath(program).setPermissions(0o700)
    try #require(laptop.core.ports.desktop as? LocalDesktop).program = { program }
  }

  private var ordered: [String] {
    String(decoding: Scratch.bytes(at: orders) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func open(agreed: Bool = false) throws -> AgentAnswer {
    try laptop.ask(.openOffer(pair.offerID, agreed: agreed))
  }

  private func offers() throws -> [Offer] {
    guard case .offers(let offers) = try laptop.ask(.offers) else { return [] }
    return offers
  }

  /// The desktop offers an activity with that page and no document.
  private func offerPage(_ address: String) throws {
    var snapshot = ActivitySnapshot(
      id: pair.activity, type: "org.example.reading", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 1000))
    snapshot.title = "A page"
    snapshot.webpageURL = address
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    pair.editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    try pair.world.run("the record") { pair.desktop.record?.activities.isEmpty == false }
    try pair.desktop.carry(to: laptop)
  }

  private var claims: [ContinuationOutcome] { laptop.record?.claims.map(\.outcome) ?? [] }

  @Test func theDefaultAppGetsTheDocumentWhenItsVersionIsHere() throws {
    try answer(["default": ["done", "Viewer & Co"]])
    try pair.offer("two")
    guard case .noApp(_, let path) = try laptop.ask(.resume(nil)) else {
      Issue.record("an app took it")
      return
    }
    #expect(path == Array((laptop.folder + "/plan.md").utf8))
    #expect(try open() == .handedOver(appName: "Viewer & Co"))
    // A second wish while the first one waits.
    #expect(try open() == .handedOver(appName: "Viewer & Co"))
    pair.world.settle()
    #expect(ordered.allSatisfy { $0.hasPrefix("default") })
    try pair.write("two")
    try pair.world.run("the claim") { claims == [.opened] }
    #expect(ordered.filter { $0.hasPrefix("open") } == ["open  \(laptop.folder)/plan.md"])
    #expect(try offers().isEmpty)
    #expect(try laptop.status().apps == [])
  }

  @Test func anAppThatCannotBeStartedLeavesTheOfferWithTheReason() throws {
    try answer(["default": ["done", "Viewer"], "open": ["failed", "Viewer is broken; install it again."]])
    try pair.offer("one")
    _ = try open()
    try pair.world.run("the claim") { claims == [.failed] }
    #expect(try offers().map(\.remark).first?.contains("Viewer is broken; install it again.") == true)
    // It may be tried again.
    _ = try open()
    try pair.world.run("another claim") { claims == [.failed, .failed] }
  }

  @Test func withoutADefaultAppTheCommandLineIsToldWhereTheDocumentIs() throws {
    try answer(["default": ["failed", "No app opens files of the type text/markdown."]])
    try pair.offer("one")
    guard case .noApp(_, let path) = try open() else {
      Issue.record("something took it")
      return
    }
    #expect(path == Array((laptop.folder + "/plan.md").utf8))
    #expect(claims == [])
  }

  @Test func aPageIsOpenedByTheBrowserAndItsOfferIsContinued() throws {
    try answer([:])
    try offerPage("https://example.org/a?b=c")
    #expect(try offers().map(\.webpageURL) == ["https://example.org/a?b=c"])
    #expect(try open() == .done("The browser opens https://example.org/a?b=c."))
    #expect(ordered == ["browse  https://example.org/a?b=c"])
    try pair.world.run("the claim") { claims == [.handled] }
    #expect(try offers().isEmpty)
  }

  @Test func aPageWithoutEncryptionIsAskedAboutFirst() throws {
    try answer([:])
    try offerPage("http://example.org/")
    #expect(try open() == .asksFirst(address: "http://example.org/"))
    #expect(ordered == [])
    #expect(try open(agreed: true) == .done("The browser opens http://example.org/."))
    #expect(ordered == ["browse  http://example.org/"])
  }

  @Test func aPageThatNobodyOpensLeavesTheOfferWithTheReason() throws {
    try answer(["browse": ["failed", "There is no browser; install one."]])
    try offerPage("https://example.org/")
    guard case .failed(let error) = try open() else {
      Issue.record("something opened it")
      return
    }
    #expect(error.description == "There is no browser; install one.")
    #expect(try offers().map(\.remark) == ["There is no browser; install one."])
    #expect(claims == [])
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/"])
  func whatIsNoPageOfTheWebIsNotOpened(_ address: String) throws {
    try answer([:])
    try offerPage(address)
    guard case .noApp = try open(agreed: true) else {
      Issue.record("something opened it")
      return
    }
    #expect(ordered == [])
  }
}
