// SPDX-License-Identifier: MIT

/// What belongs to a file beside its bytes, owner and mode, and to the user: attributes of the kind `user.`,
/// and the access control list. Labels of security modules are given to a new file by the system.
public struct ExtendedAttributes: Hashable, Sendable {
  private var values: [[UInt8]: [UInt8]] = [:]

  private static let accessList = Array("system.posix_acl_access".utf8)
  private static let users = Array("user.".utf8)

  /// Nil when the file has some that cannot be read. A file system without attributes has none.
  public init?(of path: FilePath) {
    self.init(
      names: { () throws(Errno) in try path.attributeNames() },
      value: { (name) throws(Errno) in try path.attribute(name) })
  }

  /// The same of an open file.
  public init?(of file: some OpenDescriptor) {
    self.init(
      names: { () throws(Errno) in try file.attributeNames() },
      value: { (name) throws(Errno) in try file.attribute(name) })
  }

  private init?(names: () throws(Errno) -> [[UInt8]], value: ([UInt8]) throws(Errno) -> [UInt8]) {
    do throws(Errno) {
      for name in try Self.own(names) { values[name] = try value(name) }
    } catch {
      return nil
    }
  }

  /// Makes these the file's, and takes away others that it has, as a folder's default list gives; false when
  /// the file does not have exactly these afterwards.
  public func give(to file: Descriptor) -> Bool {
    do throws(Errno) {
      for name in try Self.own({ () throws(Errno) in try file.attributeNames() }) where values[name] == nil {
        try file.removeAttribute(name)
      }
      for (name, value) in values { try file.setAttribute(name, to: value) }
      return true
    } catch {
      return false
    }
  }

  /// Those that `list` names and that are the user's; none where the file system has none.
  private static func own(_ list: () throws(Errno) -> [[UInt8]]) throws(Errno) -> [[UInt8]] {
    do throws(Errno) {
      return try list().filter { $0 == accessList || $0.starts(with: users) }
    } catch {
      guard error == .notSupported || error == .noSuchCall else { throw error }
      return []
    }
  }
}

extension OpenDescriptor {
  /// Takes over owner and mode of another file; false where this user may not give the file away.
  public func adopt(_ status: FileStatus) -> Bool {
    do throws(Errno) {
      let own = try self.status()
      if own.owner != status.owner || own.group != status.group {
        try setOwner(status.owner, group: status.group)
      }
      if own.permissions != status.permissions || own.owner != status.owner {
        try setPermissions(status.permissions)
      }
      return true
    } catch {
      return false
    }
  }
}
