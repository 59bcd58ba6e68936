// SPDX-License-Identifier: MIT

/// A saved activity as a search shows it, for `continuo search` and the desktop's.
public struct FoundActivity: Hashable, Sendable {
  /// The app that saved it.
  public var appID: String
  /// Under which it saved it.
  public var identifier: String
  /// What the person was doing; the document's name or the page where the app says nothing.
  public var title: String
  /// The activity type.
  public var type: String
  /// When it was saved, by this device's clock.
  public var changedAt: WallTime
  /// A few words about the content; empty where the app says nothing.
  public var summary: String
  /// The absolute path of its document; nil without one.
  public var path: [UInt8]?
  /// A page that shows the same.
  public var webpageURL: String?
  /// The other device that has it, and what that is called; nil for this one.
  public var device: Device?

  /// Another device of the circle.
  public struct Device: Hashable, Sendable {
    /// Which one.
    public var id: DeviceID
    /// What the person calls it.
    public var name: String

    /// The device that is called so.
    public init(id: DeviceID, name: String) { (self.id, self.name) = (id, name) }
  }

  /// Which one it is.
  public var key: SavedActivity.Key {
    SavedActivity.Key(appID: appID, identifier: identifier, device: device?.id)
  }

  /// With all that is shown.
  public init(
    appID: String, identifier: String, title: String, type: String, changedAt: WallTime, summary: String,
    path: [UInt8]?, webpageURL: String?
  ) {
    (self.appID, self.identifier, self.title, self.type) = (appID, identifier, title, type)
    (self.changedAt, self.summary, self.path, self.webpageURL) = (changedAt, summary, path, webpageURL)
  }

  /// What is shown of a saved one; `path` is where the document of one that another device has lies here.
  public init(_ saved: SavedActivity, at path: [UInt8]? = nil, on device: Device? = nil) {
    let snapshot = saved.snapshot
    let path = snapshot.documentPath ?? path
    let file = path.map { DisplayText.shown($0.split(separator: UInt8(ascii: "/")).last ?? []) }
    let name = file ?? snapshot.document?.path.displayName
    let title = [snapshot.title, name, snapshot.webpageURL].compactMap(\.self).first { !$0.isEmpty }
    var summary = ""
    if case .text(let text)? = snapshot.contentAttributes?[.text("contentDescription")] { summary = text }
    self.init(
      appID: saved.appID, identifier: snapshot.persistentIdentifier ?? "",
      title: DisplayText.shown(title ?? snapshot.type, byteLimit: 1024), type: snapshot.type,
      changedAt: snapshot.changedAt, summary: DisplayText.shown(summary, byteLimit: 512), path: path,
      webpageURL: snapshot.webpageURL)
    self.device = device
  }
}
