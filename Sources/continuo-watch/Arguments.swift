// SPDX-License-Identifier: MIT

import Glibc

/// What the command line asks for.
enum Arguments {
  case help
  case frames
  case json([Directory])

  /// A folder to follow: as it was typed, and from the root of the file system.
  struct Directory {
    var given: [UInt8]
    var absolute: [UInt8]
  }

  static let helpText = """
    usage: continuo-watch --json DIR...
           continuo-watch

    With --json, tells what changes in the folders and all below them, one JSON object a line:
      {"hint":"watching","root":"DIR","folders":3}     all that changes from here on is told
      {"hint":"changed","root":"DIR","path":["a","b"],"change":"created"}
          change: created, written, movedIn, movedOut, deleted, attributes
      {"hint":"moved","root":"DIR","from":["a"],"to":["b"],"folder":false}
      {"hint":"rescan","root":"DIR","path":[]}         events were lost: look at all below
      {"hint":"watchLimit","root":"DIR","path":["a"],"limit":8192}
      {"hint":"synchronized","root":"DIR","cookie":"00ff"}
      {"hint":"rootLost","root":"DIR","reason":"..."}
    A name that is not UTF-8 is {"hex":"..."}. A file .continuo-cookie-00ff~ made in DIR, or in DIR/.continuo,
    is answered by "synchronized" when all that came before it has been told.

    Without arguments it speaks frames with the agent on standard input and output.

    Exit codes: 0 the reader or the input ended, 1 it cannot go on, 2 wrong usage.

    """

  /// The arguments as bytes: names need not be UTF-8.
  static func raw() -> [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  static func parse(_ arguments: [[UInt8]]) throws(Failure) -> Arguments {
    var directories: [[UInt8]] = []
    var json = false
    var optionsEnded = false
    for argument in arguments {
      let text = String(decoding: argument, as: UTF8.self)
      switch text {
      case _ where optionsEnded: directories.append(argument)
      case "--help", "-h": return .help
      case "--json": json = true
      case "--": optionsEnded = true
      case _ where text.hasPrefix("-"):
        throw .usage("There is no option \(text); see continuo-watch --help.")
      default: directories.append(argument)
      }
    }
    if !json, !directories.isEmpty { throw .usage("Say --json before a folder; see continuo-watch --help.") }
    if json, directories.isEmpty { throw .usage("Name at least one folder after --json.") }
    if !json, isatty(STDIN_FILENO) == 1 {
      throw .usage("Without arguments this program is for the agent; say continuo-watch --json DIR.")
    }
    return json ? .json(try directories.map { given throws(Failure) in try directory(given) }) : .frames
  }

  private static func directory(_ given: [UInt8]) throws(Failure) -> Directory {
    let name = String(decoding: given, as: UTF8.self)
    var status = stat()
    guard !given.isEmpty, given.withTerminator({ stat($0, &status) }) == 0 else {
      throw .runtime(
        "\(name): \(given.isEmpty ? "a folder needs a name" : systemReason(errno)); check the path.")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .runtime("\(name) is not a folder; name the folder that holds it.")
    }
    if given.first == UInt8(ascii: "/") { return Directory(given: given, absolute: given) }
    guard let current = getcwd(nil, 0) else {
      throw .runtime("The current folder is gone: \(systemReason(errno)); change to another one.")
    }
    defer { free(current) }
    let prefix = Array(UnsafeRawBufferPointer(start: current, count: strlen(current)))
    return Directory(given: given, absolute: prefix + [UInt8(ascii: "/")] + given)
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes as a C string; they hold no NUL.
  func withTerminator<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // A buffer with at least the terminator has an address.
      body(buffer.baseAddress!)
    }
  }
}
