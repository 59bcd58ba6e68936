// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SyncedFolders

/// A document that the host has open. Numbers are never used again, so one of a closed document names
/// nothing.
public struct DocumentHandle: Hashable, Sendable, Comparable {
  /// From 1.
  public let rawValue: UInt64
  /// A handle by number; whether it names an open document is for the session to say.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Older ones are smaller.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The host's open documents.
struct DocumentTable {
  struct Entry {
    /// The resolved absolute path.
    var path: [UInt8]
    /// As the host calls it.
    var givenPath: [UInt8]
    /// The file that the host read or saved last; nil where it was gone by the time it was looked at.
    var mark: FileMark? { didSet { hasHadFile = hasHadFile || mark != nil } }
    /// Whether the host read or wrote a file, which can be taken from it.
    var hasHadFile: Bool
    /// The host holds text that the file does not.
    var isEdited = false
    /// Leads to the file as saved since the last round.
    var saved: OpenedFile?
    var activity: ActivityID?
    /// Where the person is in it.
    var place: TextPlace?
    /// Where the cursor is, for devices that show it.
    var cursorLine: UInt32?
    /// Its versions in conflict, as they were listed last.
    var versions: ConflictResolution?

    init(path: [UInt8], givenPath: [UInt8], mark: FileMark?, isEdited: Bool) {
      (self.path, self.givenPath, self.mark, self.isEdited) = (path, givenPath, mark, isEdited)
      hasHadFile = mark != nil
    }
  }

  private var entries: [DocumentHandle: Entry] = [:]
  private var last: UInt64 = 0

  var handles: [DocumentHandle] { entries.keys.sorted() }

  subscript(_ handle: DocumentHandle) -> Entry? {
    get { entries[handle] }
    set { entries[handle] = newValue }
  }

  func handle(at path: [UInt8]) -> DocumentHandle? {
    entries.filter { $0.value.path == path }.keys.min()
  }

  mutating func add(_ entry: Entry) -> DocumentHandle {
    last += 1
    entries[DocumentHandle(rawValue: last)] = entry
    return DocumentHandle(rawValue: last)
  }

  mutating func removeAll() { entries = [:] }
}

/// A file held open for reading, whatever its path names by now.
struct OpenedFile: Sendable {
  let file: Descriptor
  let mark: FileMark

  var descriptor: Int32 { file.number }

  /// Throws when it cannot be opened.
  init(_ path: [UInt8]) throws(Errno) {
    file = try FilePath(bytes: path).open([.readOnly, .nonBlocking])
    mark = try file.status().stamp.mark
  }

  /// Takes an open descriptor over; nil, and it is closed, when it leads to nothing.
  init?(adopting descriptor: Int32) {
    file = Descriptor(owning: descriptor)
    guard let status = try? file.status() else { return nil }
    mark = status.stamp.mark
  }
}

/// What the file system makes of paths.
enum FilePaths {
  /// Without links and dots; of a file that is not there its folder is resolved. Throws when
  /// neither is there.
  static func resolved(_ path: [UInt8]) throws(Errno) -> [UInt8] {
    do throws(Errno) {
      return try FilePath(bytes: path).realPath().bytes
    } catch {
      guard let cut = path.lastIndex(of: UInt8(ascii: "/")) else { throw error }
      let name = Array(path[(cut + 1)...])
      guard ![Array("".utf8), Array(".".utf8), Array("..".utf8)].contains(name) else { throw error }
      return try FilePath(bytes: Array(path[...cut])).realPath().appending(name).bytes
    }
  }

  /// What lies at `path` now, links followed.
  static func mark(_ path: [UInt8]) -> FileMark? { (try? OpenedFile(path))?.mark }
}
