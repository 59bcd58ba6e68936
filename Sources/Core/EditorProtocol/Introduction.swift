// SPDX-License-Identifier: MIT

import ActivityJSON
public import ActivityModel

/// What an editor says of itself in `initialize`.
public struct Introduction: Hashable, Sendable {
  /// The newest version of the protocol that this server speaks. Since 2, certainties have the same names as
  /// in C and in texts' activities.
  public static let protocolVersion: Int64 = 2
  /// The activity type of texts, which belongs to no app.
  public static let textEditing = "public.text-editing"

  /// The version that both speak: the editor's, and of a newer one ours.
  public var protocolVersion: Int64
  /// The editor, its documents and its activities.
  public var manifest: AppManifest
  /// The editor's version; nil when it does not say.
  public var appVersion: String?
  /// How it counts columns.
  public var positionEncoding: PositionEncoding
  /// Whether it wants `activity/continue` before `document/restore`.
  public var continuesActivities: Bool
  /// Whether it takes `document/restore` with the text of a draft, and without a file.
  public var takesDrafts: Bool
  /// Whether what is open beside the document in front is offered with it.
  public var offersOpenDocuments: Bool

  /// An editor of texts that counts in scalars and takes documents alone.
  init(appID: String, name: String, version: String?) {
    protocolVersion = Self.protocolVersion
    manifest = AppManifest(appID: appID, name: name)
    manifest.documentTypes = [Self.everyText]
    appVersion = version
    positionEncoding = .utf32
    continuesActivities = false
    takesDrafts = false
    offersOpenDocuments = false
  }

  init(_ members: Members) throws(RPCError) {
    guard case .int(let version)? = members.value("protocolVersion"), version >= 1 else {
      throw members.fault("protocolVersion", "a whole number from 1")
    }
    protocolVersion = min(version, Self.protocolVersion)
    let app = try members.object("app")
    manifest = AppManifest(appID: try app.name("id"), name: try app.name("name"))
    appVersion = try app.optionalText("version")
    manifest.activityTypes = try members.texts("activityTypes")
    manifest.documentTypes = try members.objects("documentTypes").map(Self.documentType)
    if !members.has("activityTypes"), !members.has("documentTypes") {
      manifest.documentTypes = [Self.everyText]
    }
    let encoding = try members.optionalText("positionEncoding") ?? PositionEncoding.utf32.rawValue
    guard let known = PositionEncoding(rawValue: encoding) else {
      throw members.fault("positionEncoding", "utf-8, utf-16 or utf-32")
    }
    positionEncoding = known
    let capabilities = try members.optionalObject("capabilities")
    continuesActivities = try capabilities?.optionalFlag("continueActivity") ?? false
    takesDrafts = try capabilities?.optionalFlag("drafts") ?? false
    offersOpenDocuments = try capabilities?.optionalFlag("openDocuments") ?? false
  }

  /// Every file is a text.
  private static var everyText: AppManifest.DocumentType {
    var every = AppManifest.DocumentType(name: "text")
    every.extensions = ["*"]
    every.activityType = textEditing
    return every
  }

  private static func documentType(_ members: Members) throws(RPCError) -> AppManifest.DocumentType {
    let activityType = try members.optionalText("activityType")
    var type = AppManifest.DocumentType(name: try members.optionalText("name") ?? activityType ?? "document")
    type.extensions = try members.texts("extensions")
    guard !type.extensions.isEmpty else {
      throw members.fault("extensions", "an array of extensions without dots, or [\"*\"]")
    }
    type.activityType = activityType
    return type
  }
}

extension Members {
  fileprivate func name(_ name: String) throws(RPCError) -> String {
    guard let text = try optionalText(name), (1...255).contains(text.utf8.count) else {
      throw fault(name, "a string of 1 to 255 bytes")
    }
    return text
  }
}
