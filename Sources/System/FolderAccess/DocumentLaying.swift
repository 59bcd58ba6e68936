// SPDX-License-Identifier: MIT

package import ActivityModel
package import LinuxSystem
package import SyncedFolders

/// Lays a version that came over a link into its folder, in the place of the very file that was judged: by an
/// exchange of names, so that the document's name leads to one whole version at every moment.
///
/// The bytes are copied and hashed at once, into a file that nobody else has open. That file, where it was
/// made before, and a file of an app's own come themselves, under a second name, where that is possible. It
/// lies in `.continuo` until then, where the engines meet files that are gone a moment later anyway. What is
/// replaced is kept before; what comes out of the exchange is looked at, and goes back unless it is what was
/// judged.
struct DocumentLaying {
  /// Keeps what a file holds, which has this digest, before it is replaced.
  typealias Keeping = (Descriptor, _ name: [UInt8], ContentDigest) throws(ContinuityError) -> Void

  let folder: SyncedDirectory
  let document: LaidDocument
  let keep: Keeping
  let isCancelled: () -> Bool
  /// For tests: called between the last look and the exchange.
  var beforeExchange: () -> Void = {}

  private struct Refusal: Error {
    let outcome: LayingOutcome
    init(_ outcome: LayingOutcome) { self.outcome = outcome }
  }

  /// What lies there now, and gives way.
  private struct Former {
    let file: Descriptor
    let stamp: FileStamp
    let digest: ContentDigest
  }

  /// Of an exchange that finds another file each time.
  private static let turns = 16
  /// A time that is as far ahead is no clock's.
  private static let farthest = Duration.seconds(86_400)

  /// Lays what the source holds. A copy of that takes the name itself, where it can.
  func lay(_ source: some LaidSource, progress: (UInt64) -> Void) -> LayingOutcome {
    guard let copy = source.takeCopy(isCancelled: isCancelled) else {
      return lay(source.descriptor, isCopy: false, progress)
    }
    guard copy.digest == document.version.digest else { return .otherBytes }
    return lay(copy.file, isCopy: true, progress)
  }

  /// What `isCopy` is known to be the version, and nobody else has it open.
  private func lay(_ source: Descriptor, isCopy: Bool, _ progress: (UInt64) -> Void) -> LayingOutcome {
    do throws(Refusal) {
      let former = try judge()
      let (records, parent) = try folders()
      let place = DurableFile(in: records, name: document.path.name)
      let mayCome = document.comesItself || isCopy && (former != nil || isPlain(parent))
      let comesItself = mayCome && (try? place.giveTemporaryName(to: source)) != nil
      if !comesItself, former?.digest == document.version.digest { return .laid }
      let (file, isNamed) =
        comesItself ? (source, true) : try unlessFailed { () throws(Errno) in try place.begin() }
      do throws(Refusal) {
        if !comesItself {
          try copy(source, into: file, progress)
        } else if !isCopy {
          try check(source, progress)
        }
        try prepare(file, like: former, in: parent, keepsTime: comesItself && !isCopy)
        if let former {
          try replace(former, by: file, isNamed: isNamed, place, in: parent)
        } else {
          try add(file, isNamed: isNamed, place, in: parent)
        }
      } catch {
        // An exchange that did not go back holds another program's file.
        if holds(place, file) { place.removeTemporary() }
        throw error
      }
      try? parent.synchronize()
      return .laid
    } catch {
      return error.outcome
    }
  }

  private func unlessFailed<Value>(_ body: () throws(Errno) -> Value) throws(Refusal) -> Value {
    do throws(Errno) { return try body() } catch { throw Refusal(.failed(error.clause)) }
  }

  // MARK: What lies there

  /// Nil where nothing does, and the version may be a new file.
  private func judge() throws(Refusal) -> Former? {
    switch folder.observe(document.path) {
    case .absent:
      guard document.mayBeNew else { throw Refusal(.kept) }
      return nil
    case .unreadable(let why): throw Refusal(.failed(why))
    case .other(let kind): throw Refusal(.failed("it is \(kind.description), not a file"))
    case .file: break
    }
    let opened: OpenDocument
    do throws(ContinuityError) { opened = try folder.open(document.path) } catch { throw Refusal(.changed) }
    switch folder.hash(opened, isCancelled: isCancelled) {
    case .stable(document.version.digest, _, _) where !document.comesItself: throw Refusal(.laid)
    case .stable(let digest, let stamp, _):
      guard document.mayReplace(digest) else { throw Refusal(.kept) }
      return Former(file: opened.descriptor, stamp: stamp, digest: digest)
    case .unstable: throw Refusal(.changed)
    case .failed(let why): throw Refusal(.failed(why))
    case .cancelled: throw Refusal(.cancelled)
    }
  }

  private func folders() throws(Refusal) -> (records: Descriptor, parent: Descriptor) {
    try unlessFailed { () throws(Errno) in
      (
        try folder.openBelow([SyncNames.recordFolder], [.readOnly, .folder]),
        try Beneath.open(
          Array(document.path.components.dropLast()), below: folder.openRoot(), flags: [.readOnly, .folder])
      )
    }
  }

  /// Whether a new file in it is like one that was made elsewhere: it gets no group or access list of the
  /// folder's own.
  private func isPlain(_ parent: Descriptor) -> Bool {
    guard let status = try? parent.status(), status.permissions & 0o2000 == 0 else { return false }
    return (try? parent.attribute(Array("system.posix_acl_default".utf8))) == nil
  }

