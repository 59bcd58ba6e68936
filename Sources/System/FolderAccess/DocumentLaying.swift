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
  /// What the file with this stamp holds, where that is known.
  typealias Known = (FileStamp) -> ContentDigest?

  let folder: SyncedDirectory
  let document: LaidDocument
  let keep: Keeping
  let isCancelled: () -> Bool
  var known: Known = { _ in nil }
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

  /// What came of it, and what the file in the folder looks like by which it is known to hold the version;
  /// nil where that cannot be said.
  typealias Laid = (outcome: LayingOutcome, stamp: FileStamp?)

  /// Lays what the source holds. A copy of that takes the name itself, where it can.
  func lay(_ source: some LaidSource, progress: (UInt64) -> Void) -> Laid {
    guard let copy = source.takeCopy(isCancelled: isCancelled) else {
      return lay(source.descriptor, isCopy: false, progress)
    }
    guard copy.digest == document.version.digest else { return (.otherBytes, nil) }
    return lay(copy.file, isCopy: true, progress)
  }

  /// What `isCopy` is known to be the version, and nobody else has it open.
  private func lay(_ source: Descriptor, isCopy: Bool, _ progress: (UInt64) -> Void) -> Laid {
    do throws(Refusal) {
      let former = try judge()
      let (records, parent) = try folders()
      let place = DurableFile(in: records, name: document.path.name)
      let mayCome = document.comesItself || isCopy && (former != nil || isPlain(parent))
      let comesItself = mayCome && (try? place.giveTemporaryName(to: source)) != nil
      if !comesItself, former?.digest == document.version.digest { return (.laid, nil) }
      var (file, isNamed) =
        comesItself ? (source, true) : try unlessFailed { () throws(Errno) in try place.begin() }
      let stamp: FileStamp?
      do throws(Refusal) {
        if !comesItself {
          try copy(source, into: file, progress)
        } else if !isCopy {
          try check(source, progress)
        }
        try prepare(file, like: former, in: parent, keepsTime: comesItself && !isCopy)
        if isCopy || !comesItself { file = sealed(file) }
        if let former {
          stamp = try replace(former, by: file, isNamed: isNamed, place, in: parent)
        } else {
          stamp = try add(file, isNamed: isNamed, place, in: parent)
        }
      } catch {
        // An exchange that did not go back holds another program's file.
        if holds(place, file) { place.removeTemporary() }
        throw error
      }
      try? parent.synchronize()
      return (.laid, stamp)
    } catch {
      return (error.outcome, nil)
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
    if let digest = known(opened.stamp) { return try judge(opened, opened.stamp, digest) }
    switch folder.hash(opened, isCancelled: isCancelled) {
    case .stable(let digest, let stamp, _): return try judge(opened, stamp, digest)
    case .unstable: throw Refusal(.changed)
    case .failed(let why): throw Refusal(.failed(why))
    case .cancelled: throw Refusal(.cancelled)
    }
  }

  private func judge(
    _ opened: OpenDocument, _ stamp: FileStamp, _ digest: ContentDigest
  ) throws(Refusal) -> Former {
    if digest == document.version.digest, !document.comesItself { throw Refusal(.laid) }
    guard document.mayReplace(digest) else { throw Refusal(.kept) }
    return Former(file: opened.descriptor, stamp: stamp, digest: digest)
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

  /// The new file for reading alone, with a lease where that is possible: until that ends, nobody opens for
  /// writing what the name leads to. Nobody else has it open.
  private func sealed(_ file: Descriptor) -> Descriptor {
    guard let reader = try? file.magicLink.open([.readOnly]) else { return file }
    file.close()
    _ = reader.takeReadLease()
    return reader
  }

  /// What the sealed file looks like, and nobody has written in it; others may from now on.
  private func unseal(_ file: Descriptor) -> FileStamp? {
    defer { file.endLease() }
    let stamp = try? file.status().stamp
    return file.hasReadLease && folder.tellsEachWrite ? stamp : nil
  }

  private func add(
    _ file: Descriptor, isNamed: Bool, _ place: DurableFile, in parent: Descriptor
  ) throws(Refusal) -> FileStamp? {
    do throws(Errno) { try place.give(document.path.name, in: parent, to: file, isNamed: isNamed) } catch {
      throw Refusal(error == .fileExists ? .changed : .failed(error.clause))
    }
    return unseal(file)
  }

  private func replace(
    _ former: Former, by file: Descriptor, isNamed: Bool, _ place: DurableFile, in parent: Descriptor
  ) throws(Refusal) -> FileStamp? {
    let name = document.path.name
    try unlessFailed { () throws(Errno) in
      if !isNamed { try place.giveTemporaryName(to: file) }
      guard try parent.status(of: name).stamp == former.stamp else { throw .stale }
      beforeExchange()
      try place.exchange(with: name, in: parent)
    }
    let stamp = unseal(file)
    let out = try? place.temporaryStatus().stamp
    if out?.isSameContent(as: former.stamp) == true {
      place.removeTemporary()
      former.file.closeElsewhere()
      return stamp
    }
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
  /// Lays what `source` holds into the folder, as `document` says; see `DocumentLaying`. What is `known` of
  /// the file that lies there is not read in it; `keep` is called for it before it is replaced. With the
  /// outcome comes what the file looks like that holds the version now, where nobody has written in it
  /// since. Blocks as long as the disks take; any thread.
  package func lay(
    _ document: LaidDocument, from source: some LaidSource,
    known: (FileStamp) -> ContentDigest? = { _ in nil },
    keep: (Descriptor, _ name: [UInt8], ContentDigest) throws(ContinuityError) -> Void,
    isCancelled: () -> Bool = { false }, progress: (UInt64) -> Void = { _ in }
  ) -> (outcome: LayingOutcome, stamp: FileStamp?) {
    guard !DocumentResolver.isKeptBack(document.path) else { return (.kept, nil) }
    return withoutActuallyEscaping(known) { known in
      withoutActuallyEscaping(keep) { keep in
        withoutActuallyEscaping(isCancelled) { isCancelled in
          DocumentLaying(
            folder: self, document: document, keep: keep, isCancelled: isCancelled, known: known
          ).lay(source, progress: progress)
        }
      }
    }
  }
}

extension Descriptor {
  /// Closes a file that has no name any more: on a thread of its own, if it is large, for that frees it.
  fileprivate func closeElsewhere() {
    guard let size = try? status().size, size >= ReceivedFile.copiedSize,
      (try? DetachedThread.start { [self] in close() }) != nil
    else { return close() }
  }
}
