// SPDX-License-Identifier: MIT

import Glibc

/// How a file is opened; see open(2). Every descriptor is closed in programs that this one starts.
public struct OpenFlags: OptionSet, Sendable {
  /// As the kernel numbers them.
  public let rawValue: CInt
  /// Flags with those bits.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// For reading alone.
  public static let readOnly: OpenFlags = []
  /// For writing alone.
  public static let writeOnly = OpenFlags(rawValue: O_WRONLY)
  /// For both.
  public static let readWrite = OpenFlags(rawValue: O_RDWR)
  /// Makes a file that is not there.
  public static let create = OpenFlags(rawValue: O_CREAT)
  /// With `create`: fails with `fileExists` for one that is there.
  public static let exclusive = OpenFlags(rawValue: O_EXCL)
  /// Empties a file that is there.
  public static let truncate = OpenFlags(rawValue: O_TRUNC)
  /// Each write goes to the end of the file.
  public static let append = OpenFlags(rawValue: O_APPEND)
  /// Fails with `notFolder` for anything but a folder.
  public static let folder = OpenFlags(rawValue: O_DIRECTORY)
  /// Fails with `symbolicLink` where the last name is one.
  public static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
  /// Waits for nothing, such as another end of a named pipe.
  public static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
  /// A terminal does not become this process's own.
  public static let noTerminal = OpenFlags(rawValue: O_NOCTTY)
  /// Neither for reading nor for writing: the place alone (`O_PATH`, which glibc hides from Swift; the same
  /// number on x86-64 and arm64).
  public static let placeOnly = OpenFlags(rawValue: 0o10_000_000)
  /// A file without a name in the folder that is opened (`O_TMPFILE`, which glibc hides from Swift).
  static let nameless = OpenFlags(rawValue: 0o20_000_000 | O_DIRECTORY)
}

/// What a rename does with a file that has the new name already; see renameat2(2).
public enum RenameMode: UInt32, Sendable {
  /// The file is replaced.
  case replacing = 0
  /// The rename fails with `fileExists`.
  case keeping = 1
  /// The two files exchange their names.
  case exchanging = 2
}

/// What a user may do with a file; see access(2).
public struct FileAccess: OptionSet, Sendable {
  /// As the kernel numbers them; none asks whether the file is there.
  public let rawValue: CInt
  /// Kinds of access with those bits.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// Read it, or list it.
  public static let read = FileAccess(rawValue: R_OK)
  /// Write it, or change what is in it.
  public static let write = FileAccess(rawValue: W_OK)
  /// Run it, or reach what is in it.
  public static let execute = FileAccess(rawValue: X_OK)
}
