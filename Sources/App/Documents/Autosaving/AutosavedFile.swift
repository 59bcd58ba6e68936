// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

/// The contents of a document that no file of its own holds yet, and the note beside them.
@MainActor
final class AutosavedFile {
  /// Holds the lock as long as there is a file in it.
  let folder: AutosaveFolder
  let contents: FilePath
  private let notePlace: FilePath
  private var isRemoved = false

  private static let noteEnd = Array("~note".utf8)

  /// An entry that is there, by the name of its contents.
  init(contents name: [UInt8], in folder: AutosaveFolder) {
    self.folder = folder
    contents = folder.path.appending(name)
    let stem = name.prefix { $0 != UInt8(ascii: ".") }
    notePlace = folder.path.appending(stem + Self.noteEnd)
  }

  /// A new one; its contents carry `fileExtension`, which tells their type.
  convenience init(in folder: AutosaveFolder, fileExtension: [UInt8]) {
    // One that is too long for any name beside it is no type that anybody knows.
    let isType = !fileExtension.isEmpty && fileExtension.count <= 128
    let end = isType ? [UInt8(ascii: ".")] + fileExtension : []
    self.init(contents: Self.randomName() + end, in: folder)
  }

  static func isNote(_ name: [UInt8]) -> Bool { name.suffix(noteEnd.count).elementsEqual(noteEnd) }

  static func randomName() -> [UInt8] {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    return (0..<16).compactMap { _ in letters.randomElement() }
  }

  /// Nil when there is none, or none that can be understood.
  var note: AutosaveNote? { (try? DocumentFile.read(notePlace)).flatMap { AutosaveNote($0.data) } }

  /// What writing it anew takes.
  func writing(_ data: Data, _ note: AutosaveNote) -> AutosaveWriting {
    AutosaveWriting(contents: contents, note: notePlace, data: data, noteData: note.bytes)
  }

  /// It is no longer needed. The contents go first: a note alone is nothing.
  func remove() {
    guard !isRemoved else { return }
    isRemoved = true
    try? contents.unlink()
    try? notePlace.unlink()
    folder.didRemoveFile()
  }
}

/// Puts contents and note where a crash leaves them, whole.
struct AutosaveWriting: Sendable {
  let contents: FilePath
  let note: FilePath
  let data: Data
  let noteData: Data

  /// On any thread; blocks until the disk has it. On a failure what was there before is still there.
  func perform() throws(ContinuityError) {
    // The note first: contents always have theirs.
    if (try? DocumentFile.read(note).data) != noteData { try Self.replace(note, noteData) }
    try Self.replace(contents, data)
  }

  private static func replace(_ path: FilePath, _ data: Data) throws(ContinuityError) {
    let directory = try DocumentFault.unless(path, "written") { () throws(Errno) in
      try path.parent.open([.readOnly, .folder])
    }
    let temporary = try TemporaryFile(directory, for: path, mode: 0o600)
    try temporary.fill(data)
    try temporary.move(.replacing) { DocumentFault.error(path, $0, "written") }
    try? directory.synchronize()
  }
}
