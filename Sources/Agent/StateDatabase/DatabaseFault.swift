// SPDX-License-Identifier: MIT

import GRDB

/// Why the database does not do what was asked of it, and thereby what is to be done about it.
public enum DatabaseFault: Error, Sendable {
  /// What it holds cannot be trusted: it is set aside, and another begun.
  case damaged(String)
  /// It is sound and cannot be used now: a full disk, no permission. Tried again later.
  case unavailable(String)
  /// A newer release wrote it: it is left alone.
  case newer

  /// What any error of the database means.
  public init(_ error: any Error) {
    switch error {
    case let fault as DatabaseFault: self = fault
    case let error as DatabaseError: self = Self.fault(of: error)
    default: self = .damaged("its columns hold what this release does not write")
    }
  }

  /// Whether the file itself is damaged, and not another program's. A statement that SQLite does not take is
  /// damage only at the file's opening: by what its tables' declarations became.
  public static func isDamage(_ error: any Error, atOpening isOpening: Bool) -> Bool {
    guard let error = error as? DatabaseError else {
      if case .damaged(let reason)? = error as? DatabaseFault { return reason != foreign }
      return false
    }
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_IOERR: return true
    case .SQLITE_ERROR: return isOpening
    default: return false
    }
  }

  static let foreign = "it is another program's database"

  private static func fault(of error: DatabaseError) -> DatabaseFault {
    switch error.resultCode {
    case .SQLITE_FULL: .unavailable("the disk is full; free some space")
    case .SQLITE_READONLY: .unavailable("it, or its directory, is read-only; make both writable")
    case .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
      .unavailable("it cannot be opened; give this user access to it and its directory")
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
      .unavailable("another program has it open; end that one")
    case .SQLITE_NOMEM, .SQLITE_INTERRUPT: .unavailable("there is too little memory; end other programs")
    case .SQLITE_IOERR:
      error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
        || error.extendedResultCode == .SQLITE_IOERR_CORRUPTFS
        ? .damaged("it ends in the middle") : .unavailable("the disk reports an error; check it")
    case .SQLITE_NOTADB: .damaged("it is no database")
    default: .damaged(error.message ?? "code \(error.extendedResultCode.rawValue)")
    }
  }
}
