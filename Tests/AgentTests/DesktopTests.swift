// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// The agent and the real `continuo-desktop`.
@Suite(.waiting) struct DesktopTests {
  private func client(_ device: InProcessDevice, _ mimeTypes: [String]) throws -> TestClient {
    let client = try device.world.connect(to: device.core)
    var type = AppManifest.DocumentType(name: "Prose")
    type.mimeTypes = mimeTypes
    client.link.send(
      .hello(AppManifest(appID: "org.example.trails", name: "Trails", documentTypes: [type])),
      descriptor: nil)
    return client
  }

  private func desktop(of device: InProcessDevice) throws -> DesktopQuestions {
    try #require(device.core.ports.desktop as? LocalDesktop).questions
  }

  private func answers(_ client: TestClient) -> [(types: [String], failure: ContinuityError?)] {
    client.reports.compactMap {
      if case .contentType(_, let types, let failure) = $0 { (types, failure) } else { nil }
    }
  }

  private func ask(_ client: TestClient, _ name: String, _ beginning: [UInt8]) {
    client.link.send(
      .askContentType(.random(), name: Array(name.utf8), beginning: beginning), descriptor: nil)
  }

  @Test func anAppIsToldTheTypeOfAFile() throws {
    let device = try World().device("desktop")
    let client = try client(device, ["text/plain", "image/png"])
    ask(client, "prog.c", Array("int main;".utf8))
    try device.world.run("an answer") { answers(client).count == 1 }
    #expect(answers(client)[0].types == ["text/x-csrc", "text/plain"])
    ask(client, "notes", [UInt8](repeating: 97, count: AgentRequest.contentSampleLimit))
    try device.world.run("an answer") { answers(client).count == 2 }
    #expect(answers(client)[1].types == ["text/plain"] && answers(client)[1].failure == nil)
  }

  @Test func withoutTheProgramAnAppIsToldWhatToInstall() throws {
    let device = try World().device("desktop")
    try desktop(of: device).program = { nil }
    let client = try client(device, ["text/plain"])
    ask(client, "notes", [97])
    try device.world.run("an answer") { answers(client).count == 1 }
    #expect(answers(client)[0].types == [])
    #expect(answers(client)[0].failure?.description.contains("continuo-desktop") == true)
  }

  @Test func aProgramThatHangsOrFailsHoldsNobodyUp() throws {
    let device = try World().device("desktop")
    var program = device.world.scratch.path + "/hangs"
    try Scratch.write("#!/bin/sh\nexec sleep 60\n", to: program)
    chmod(program, 0o700)
    try desktop(of: device).program = { program }
    let client = try client(device, ["text/plain"])
    for _ in 0..<3 { ask(client, "notes", [97]) }
    try device.world.run("three answers", within: .seconds(8)) { answers(client).count == 3 }
    #expect(answers(client).allSatisfy { $0.types == [] && $0.failure != nil })
    program = "/bin/false"
    ask(client, "notes", [97])
    try device.world.run("an answer") { answers(client).count == 4 }
    #expect(answers(client)[3].failure != nil)
  }

  @Test func aHundredQuestionsAtOnceAreEachAnswered() throws {
    let device = try World().device("desktop")
    try desktop(of: device).program = { "/bin/false" }
    let client = try client(device, ["text/plain"])
    for _ in 0..<100 { ask(client, "notes", [97]) }
    try device.world.run("the answers") { answers(client).count == 100 }
  }

  @Test func aUsedFileStandsInTheDesktopsList() throws {
    let device = try World().device("desktop")
    let list = device.world.scratch.path + "/data/recently-used.xbel"
    try desktop(of: device).recentlyUsedList = Array(list.utf8)
    let client = try client(device, [])
    for path in ["relative", "/notes/plan.md"] {
      client.link.send(
        .usedRecently(path: Array(path.utf8), program: Array("/opt/trails".utf8)), descriptor: nil)
    }
    try device.world.run("the list") { Scratch.bytes(at: list) != nil }
    let text = String(decoding: Scratch.bytes(at: list) ?? [], as: UTF8.self)
    #expect(text.contains("file:///notes/plan.md") && text.contains("Trails") && !text.contains("relative"))
  }
}
