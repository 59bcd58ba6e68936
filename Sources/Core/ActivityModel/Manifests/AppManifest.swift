// SPDX-License-Identifier: MIT

/// What an app declares in its `Info.plist`, under Apple's keys.
public struct AppManifest: Hashable, Sendable {
  /// `CFBundleIdentifier`.
  public var appID: String
  /// `CFBundleName`, or the identifier's last part.
  public var name: String
  /// `NSUserActivityTypes`.
  public var activityTypes: [String]
  /// `CFBundleDocumentTypes`.
  public var documentTypes: [DocumentType]
  /// `ContinuoTeamIdentifier`: 32 bytes that the apps of one maker share, so that they may continue each
  /// other's activities; nil for an app by itself.
  public var team: [UInt8]?
  /// `ContinuoAssociatedDomains`: hosts whose pages the app shows itself, `*.` before a name for all below
  /// it. No part of what an app tells its agent, which reads it from the manifest that is installed.
  public var associatedDomains: [String] = []
  /// `ContinuoDesktopEntry` or `ContinuoExecutable`: how the app is started here; nil where it is not said.
  /// No part of what an app tells its agent: that app runs.
  public var start: AppStart?

  /// A manifest without types.
  public init(appID: String, name: String, activityTypes: [String] = [], documentTypes: [DocumentType] = []) {
    self.appID = appID
    self.name = name
    self.activityTypes = activityTypes
    self.documentTypes = documentTypes
  }

  /// One entry of `CFBundleDocumentTypes`.
  public struct DocumentType: Hashable, Sendable {
    /// `CFBundleTypeName`.
    public var name: String
    /// `CFBundleTypeRole`.
    public var role: Role
    /// `CFBundleTypeExtensions`, without dots; `*` stands for every file.
    public var extensions: [String]
    /// `CFBundleTypeMIMETypes`.
    public var mimeTypes: [String]
    /// `LSItemContentTypes`.
    public var contentTypes: [String]
    /// `NSDocumentClass`; nil uses the controller's default.
    public var documentClass: String?
    /// `NSUbiquitousDocumentUserActivityType`; nil gives documents of this type no activity.
    public var activityType: String?

    /// An entry without extensions or an activity type.
    public init(name: String, role: Role = .editor) {
      self.name = name
      self.role = role
      extensions = []
      mimeTypes = []
      contentTypes = []
    }
  }

  /// `CFBundleTypeRole`.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Reads and writes.
    case editor = "Editor"
    /// Reads.
    case viewer = "Viewer"
    /// Neither; declared only.
    case none = "None"
  }

  /// Whether a text may be a `CFBundleIdentifier`: letters, digits, dots and hyphens, as it names a folder.
  public static func isIdentifier(_ text: String) -> Bool { ManifestNames.isIdentifier(text) }

  /// Every activity type that the app takes: the top-level list, then those of its document types.
  public var continuableTypes: [String] {
    var seen: Set<String> = []
    return (activityTypes + documentTypes.compactMap(\.activityType)).filter { seen.insert($0).inserted }
  }

  /// The type of activities that are a page in a browser; Apple's name and rule.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// Whether the app shows the page at that address itself.
  public func isAssociated(with address: String) -> Bool {
    associatedDomains.contains { WebAddress.isHost(of: address, in: $0) }
  }

  /// Whether the app takes activities of this type.
  public func continues(_ type: String) -> Bool {
    activityTypes.contains(type) || documentTypes.contains { $0.activityType == type }
  }

  /// The first document type that claims the name's extension (compared without case); else the first that
  /// declares one of `contentTypes`, MIME types of which the former count more; else the first with `*`.
  public func documentType(forName name: [UInt8], contentTypes: [String] = []) -> DocumentType? {
    if let exact = documentType(claiming: name) { return exact }
    for wanted in contentTypes.map({ $0.lowercased() }) {
      let fitting = documentTypes.first { $0.mimeTypes.contains { $0.lowercased() == wanted } }
      if let fitting { return fitting }
    }
    return documentTypes.first { $0.extensions.contains("*") }
  }

  /// The first document type that claims the name's very extension, compared without case; `*` claims none.
  public func documentType(claiming name: [UInt8]) -> DocumentType? {
    let text = String(decoding: name, as: UTF8.self)
    guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return nil }
    let wanted = text[text.index(after: dot)...].lowercased()
    return documentTypes.first { $0.extensions.contains { $0.lowercased() == wanted } }
  }
}
