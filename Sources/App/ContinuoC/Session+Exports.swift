// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding
import TextAnchors

// The doors of the library are what `continuo.h` declares; it tells of each what it does, who owns what, and
// how it fails. Nothing here may trap, whatever comes in.

/// The library's version, as the header numbers it.
@c(continuo_version)
public func continuoVersion() -> UInt32 {
  UInt32(CONTINUO_VERSION_MAJOR) << 16 | UInt32(CONTINUO_VERSION_MINOR)
}

/// Why the last call on this thread failed; any thread.
@c(continuo_last_error)
public func continuoLastError(_ sentence: UnsafeMutablePointer<continuo_text>?) -> continuo_status {
  let last = LastError.current
  sentence?.pointee = last.sentence
  return last.status
}

/// A new session of this thread.
@c(continuo_session_create)
public func continuoSessionCreate(
  _ app: UnsafePointer<continuo_app>?, _ callbacks: UnsafePointer<continuo_callbacks>?,
  _ session: UnsafeMutablePointer<continuo_session>?
) -> continuo_status {
  answering { () throws(Refusal) in
    guard let session else { throw .null("session") }
    var given = continuo_app()
    try Arguments.load(app, into: &given, "app")
    var heard = continuo_callbacks()
    if let callbacks { try Arguments.load(callbacks, into: &heard, "callbacks") }
    let identifier = try Arguments.text(given.identifier, "identifier", limit: 255)
    guard identifier.isEmpty || AppManifest.isIdentifier(identifier) else {
      throw Refusal(
        CONTINUO_ERROR_DECLARATION,
        "The app's identifier may have letters, digits, dots and hyphens, such as org.example.editor.")
    }
    var name = try Arguments.text(given.name, "name", limit: 256)
    if name.isEmpty { name = identifier.split(separator: ".").last.map(String.init) ?? "" }
    var program: String?
    if given.program.length != 0 {
      let path = try Arguments.path(given.program.bytes, given.program.length, "program")
      guard let text = String(validating: path, as: UTF8.self) else {
        throw .argument("The path of the program is not UTF-8; link it from a path that is.")
      }
      program = text
    }
    let unit = try Arguments.unit(given.columns)
    session.pointee = Sessions.add(
      HostSession(
        manifest: AppManifest(appID: identifier, name: name), program: program, unit: unit, callbacks: heard))
  }
}

/// Ends a session, once what waits is sent.
@c(continuo_session_destroy)
public func continuoSessionDestroy(_ session: continuo_session, _ milliseconds: UInt32) -> continuo_status {
  answering(session) { host throws(Refusal) in
    host.destroy(within: .milliseconds(Int64(min(milliseconds, 60_000))))
  }
}

/// An activity type that the app takes.
@c(continuo_declare_activity_type)
public func continuoDeclareActivityType(
  _ session: continuo_session, _ type: UnsafePointer<UInt8>?, _ typeLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.checkUnconnected()
    let type = try Arguments.activityType(type, typeLength)
    guard host.manifest.activityTypes.count < Arguments.declarationLimit else {
      throw .limit("More than \(Arguments.declarationLimit) activity types are declared.")
    }
    if !host.manifest.activityTypes.contains(type) { host.manifest.activityTypes.append(type) }
  }
}

/// A type of documents that the app edits.
@c(continuo_declare_document_type)
public func continuoDeclareDocumentType(
  _ session: continuo_session, _ type: UnsafePointer<continuo_document_type>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.checkUnconnected()
    guard host.manifest.documentTypes.count < Arguments.declarationLimit else {
      throw .limit("More than \(Arguments.declarationLimit) types of documents are declared.")
    }
    host.manifest.documentTypes.append(try Arguments.documentType(type))
  }
}

/// Other devices are offered what else is open.
@c(continuo_declare_open_documents)
public func continuoDeclareOpenDocuments(_ session: continuo_session) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.checkUnconnected()
    host.offersOpenDocuments = true
  }
}

/// All that an app's `Info.plist` tells, in Apple's keys.
@c(continuo_declare_info_plist)
public func continuoDeclareInfoPlist(
  _ session: continuo_session, _ path: UnsafePointer<UInt8>?, _ pathLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.checkUnconnected()
    let path = try Arguments.path(path, pathLength)
    let bytes = try Declarations.contents(of: path)
    let read: AppManifest
    do throws(ContinuityError) {
      read = try ManifestReader.manifest(from: bytes, file: DisplayText.shown(path))
    } catch {
      throw Refusal(error, otherwise: CONTINUO_ERROR_DECLARATION)
    }
    try Declarations.merge(read, into: &host.manifest)
  }
}

/// Connects to the agent, now or when it can be reached.
@c(continuo_connect)
public func continuoConnect(_ session: continuo_session) -> continuo_status {
  answering(session) { host throws(Refusal) in try host.connect() }
}

/// What to poll for input; -1 without one.
@c(continuo_descriptor)
public func continuoDescriptor(_ session: continuo_session) -> Int32 {
  var descriptor: Int32 = -1
  _ = answering(session) { host throws(Refusal) in descriptor = try host.connected().descriptor }
  return descriptor
}

/// Does what is due and calls back.
@c(continuo_dispatch)
public func continuoDispatch(_ session: continuo_session) -> continuo_status {
  answering(session) { host throws(Refusal) in try host.dispatch() }
}

/// Whether the agent hears what is said.
@c(continuo_is_connected)
public func continuoIsConnected(
  _ session: continuo_session, _ isConnected: UnsafeMutablePointer<Int32>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    guard let isConnected else { throw .null("is_connected") }
    isConnected.pointee = host.embedded?.isConnected == true ? 1 : 0
  }
}

/// Lets a round that waits for quiet begin at the next dispatch.
@c(continuo_hasten)
public func continuoHasten(_ session: continuo_session) -> continuo_status {
  answering(session) { host throws(Refusal) in try host.connected().hasten() }
}

/// Takes the list of synced folders.
@c(continuo_folder_count)
public func continuoFolderCount(
  _ session: continuo_session, _ count: UnsafeMutablePointer<Int>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let count else { throw .null("count") }
    host.takenFolders = embedded.roots
    count.pointee = host.takenFolders.count
  }
}

/// One of the synced folders that were taken.
@c(continuo_folder_at)
public func continuoFolderAt(
  _ session: continuo_session, _ index: Int, _ path: UnsafeMutablePointer<continuo_text>?,
  _ name: UnsafeMutablePointer<continuo_text>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    _ = try host.connected()
    guard host.takenFolders.indices.contains(index) else {
      throw .absent("There is no folder at that index; ask continuo_folder_count() how many there are.")
    }
    let folder = host.takenFolders[index]
    path?.pointee = host.borrowed.text(folder.path)
    name?.pointee = host.borrowed.text(folder.name)
  }
}
