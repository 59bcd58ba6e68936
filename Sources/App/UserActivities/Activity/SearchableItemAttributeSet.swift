// SPDX-License-Identifier: MIT

public import Foundation

/// What a search shows of an activity: `CSSearchableItemAttributeSet`, as far as activities need it.
///
/// Attributes are carried, not read. An activity keeps a copy: a set that is changed afterwards is to be
/// assigned again. Values may be what `userInfo` takes; others are left out, and told to the delegate.
public final class SearchableItemAttributeSet {
  private var attributes: [String: Any]

  /// A set of content of that type, given as a uniform type identifier or MIME type.
  public init(contentType: String? = nil) {
    attributes = [:]
    self.contentType = contentType
  }

  init(attributes: [String: Any]) { self.attributes = attributes }

  /// Any attribute by name; nil removes it. The named properties are kept under their own names.
  public subscript(name: String) -> Any? {
    get { attributes[name] }
    set { attributes[name] = newValue }
  }

  /// What the content is, as a uniform type identifier or MIME type.
  public var contentType: String? {
    get { self["contentType"] as? String }
    set { self["contentType"] = newValue }
  }

  /// The content's own title.
  public var title: String? {
    get { self["title"] as? String }
    set { self["title"] = newValue }
  }

  /// The name to show where it differs from the title.
  public var displayName: String? {
    get { self["displayName"] as? String }
    set { self["displayName"] = newValue }
  }

  /// A few words about the content.
  public var contentDescription: String? {
    get { self["contentDescription"] as? String }
    set { self["contentDescription"] = newValue }
  }

  /// Search words of the content; the activity has its own beside them.
  public var keywords: [String]? {
    get { self["keywords"] as? [String] }
    set { self["keywords"] = newValue }
  }

  /// A small picture of the content on this device; other devices do not get it.
  public var thumbnailURL: URL? {
    get { self["thumbnailURL"] as? URL }
    set { self["thumbnailURL"] = newValue }
  }

  /// Where the content lies; a file URL stays on this device.
  public var contentURL: URL? {
    get { self["contentURL"] as? URL }
    set { self["contentURL"] = newValue }
  }

  /// When the content was last changed.
  public var contentModificationDate: Date? {
    get { self["contentModificationDate"] as? Date }
    set { self["contentModificationDate"] = newValue }
  }

  /// The identifier of the same content in an index of the app's own.
  public var relatedUniqueIdentifier: String? {
    get { self["relatedUniqueIdentifier"] as? String }
    set { self["relatedUniqueIdentifier"] = newValue }
  }

  /// A set of its own with the same attributes; containers in it are copied too.
  public func copy() -> SearchableItemAttributeSet {
    SearchableItemAttributeSet(attributes: attributes.mapValues(UserInfoCopy.value))
  }

  /// The attributes as `userInfo` would hold them.
  var info: [AnyHashable: Any] {
    Dictionary(uniqueKeysWithValues: attributes.map { (AnyHashable($0.key), $0.value) })
  }
}
