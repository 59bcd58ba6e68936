// SPDX-License-Identifier: MIT

import CLinux

// Extended attributes, by name and as bytes; see xattr(7). What grew since it was measured is measured again.

extension FilePath {
  /// The names of the attributes of what stands there; a link is a link. Throws what llistxattr(2) fails
  /// with, `notSupported` on a file system that has none.
  public func attributeNames() throws(Errno) -> [[UInt8]] {
    let list = try measured { room, size in
      withCString(bytes) { continuo_list_attributes($0, room, size) }
    }
    return LinuxSystem.attributeNames(in: list)
  }

  /// The value of an attribute; a link is a link. Throws what lgetxattr(2) fails with.
  public func attribute(_ name: [UInt8]) throws(Errno) -> [UInt8] {
    try measured { room, size in
      withCString(bytes) { path in withCString(name) { continuo_get_attribute(path, $0, room, size) } }
    }
  }
}

extension OpenDescriptor {
  /// The names of the file's attributes. Throws what flistxattr(2) fails with, `notSupported` on a file
  /// system that has none.
  public func attributeNames() throws(Errno) -> [[UInt8]] {
    LinuxSystem.attributeNames(
      in: try measured { room, size in continuo_list_attributes_of(number, room, size) })
  }

  /// The value of an attribute. Throws what fgetxattr(2) fails with.
  public func attribute(_ name: [UInt8]) throws(Errno) -> [UInt8] {
    try measured { room, size in withCString(name) { continuo_get_attribute_of(number, $0, room, size) } }
  }

  /// Sets an attribute, whether the file has it or not. Throws what fsetxattr(2) fails with.
  public func setAttribute(_ name: [UInt8], to value: [UInt8]) throws(Errno) {
    try calling {
      withCString(name) { name in
        value.withUnsafeBytes { continuo_set_attribute(number, name, $0.baseAddress, $0.count) }
      }
    }
  }

  /// Takes an attribute from the file. Throws what fremovexattr(2) fails with.
  public func removeAttribute(_ name: [UInt8]) throws(Errno) {
    try calling { withCString(name) { continuo_remove_attribute(number, $0) } }
  }
}

/// Each with a zero byte at its end, in the kernel's list.
private func attributeNames(in list: [UInt8]) -> [[UInt8]] { list.split(separator: 0).map { Array($0) } }

/// What a call gives that is asked for the size first; ERANGE says that the answer has grown since.
private func measured(_ call: (UnsafeMutableRawPointer?, Int) -> Int) throws(Errno) -> [UInt8] {
  var failure = Errno.outOfRange
  for _ in 0..<4 where failure == .outOfRange {
    let size = try calling { call(nil, 0) }
    var bytes = [UInt8](repeating: 0, count: size + 256)
    do throws(Errno) {
      let count = try calling { bytes.withUnsafeMutableBytes { call($0.baseAddress, $0.count) } }
      return Array(bytes.prefix(count))
    } catch {
      failure = error
    }
  }
  throw failure
}
