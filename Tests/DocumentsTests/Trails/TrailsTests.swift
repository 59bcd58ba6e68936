// SPDX-License-Identifier: MIT

import ActivityModel
import AppKitNames
import Foundation
import Testing

extension OneApplicationAtATime {
  /// What the guides promise to an app that is written as they say.
  @MainActor
  @Suite("An app written against AppKit's names")
  struct TrailsTests {
    private let device: TrailsDevice
    private var delegate: TrailsDelegate { device.delegate }
    private let map = MapController.activityType

    init() throws { device = try TrailsDevice() }

    // MARK: Creating and updating

    @Test func anActivityIsOfferedOnceAResponderInUseOwnsIt() {
      delegate.showMap(latitude: 46.5, longitude: 8.1)
      device.pass()
      #expect(device.agent.offered(map) == nil)
      device.focus(delegate.layers)
      device.pass()
      #expect(delegate.map.userActivity?.isCurrent == true)
      #expect(device.agent.offered(map)?.title == "Map")
    }

    @Test func allThatShareItAndTheDelegateFillIt() {
      delegate.showMap(latitude: 46.5, longitude: 8.1)
      device.focus(delegate.layers)
      delegate.layers.layers = ["paths", "huts"]
      device.pass()
      let info = device.agent.offered(map)?.userInfo
      #expect(info?[.text("latitude")] == .double(46.5))
      #expect(info?[.text("layers")] == .set([.text("paths"), .text("huts")]))
      #expect(info?[.text("season")] == .text("winter"))
      #expect(delegate.map.userActivity?.needsSave == false)
    }

    @Test func whatNobodyPutsInAgainIsGoneInTheNextRound() {
      delegate.showMap(latitude: 46.5, longitude: 8.1)
      device.focus(delegate.layers)
      delegate.map.userActivity?.addUserInfoEntries(from: ["stray": 1])
      device.pass()
      #expect(device.agent.offered(map)?.userInfo[.text("stray")] == nil)
      #expect(device.agent.offered(map)?.userInfo.count == 5)
    }

    @Test func theLastOwnerThatLetsGoEndsIt() {
      delegate.showMap(latitude: 46.5, longitude: 8.1)
      device.focus(delegate.layers)
      device.pass()
      let activity = delegate.map.userActivity
      delegate.map.userActivity = nil
      #expect(activity?.isValid == true)
      delegate.layers.userActivity = nil
      #expect(activity?.isValid == false)
      device.pass()
      #expect(device.agent.offered(map) == nil)
    }

    @Test func aDelegateFillsAnActivityOfItsOwnAndHearsOfItsContinuation() {
      let search = TrailSearch()
      search.words = "ridge"
      device.pass()
      #expect(device.agent.offered(TrailSearch.activityType) == nil && search.saves == 0)
      search.begin()
      search.words = "ridge walk"
      search.words = "ridge walks"
      device.pass()
      let offered = device.agent.offered(TrailSearch.activityType)
      #expect(offered?.userInfo == [.text("words"): .text("ridge walks")])
      #expect(offered?.webpageURL == "https://trails.example/search?area=north#list")
      #expect(search.saves == 1 && !search.activity.needsSave)
      device.report(.continued(search.activity.id, ContinuationReceipt(device: "laptop")))
      #expect(search.wasContinued && search.activity.isValid)
      search.pause()
      #expect(device.agent.offered(TrailSearch.activityType) == nil && search.activity.isValid)
      search.begin()
      search.end()
      search.begin()
      #expect(device.agent.offered(TrailSearch.activityType) == nil && !search.activity.isCurrent)
    }

    // MARK: Documents

    @Test(arguments: [
      ("pass.route", "org.example.trails.planning"), ("day.track", "org.example.trails.planning"),
      ("june.diary", "org.example.trails.writing"),
    ])
    func eachTypeHasTheActivityTypeOfItsEntry(name: String, type: String) async throws {
      let url = device.write(name, "hut\nridge")
      let (document, wasAlreadyOpen) = try await NSDocumentController.shared.openDocument(
        withContentsOf: url, display: true)
      #expect(!wasAlreadyOpen && document.userActivity?.activityType == type)
      device.application.mainDocument = document
      document.userActivity?.needsSave = true
      device.pass()
      let offered = device.agent.offered(type)
      #expect(offered?.userInfo[.text(NSUserActivityDocumentURLKey)] == .url(url.absoluteString))
      #expect(offered?.title == name)
      document.close()
      device.pass()
      #expect(device.agent.offered(type) == nil)
    }

