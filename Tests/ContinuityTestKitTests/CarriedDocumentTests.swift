// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import AgentEngine
@testable import ContinuityTestKit

/// Documents that go over the simulated network, with no engine: an agent has them from the other one, or not
/// at all.
@Suite struct CarriedDocumentTests {
  private let world: ScriptedWorld
  private let desktop: ScriptedDevice
  private let laptop: ScriptedDevice
  private let activity = ActivityID.random()

  init() throws {
    world = ScriptedWorld(devices: ["desktop", "laptop"], folderName: "Notes", hasNetwork: true)
    try #require(world.devices.count == 2)
    (desktop, laptop) = (world.devices[0], world.devices[1])
    for _ in 0..<3 { world.carryRecords() }
    for device in world.devices { device.replace("plan.md", with: Array("alpha".utf8)) }
    world.run(for: .seconds(3))
  }

  private func takeDocuments(_ documents: DocumentsOverLan) {
    laptop.device.agent?.perform(.setFolder("Notes", documents))
    world.run(for: .seconds(1))
  }

  private func text(_ path: String) -> String? {
    laptop.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func whereAPersonSaysSoAVersionIsLaidBeforeAnyEngineBringsIt() throws {
    let app = try world.app(on: desktop)
    desktop.save("alpha", as: activity, over: app)
    world.run(for: .seconds(3))
    takeDocuments(.always)
    desktop.save("alpha, and more", as: activity, over: app)
    world.run(for: .seconds(2))
    #expect(text("plan.md") == "alpha, and more" && laptop.offers?.first?.status.arrival == .current)
    #expect(laptop.device.disk.replaced == [world.digest(of: Array("alpha".utf8))])
    #expect(laptop.device.disk.readAhead == 1, "it was read when the new one began to come")
    #expect(world.violations == [])
  }

  /// Neither who meets whom, nor which version is the newer one, goes by the time of the day.
  @Test(arguments: [2, -2]) func clocksThatAreTwoDaysApartChangeNothing(days: Int64) throws {
    desktop.device.jump(by: days * 86_400_000)
    laptop.device.agent?.perform(.lan(.off))
    world.run(for: .seconds(2))
    #expect(laptop.device.agent?.core.links.states.contains { $0.state == .linked } == false)
    laptop.device.agent?.perform(.lan(.on(port: nil)))
    world.run(for: .seconds(60))
    takeDocuments(.always)
    let app = try world.app(on: desktop)
    for text in ["alpha", "alpha, and more", "alpha, and still more"] {
      desktop.save(text, as: activity, over: app)
      world.run(for: .seconds(3))
      #expect(self.text("plan.md") == text && laptop.offers?.first?.status.arrival == .current)
    }
    #expect(world.violations == [])
  }

  @Test func whatWasNeverSeenThereIsNotReplaced() throws {
    takeDocuments(.always)
    laptop.replace("plan.md", with: Array("my own".utf8))
    let app = try world.app(on: desktop)
    desktop.save("alpha, and more", as: activity, over: app)
    world.run(for: .seconds(10))
    #expect(text("plan.md") == "my own" && laptop.device.disk.replaced == [])
  }

  @Test func aDiskThatIsFullIsTriedAgainOnceThereIsRoom() throws {
    let app = try world.app(on: desktop)
    desktop.save("alpha", as: activity, over: app)
    world.run(for: .seconds(3))
    takeDocuments(.always)
    laptop.device.storeIsFull = true
    desktop.save("alpha, and more", as: activity, over: app)
    world.run(for: .seconds(20))
    #expect(text("plan.md") == "alpha")
    laptop.device.storeIsFull = false
    world.run(for: .seconds(61))
    #expect(text("plan.md") == "alpha, and more")
    #expect(world.violations == [])
  }

  @Test func unlessSaidOtherwiseItIsContinuedInAPrivateCopyAndWrittenBackWithTheEngine() throws {
    let app = try world.app(on: desktop)
    desktop.save("alpha", as: activity, over: app)
    world.run(for: .seconds(3))
    desktop.save("alpha, and more", as: activity, over: app)
    world.run(for: .seconds(2))
    var delivered: Delivery?
    var moved: [UInt8]?
    let reader = try world.app(on: laptop) { report in
      if case .deliver(_, let delivery) = report { delivered = delivery }
      if case .documentChanged(_, .moved(let to)) = report { moved = to }
    }
    let offer = try #require(laptop.offers?.first)
    #expect(offer.status.arrival == .behind)
    let request = RequestID.random()
    reader.send(.accept(offer.id, request))
    world.run(for: .seconds(2))
    let path = try #require(delivered?.path.flatMap(FilePlace.init(absolute:)))
    #expect(path.isCopy && delivered?.status.arrival == .current)
    reader.send(.opened(path: path.absolute, file: nil))
    reader.send(.outcome(request, .opened))
    world.run(for: .seconds(2))
    // The app saves, and then the engine brings what was opened.
    let file = try #require(path.inode(on: laptop.device))
    try laptop.device.copies.fill(file, with: world.content(Array("alpha, and mine".utf8)))
    world.run(for: .seconds(70))
    #expect(text("plan.md") == "alpha" && moved == nil)
    laptop.replace("plan.md", with: Array("alpha, and more".utf8))
    world.run(for: .seconds(10))
    #expect(text("plan.md") == "alpha, and mine")
    #expect(moved == laptop.folderPath + Array("/plan.md".utf8))
    #expect(path.inode(on: laptop.device) == nil)
    #expect(world.violations == [])
  }
}