  // MARK: The new file

  private func copy(
    _ received: Descriptor, into file: Descriptor, _ progress: (UInt64) -> Void
  ) throws(Refusal) {
    let digest: ContentDigest?
    do throws(Errno) {
      digest = try ContentHasher.copy(
        received, into: file, limit: document.version.size, isCancelled: isCancelled, progress: progress)
    } catch {
      throw Refusal(error == .fileTooLarge ? .otherBytes : .failed(error.clause))
    }
    guard let digest else { throw Refusal(.cancelled) }
    guard digest == document.version.digest else { throw Refusal(.otherBytes) }
  }

  private func check(_ file: Descriptor, _ progress: (UInt64) -> Void) throws(Refusal) {
    switch ContentHasher.hash(file, isCancelled: isCancelled, progress: progress) {
    case .stable(document.version.digest, _, _): break
    case .stable, .unstable: throw Refusal(.otherBytes)
    case .failed(let why): throw Refusal(.failed(why))
    case .cancelled: throw Refusal(.cancelled)
    }
  }

  /// Makes the file like the one that it replaces in all but its bytes, with the time that it has where it
  /// comes from: engines that compare times then find both devices alike.
  private func prepare(
    _ file: Descriptor, like former: Former?, in parent: Descriptor, keepsTime: Bool
  ) throws(Refusal) {
    if let former {
      try check(former)
      let status = try unlessFailed { () throws(Errno) in try former.file.status() }
      guard let attributes = ExtendedAttributes(of: former.file), attributes.give(to: file),
        file.adopt(status)
      else { throw Refusal(.failed("its owner and permissions cannot be given to a new file")) }
    } else {
      let status = try unlessFailed { () throws(Errno) in try parent.status() }
      // As private as its folder. A file system may keep no permissions.
      try? file.setPermissions(status.permissions & 0o666)
    }
    try unlessFailed { () throws(Errno) in
      if !keepsTime { try setTime(of: file) }
      try file.synchronize()
    }
    guard let former, former.digest != document.version.digest else { return }
    do throws(ContinuityError) { try keep(former.file, document.path.name, former.digest) } catch {
      throw Refusal(.failed("what it replaces cannot be kept"))
    }
  }

  private func setTime(of file: Descriptor) throws(Errno) {
    if let modified = document.modified { try file.setTimes(nanoseconds: modified) }
    let age = try file.status().stamp.ageOfContent
    if document.modified == nil || age <= .zero - Self.farthest { try file.setExactTime() }
  }

  private func check(_ former: Former) throws(Refusal) {
    guard former.stamp.linkCount == 1 else {
      throw Refusal(.failed("it has \(former.stamp.linkCount) names (hard links)"))
    }
    try unlessFailed { () throws(Errno) in try former.file.magicLink.check(.write) }
  }

  // MARK: Names

  private func add(
    _ file: Descriptor, isNamed: Bool, _ place: DurableFile, in parent: Descriptor
  ) throws(Refusal) {
    do throws(Errno) { try place.give(document.path.name, in: parent, to: file, isNamed: isNamed) } catch {
      throw Refusal(error == .fileExists ? .changed : .failed(error.clause))
    }
  }

  private func replace(
    _ former: Former, by file: Descriptor, isNamed: Bool, _ place: DurableFile, in parent: Descriptor
  ) throws(Refusal) {
    let name = document.path.name
    try unlessFailed { () throws(Errno) in
      if !isNamed { try place.giveTemporaryName(to: file) }
      guard try parent.status(of: name).stamp == former.stamp else { throw .stale }
      beforeExchange()
      try place.exchange(with: name, in: parent)
    }
    let out = try? place.temporaryStatus().stamp
    if out?.isSameContent(as: former.stamp) == true { return place.removeTemporary() }
    // Another program's file came out. It goes back, and so does whatever comes out for it.
    for _ in 0..<Self.turns where !holds(place, file) {
      try unlessFailed { () throws(Errno) in try place.exchange(with: name, in: parent) }
    }
    throw Refusal(.changed)
  }

  /// Whether the temporary name leads to `file`, or to nothing.
  private func holds(_ place: DurableFile, _ file: Descriptor) -> Bool {
    do throws(Errno) {
      return try place.temporaryStatus().stamp.isSameFile(as: file.status().stamp)
    } catch {
      return error == .noSuchFile
    }
  }
}

extension SyncedDirectory {
  /// Lays what `source` holds into the folder, as `document` says; see `DocumentLaying`. `keep` is called
  /// for the file that is replaced, before that. Blocks as long as the disks take; any thread.
  package func lay(
    _ document: LaidDocument, from source: some LaidSource,
    keep: (Descriptor, _ name: [UInt8], ContentDigest) throws(ContinuityError) -> Void,
    isCancelled: () -> Bool = { false }, progress: (UInt64) -> Void = { _ in }
  ) -> LayingOutcome {
    guard !DocumentResolver.isKeptBack(document.path) else { return .kept }
    return withoutActuallyEscaping(keep) { keep in
      withoutActuallyEscaping(isCancelled) { isCancelled in
        DocumentLaying(folder: self, document: document, keep: keep, isCancelled: isCancelled)
          .lay(source, progress: progress)
      }
    }
  }
}
