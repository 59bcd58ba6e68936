// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding

/// The host has read this file.
@c(continuo_document_open)
public func continuoDocumentOpen(
  _ session: continuo_session, _ path: UnsafePointer<UInt8>?, _ pathLength: Int,
  _ document: UnsafeMutablePointer<continuo_document>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let document else { throw .null("document") }
    let path = try Arguments.path(path, pathLength)
    do throws(ContinuityError) {
      document.pointee = host.handle(of: try embedded.open(path))
    } catch {
      throw Refusal(error)
    }
  }
}

/// The host shows it no longer.
@c(continuo_document_close)
public func continuoDocumentClose(_ session: continuo_session, _ document: continuo_document)
  -> continuo_status
{
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    embedded.close(document)
    host.documents.drop(document)
  }
}

/// Text or place changed.
@c(continuo_document_changed)
public func continuoDocumentChanged(
  _ session: continuo_session, _ document: continuo_document, _ isEdited: Int32
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.connected().changed(try host.document(document), isEdited: isEdited != 0)
  }
}

/// The host has just written the file.
@c(continuo_document_saved)
public func continuoDocumentSaved(_ session: continuo_session, _ document: continuo_document)
  -> continuo_status
{
  answering(session) { host throws(Refusal) in try host.connected().saved(try host.document(document)) }
}

/// The host has read the file anew.
@c(continuo_document_reread)
public func continuoDocumentReread(
  _ session: continuo_session, _ document: continuo_document
) -> continuo_status {
  answering(session) { host throws(Refusal) in try host.connected().reread(try host.document(document)) }
}

/// The document has another path.
@c(continuo_document_moved)
public func continuoDocumentMoved(
  _ session: continuo_session, _ document: continuo_document, _ path: UnsafePointer<UInt8>?, _ pathLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    let path = try Arguments.path(path, pathLength)
    do throws(ContinuityError) {
      try embedded.moved(document, to: path)
    } catch {
      throw Refusal(error)
    }
  }
}

/// The document is in front of the person.
@c(continuo_document_become_current)
public func continuoDocumentBecomeCurrent(
  _ session: continuo_session, _ document: continuo_document
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.connected().becomeCurrent(try host.document(document))
  }
}

/// It is in front no longer.
@c(continuo_document_resign_current)
public func continuoDocumentResignCurrent(
  _ session: continuo_session, _ document: continuo_document
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.connected().resignCurrent(try host.document(document))
  }
}

/// Where the person is in its text.
@c(continuo_document_set_place)
public func continuoDocumentSetPlace(
  _ session: continuo_session, _ document: continuo_document, _ place: UnsafePointer<continuo_place>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    var given = continuo_place()
    try Arguments.load(place, into: &given, "place")
    embedded.setPlace(host.textPlace(given), of: document)
  }
}

/// In which line the cursor is.
@c(continuo_document_cursor_moved)
public func continuoDocumentCursorMoved(
  _ session: continuo_session, _ document: continuo_document, _ line: Int64
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    guard let line = UInt32(exactly: line) else {
      throw .argument("\(line) is no line of a text; lines count from 0.")
    }
    embedded.cursorMoved(document, to: line)
  }
}

/// How the document stands to being offered.
@c(continuo_document_standing)
public func continuoDocumentStanding(
  _ session: continuo_session, _ document: continuo_document,
  _ standing: UnsafeMutablePointer<continuo_standing>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    guard let found = embedded.standing(of: document) else {
      throw .handle("The document is closed; open it first.")
    }
    var told = continuo_standing()
    told.activity = found.activity.map { host.activities.handle(of: .own($0)) } ?? 0
    told.folder = host.borrowed.text(found.folderName ?? "")
    told.activity_type = host.borrowed.text(found.activityType ?? "")
    told.reason = host.borrowed.text(found.reason ?? "")
    try Arguments.store(told, to: standing, "standing")
  }
}

/// The document's path, as the host gave it.
@c(continuo_document_path)
public func continuoDocumentPath(
  _ session: continuo_session, _ document: continuo_document, _ path: UnsafeMutablePointer<continuo_text>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let document = try host.document(document)
    guard let path else { throw .null("path") }
    path.pointee = host.borrowed.text(embedded.path(of: document) ?? [])
  }
}

/// The open document at a path.
@c(continuo_document_at)
public func continuoDocumentAt(
  _ session: continuo_session, _ path: UnsafePointer<UInt8>?, _ pathLength: Int,
  _ document: UnsafeMutablePointer<continuo_document>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let document else { throw .null("document") }
    guard let found = embedded.document(at: try Arguments.path(path, pathLength)) else {
      throw .absent("No document is open at that path; open it with continuo_document_open().")
    }
    document.pointee = host.handle(of: found)
  }
}
