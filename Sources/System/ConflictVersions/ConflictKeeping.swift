// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem
public import SyncedFolders

/// Keeps one version of a document in conflict, and puts the others aside beside it.
///
/// No file is written and none is removed: files exchange names. So whenever this process or the computer
/// stops, the document's name leads to one whole version, and each other version has a name. Any thread;
/// blocks as long as the disk takes.
public struct ConflictKeeping {
  /// A version that was put aside, or why it stays where it was.
  public struct Aside: Hashable, Sendable {
    /// The version as it was listed.
    public let version: ConflictVersion
    /// Where its bytes are now.
    public let path: FilePath
    /// Why it was not put aside, in one sentence; nil when it was.
    public let refusal: String?
  }

  /// The document's path, resolved.
  let document: FilePath
  let listed: ConflictResolution

  /// What `VersionLook` listed for the document at `path`.
  public init(_ listed: ConflictResolution, at path: FilePath) {
    self.listed = listed
    document = path
  }

  /// Makes `version` the document. What happened to each of the others, in the order of the list.
  ///
  /// Throws, with everything as it was, `documentDiverged` when the version or the document is not what was
  /// listed, and `documentUnreadable` when a file cannot be exchanged.
  public func keep(_ version: ConflictVersion) throws(ContinuityError) -> [Aside] {
    try checkUnchanged(version)
    var aside: [Aside] = []
    for step in listed.steps(keeping: version, day: Self.day) {
      switch step {
      case .exchange(let copy, let current, let names):
        let path = try exchange(copy, with: current, names: names)
        aside.append(Aside(version: current, path: path, refusal: nil))
      case .putBack(let copy): try putBack(copy)
      case .setAside(let other, let names): aside.append(setAside(other, names: names))
      }
      document.parent.synchronizeFolder()
    }
    return aside
  }

  /// The day on which a version was last changed, as far as its engine keeps times.
  public static func day(_ version: ConflictVersion) -> String {
    LocalTime(ofContent: version.stamp)?.date ?? ""
  }

  // MARK: Looking

  private func path(_ version: ConflictVersion) -> FilePath { document.parent.appending(version.name) }

  private func checkUnchanged(_ version: ConflictVersion) throws(ContinuityError) {
    let found = [version, listed.current].compactMap { $0 }.compactMap {
      VersionLook.version(at: path($0), isDocument: $0.isDocument)
    }
    let current = listed.current == nil ? VersionLook.version(at: document, isDocument: true) : nil
    let now = ConflictResolution(of: listed.document, found: found + [current].compactMap { $0 })
    guard let changed = listed.change(since: now, keeping: version) else { return }
    guard changed.fingerprint != nil else {
      throw DocumentFault.error(path(changed), failure: .permissionDenied, action: "read")
    }
    throw Self.changed(path(changed))
  }

  static func changed(_ path: FilePath) -> ContinuityError {
    ContinuityError(
      .documentDiverged, subject: path.shown,
      description:
        "\(path.shown) is not what was listed; nothing was done to it. List the versions again.")
  }

  // MARK: Exchanging

  /// Where the former document is then.
  ///
  /// The exchange goes through a new name: an engine that goes by times alone, as `rsync --update` does,
  /// would lay the copy of another device over the former document, which is older, while that has the copy's
  /// name.
  private func exchange(
    _ copy: ConflictVersion, with current: ConflictVersion, names: [[UInt8]]
  ) throws(ContinuityError) -> FilePath {
    let prepared = try prepare(copy, for: current)
    let named = try DocumentFault.unless(path(copy), action: "renamed") { () throws(Errno) in
      try FreeName.rename(path(copy), toFirstFreeOf: names)
    }
    guard let aside = named else {
      throw DocumentFault.error(document, failure: .fileExists, action: "put aside")
    }
    do throws(Errno) { try aside.rename(to: document, mode: .exchanging) } catch {
      try? FreeName.rename(aside, to: path(copy))
      guard error.isUnsupported else {
        throw DocumentFault.error(document, failure: error, action: "replaced")
      }
      return try replace(current, by: copy, prepared, names: names)
    }
    let former = try? aside.status(followingLinks: false).stamp
    let new = try? document.status(followingLinks: false).stamp
    guard former?.isSameContent(as: current.stamp) == true, new?.isSameContent(as: prepared) == true else {
      // Somebody else put a file there in between: as it was, and both files stay either way.
      try? aside.rename(to: document, mode: .exchanging)
      try? FreeName.rename(aside, to: path(copy))
      throw Self.changed(document)
    }
    return aside
  }

