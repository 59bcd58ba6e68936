// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// What belongs to a file beside its bytes, owner and mode, and to the user: attributes of the kind `user.`,
/// and the access control list. Labels of security modules are given to a new file by the system.
public struct ExtendedAttributes: Hashable {
  private var values: [[UInt8]: [UInt8]] = [:]

  private static let accessList = Array("system.posix_acl_access".utf8)
  private static let users = Array("user.".utf8)

  /// Nil when the file has some that cannot be read. A file system without attributes has none.
  public init?(of path: FilePath) {
    let listed = Self.read { room, size in
      withCString(path.bytes) { continuo_list_attributes($0, room, size) }
    }
    guard let names = listed ?? (Self.isUnsupported ? [] : nil) else { return nil }
    for name in Self.own(names) {
      let value = Self.read { room, size in
        withCString(path.bytes) { place in
          withCString(name) { continuo_get_attribute(place, $0, room, size) }
        }
      }
      guard let value else { return nil }
      values[name] = value
    }
  }

  /// Makes these the file's, and takes away others that it has, as a folder's default list gives; false when
  /// the file does not have exactly these afterwards.
  public func give(to file: some OpenDescriptor) -> Bool {
    let listed = Self.read { room, size in continuo_list_attributes_of(file.number, room, size) }
    guard let names = listed ?? (Self.isUnsupported ? [] : nil) else { return false }
    for name in Self.own(names) where values[name] == nil {
      guard withCString(name, { continuo_remove_attribute(file.number, $0) }) == 0 else {
        return false
      }
    }
    for (name, value) in values {
      let result = withCString(name) { name in
        value.withUnsafeBytes { continuo_set_attribute(file.number, name, $0.baseAddress, $0.count) }
      }
      guard result == 0 else { return false }
    }
    return true
  }

  private static var isUnsupported: Bool { errno == EOPNOTSUPP || errno == ENOSYS }

  private static func own(_ list: [UInt8]) -> [[UInt8]] {
    list.split(separator: 0).map { Array($0) }.filter { $0 == accessList || $0.starts(with: users) }
  }

  /// Nil with errno set. What grew since it was measured is measured again.
  private static func read(_ call: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
    for _ in 0..<4 {
      let size = call(nil, 0)
      guard size >= 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size + 256)
      let count = bytes.withUnsafeMutableBytes { call($0.baseAddress, $0.count) }
      if count >= 0 { return Array(bytes.prefix(count)) }
      guard errno == ERANGE else { return nil }
    }
    return nil
  }
}
