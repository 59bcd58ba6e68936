// SPDX-License-Identifier: MIT
//
// An app as the Handoff guides teach it, under AppKit's names alone: a map whose activity two responders
// share, a search whose activity has a delegate, and documents of three types with two activity types. For
// macOS there is one condition around the import, and one around the registration of classes at the end.

import Foundation

#if canImport(AppKit)
  import AppKit
#else
  import AppKitNames
#endif

/// Where on the map the person is. Responders that share an activity each put their part into it.
@MainActor
final class MapController: NSResponder {
  static let activityType = "org.example.trails.looking-at-map"
  private(set) var latitude = 0.0
  private(set) var longitude = 0.0
  private(set) var restoredVersion = 0

  /// The person looks at another place.
  func move(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
    if userActivity == nil {
      let activity = NSUserActivity(activityType: Self.activityType)
      activity.title = "Map"
      activity.isEligibleForHandoff = true
      activity.requiredUserInfoKeys = ["latitude", "longitude"]
      userActivity = activity
    }
    userActivity?.needsSave = true
  }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    guard activity.activityType == Self.activityType else { return }
    activity.addUserInfoEntries(from: ["latitude": latitude, "longitude": longitude, "version": 1])
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    super.restoreUserActivityState(activity)
    guard activity.activityType == Self.activityType, let info = activity.userInfo,
      let version = info["version"] as? Int, version <= 1,
      let latitude = info["latitude"] as? Double, let longitude = info["longitude"] as? Double
    else { return }
    restoredVersion = version
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

/// What is drawn on the map; shares the map's activity.
@MainActor
final class LayerController: NSResponder {
  var layers: Set<String> = ["paths"] { didSet { userActivity?.needsSave = true } }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["layers": layers])
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    super.restoreUserActivityState(activity)
    if let shown = activity.userInfo?["layers"] as? Set<String> { layers = shown }
  }
}

/// A search with an activity of its own, which no responder owns: its delegate fills it.
@MainActor
final class TrailSearch: NSObject, NSUserActivityDelegate {
  static let activityType = "org.example.trails.searching"
  let activity = NSUserActivity(activityType: TrailSearch.activityType)
  var words = "" { didSet { activity.needsSave = true } }
  private(set) var saves = 0
  private(set) var wasContinued = false

  override init() {
    super.init()
    activity.delegate = self
    activity.title = "Search"
    activity.keywords = ["trail", "path"]
    activity.isEligibleForSearch = true
    activity.webpageURL = URL(string: "https://trails.example/search?area=north#list")
  }

  func begin() { activity.becomeCurrent() }
  func pause() { activity.resignCurrent() }
  func end() { activity.invalidate() }

  func userActivityWillSave(_ userActivity: NSUserActivity) {
    saves += 1
    userActivity.userInfo = ["words": words]
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) { wasContinued = true }
}

/// A route, or a track that was recorded: a list of places, one of which is selected.
@MainActor
class RouteDocument: NSDocument {
  var places: [String] = []
  var selection = 0

  override class var autosavesInPlace: Bool { true }

  override func read(from data: Data, ofType typeName: String) throws {
    guard let text = String(data: data, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
    places = text.split(separator: "\n").map(String.init)
  }

  override func data(ofType typeName: String) throws -> Data { Data(places.joined(separator: "\n").utf8) }

  func append(_ place: String) {
    places.append(place)
    selection = places.count - 1
    updateChangeCount(.changeDone)
  }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["selection": selection])
  }

  override func restoreUserActivityState(_ activity: NSUserActivity) {
    super.restoreUserActivityState(activity)
    if let place = activity.userInfo?["selection"] as? Int, places.indices.contains(place) {
      selection = place
    }
  }
}

/// A text.
@MainActor
final class DiaryDocument: NSDocument {
  var text = ""

  override func read(from data: Data, ofType typeName: String) throws {
    text = String(decoding: data, as: UTF8.self)
  }

  override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }
}

/// Takes up what comes from another device; what belongs to a document is left to the framework.
@MainActor
final class TrailsDelegate: NSObject, NSApplicationDelegate {
  let map = MapController()
  let layers = LayerController()
  private(set) var banner: String? { didSet { bannerDidChange() } }
  var bannerDidChange: () -> Void = {}
  private(set) var failures: [(type: String, code: Int)] = []

  override init() {
    super.init()
    layers.nextResponder = map
  }

  /// The map, with what is drawn on it, becomes what the person is doing.
  func showMap(latitude: Double, longitude: Double) {
    map.move(latitude: latitude, longitude: longitude)
    layers.userActivity = map.userActivity
  }

  func application(
    _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    banner = "Continuing…"
    return true
  }

  func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    banner = nil
    guard userActivity.activityType == MapController.activityType else { return false }
    restorationHandler([map, layers])
    return true
  }

  func application(
    _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    banner = nil
    failures.append((userActivityType, (error as NSError).code))
  }

  func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: ["season": "winter"])
  }
}

#if !canImport(AppKit)
  extension NSDocumentController {
    /// AppKit finds classes by their names in `Info.plist`; here they are said once.
    static func registerTrails() {
      shared.register(RouteDocument.self, name: "RouteDocument")
      shared.register(DiaryDocument.self, name: "DiaryDocument")
    }
  }
#endif