    @Test func anEditedDocumentIsSavedInPlaceBeforeItIsOffered() async throws {
      let url = device.write("pass.route", "hut")
      let (document, _) = try await NSDocumentController.shared.openDocument(
        withContentsOf: url, display: true)
      device.application.mainDocument = document
      let route = try #require(document as? RouteDocument)
      route.append("summit")
      #expect(route.isDocumentEdited)
      for _ in 0..<3 { device.pass() }
      #expect(try String(contentsOf: url, encoding: .utf8) == "hut\nsummit")
      #expect(!route.isDocumentEdited)
      let offered = device.agent.offered("org.example.trails.planning")
      #expect(offered?.userInfo[.text("selection")] == .int(1))
    }

    @Test func aClosureIsToldOfTheDocumentOnceOrOfTheError() async throws {
      let url = device.write("pass.route", "hut")
      let controller = NSDocumentController.shared
      for wasOpen in [false, true] {
        let told = await withCheckedContinuation { continuation in
          controller.openDocument(withContentsOf: url, display: true) { document, wasAlreadyOpen, error in
            let isThere = document === controller.document(for: url) && error == nil
            continuation.resume(returning: isThere && wasAlreadyOpen == wasOpen)
          }
        }
        #expect(told)
      }
      let missing = device.folder.url("none.route")
      let error = await withCheckedContinuation { continuation in
        controller.openDocument(withContentsOf: missing, display: true) { document, _, error in
          continuation.resume(returning: document == nil ? error as? ContinuityError : nil)
        }
      }
      #expect(error?.code == .documentMissing)
      #expect(controller.document(for: missing) == nil)
    }

    // MARK: Continuing

    @Test func theRestorationHandlerHandsTheActivityToEachObject() {
      let info: UserInfo = [
        .text("latitude"): .double(47), .text("longitude"): .double(9), .text("version"): .int(1),
        .text("layers"): .set([.text("snow")]),
      ]
      device.continue(device.offer(map, info), info: info)
      #expect(delegate.map.latitude == 47 && delegate.map.longitude == 9 && delegate.map.restoredVersion == 1)
      #expect(delegate.layers.layers == ["snow"])
      #expect(delegate.banner == nil && delegate.failures.isEmpty)
      #expect(device.agent.outcomes == [.handled])
    }

    @Test func feedbackBeginsBeforeTheActivityIsThere() {
      let offer = device.offer(map, [:])
      device.report(.offers([offer]))
      device.application.continueOffer(offer.id)
      #expect(delegate.banner == "Continuing…")
      #expect(device.agent.outcomes == [])
    }

    @Test func aDeclinedActivityOfADocumentOpensAndRestoresIt() throws {
      let url = device.write("pass.route", "hut\nridge\nsummit")
      let info: UserInfo = [.text("selection"): .int(2)]
      device.continue(device.offer("org.example.trails.planning", info), info: info, document: url)
      let route = try #require(NSDocumentController.shared.document(for: url) as? RouteDocument)
      #expect(route.places == ["hut", "ridge", "summit"] && route.selection == 2)
      #expect(device.agent.outcomes == [.opened])
    }

    @Test func theSecondContinuationEndsTheFirstAsCancelled() {
      let offers = [device.offer(map, [:]), device.offer(TrailSearch.activityType, [:])]
      device.report(.offers(offers))
      for offer in offers { device.application.continueOffer(offer.id) }
      #expect(delegate.failures.map(\.type) == [map])
      #expect(delegate.failures.map(\.code) == [CocoaError.userCancelled.rawValue])
    }

    @Test func theSharedObjectsAreFoundUnderTheirNames() {
      #expect(NSApp === device.application && NSApplication.shared === device.application)
      #expect(NSApp.manifest.documentTypes.map(\.name) == ["Route", "Recorded Track", "Diary"])
      #expect(NSDocumentController.shared.documentClass(forType: "Recorded Track") == RouteDocument.self)
      #expect(NSUserActivity().activityType == map)
    }
  }
}