  /// The copy becomes like the document in all but its bytes, on the disk, and new to every engine; its stamp
  /// then.
  private func prepare(
    _ copy: ConflictVersion, for current: ConflictVersion?
  ) throws(ContinuityError) -> FileStamp {
    let path = path(copy)
    let file = try DocumentFault.unless(path, action: "opened") { () throws(Errno) in
      try path.open([.readOnly, .noFollow, .nonBlocking, .noTerminal])
    }
    guard (try? file.status())?.stamp.isSameContent(as: copy.stamp) == true else { throw Self.changed(path) }
    if current != nil { try checkReplaceable(by: file, path) }
    return try DocumentFault.unless(path, action: "prepared") { () throws(Errno) in
      // Another owner's file keeps the time that it has.
      try? file.setExactTime()
      try file.synchronize()
      let stamp = try file.status().stamp
      guard stamp.isSameFile(as: copy.stamp), stamp.size == copy.stamp.size else { throw .stale }
      return stamp
    }
  }

  private func checkReplaceable(by file: Descriptor, _ copy: FilePath) throws(ContinuityError) {
    try DocumentFault.unless(document, action: "replaced") { () throws(Errno) in
      try document.check(.write)
      try document.parent.check(.write)
    }
    let status = try DocumentFault.unless(document, action: "read") { () throws(Errno) in
      try document.status(followingLinks: false)
    }
    let copies = try DocumentFault.unless(copy, action: "read") { () throws(Errno) in try file.status() }
    for (path, links) in [(document, status.linkCount), (copy, copies.linkCount)] where links > 1 {
      throw refused("\(path.shown) has \(links) names (hard links), and another one would not follow")
    }
    guard let attributes = ExtendedAttributes(of: document), attributes.give(to: file), file.adopt(status)
    else { throw refused("\(copy.shown) cannot be given the owner and permissions of \(document.shown)") }
  }

  private func refused(_ why: String) -> ContinuityError {
    ContinuityError(
      .documentUnreadable, subject: document.shown,
      description: "\(why): open both files, and save in \(document.shown) what you want to keep.")
  }

  /// Without an exchange: the former document gets a second name before it loses the first.
  private func replace(
    _ current: ConflictVersion, by copy: ConflictVersion, _ prepared: FileStamp, names: [[UInt8]]
  ) throws(ContinuityError) -> FilePath {
    let second = try DocumentFault.unless(document, action: "put aside") { () throws(Errno) in
      try secondName(of: current, names)
    }
    guard let second else { throw DocumentFault.error(document, failure: .fileExists, action: "put aside") }
    document.parent.synchronizeFolder()
    let now = try? document.status(followingLinks: false).stamp
    let new = try? path(copy).status(followingLinks: false).stamp
    guard now?.isSameContent(as: current.stamp) == true, new?.isSameContent(as: prepared) == true else {
      // Two copies of what was listed would be one too many, and no loss.
      throw Self.changed(document)
    }
    try DocumentFault.unless(document, action: "replaced") { () throws(Errno) in
      try path(copy).rename(to: document)
    }
    return second
  }

  /// Another name for the document's file, or a copy of it where a file has one name only.
  private func secondName(
    of current: ConflictVersion, _ names: [[UInt8]]
  ) throws(Errno) -> FilePath? {
    for name in names {
      let target = document.parent.appending(name)
      do throws(Errno) {
        try document.link(to: target)
        return target
      } catch {
        if error == .fileExists { continue }
        guard error.isUnsupported || error == .notPermitted || error == .tooManyLinks else { throw error }
        let bytes = try document.open([.readOnly, .noFollow, .nonBlocking]).readToEnd()
        guard bytes.withUnsafeBytes(VersionLook.fingerprint) == current.fingerprint else { throw .stale }
        return try FreeName.create(
          with: bytes, like: document, in: document.parent, firstFreeOf: names)
      }
    }
    return nil
  }

  private func putBack(_ copy: ConflictVersion) throws(ContinuityError) {
    let prepared = try prepare(copy, for: nil)
    do throws(Errno) { try FreeName.rename(path(copy), to: document) } catch {
      throw error == .fileExists
        ? Self.changed(document) : DocumentFault.error(path(copy), failure: error, action: "renamed")
    }
    guard let now = try? document.status(followingLinks: false).stamp, now.isSameContent(as: prepared) else {
      try? FreeName.rename(document, to: path(copy))
      throw Self.changed(path(copy))
    }
  }

  // MARK: Putting aside

  private func setAside(_ version: ConflictVersion, names: [[UInt8]]) -> Aside {
    let path = path(version)
    func stays(_ why: String) -> Aside { Aside(version: version, path: path, refusal: why) }
    guard version.isStill(VersionLook.version(at: path, isDocument: version.isDocument)) else {
      return stays(Self.changed(path).description)
    }
    do throws(Errno) {
      guard let aside = try FreeName.rename(path, toFirstFreeOf: names) else {
        return stays("\(path.shown) stays where it is: every name for it is taken.")
      }
      // Another writer may have put a file in its place after the look.
      let now = try? aside.status(followingLinks: false).stamp
      guard now?.isSameContent(as: version.stamp) == true else {
        try? FreeName.rename(aside, to: path)
        return stays(Self.changed(path).description)
      }
      return Aside(version: version, path: aside, refusal: nil)
    } catch {
      return stays(DocumentFault.error(path, failure: error, action: "renamed").description)
    }
  }
}
