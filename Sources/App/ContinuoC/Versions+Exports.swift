// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding

/// A version that the host was given the handle of.
struct HostVersion: Hashable {
  var document: DocumentHandle
  var version: EmbeddedSession.Version
}

/// Takes the list of a document's versions in conflict.
@c(continuo_file_version_count)
public func continuoFileVersionCount(
  _ session: continuo_session, _ document: continuo_document, _ count: UnsafeMutablePointer<Int>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    guard let count else { throw .null("count") }
    do throws(ContinuityError) {
      let versions = try embedded.listVersions(of: document)
      for known in host.versions.all { host.versions.drop(known) }
      host.takenVersions = versions.map { HostVersion(document: document, version: $0) }
      count.pointee = versions.count
    } catch {
      throw Refusal(error)
    }
  }
}

/// One of the versions that were taken.
@c(continuo_file_version_at)
public func continuoFileVersionAt(
  _ session: continuo_session, _ index: Int, _ info: UnsafeMutablePointer<continuo_file_version_info>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    _ = try host.connected()
    guard host.takenVersions.indices.contains(index) else {
      throw .absent(
        "There is no version at that index; ask continuo_file_version_count() how many there are.")
    }
    _ = try Arguments.checkedSize(info.map { UnsafePointer($0) }, "info")
    let taken = host.takenVersions[index]
    var told = continuo_file_version_info()
    told.version = host.versions.handle(of: taken)
    told.path = host.borrowed.text(taken.version.path)
    told.is_document = taken.version.isDocument ? 1 : 0
    told.is_readable = taken.version.isReadable ? 1 : 0
    told.device = host.borrowed.text(taken.version.device ?? "")
    told.put_aside = host.borrowed.text(taken.version.putAside ?? "")
    told.changed_at = taken.version.changedAt.milliseconds
    told.byte_count = taken.version.size
    try Arguments.store(told, to: info, "info")
  }
}

/// Keeps one, and puts the others aside.
@c(continuo_file_version_keep)
public func continuoFileVersionKeep(
  _ session: continuo_session, _ version: continuo_file_version, _ asideCount: UnsafeMutablePointer<Int>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let kept = host.versions[version] else {
      throw .handle("\(version) names no version of the list that was taken last; take it again.")
    }
    do throws(ContinuityError) {
      host.takenAside = try embedded.keepVersion(at: kept.version.path, of: kept.document)
    } catch {
      throw Refusal(error, otherwise: CONTINUO_ERROR_FILE)
    }
    for known in host.versions.all { host.versions.drop(known) }
    host.takenVersions = []
    asideCount?.pointee = host.takenAside.count
  }
}

/// Where one of the others is now.
@c(continuo_file_version_aside_at)
public func continuoFileVersionAsideAt(
  _ session: continuo_session, _ index: Int, _ path: UnsafeMutablePointer<continuo_text>?,
  _ reason: UnsafeMutablePointer<continuo_text>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    _ = try host.connected()
    guard host.takenAside.indices.contains(index) else {
      throw .absent("Nothing was put aside at that index; continuo_file_version_keep() tells how many.")
    }
    path?.pointee = host.borrowed.text(host.takenAside[index].path)
    reason?.pointee = host.borrowed.text(host.takenAside[index].reason ?? "")
  }
}
