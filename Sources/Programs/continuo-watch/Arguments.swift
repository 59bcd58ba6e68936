// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// What the command line asks for.
enum Arguments {
  case help
  case frames
  case print(Printing, [Directory])

  /// How hints are printed.
  struct Printing {
    /// Objects instead of sentences.
    var json = false
    /// What there is after each moment of quiet, instead of every hint.
    var settled = false
    /// The kernel's events, too.
    var raw = false
  }

  /// A folder to follow: as it was typed, and from the root of the file system.
  struct Directory {
    var given: [UInt8]
    var absolute: [UInt8]
  }

  static let helpText = """
    usage: continuo-watch --json [--settled] [--raw] DIR...
           continuo-watch --text [--raw] DIR...
           continuo-watch

    With --json, tells what changes in the folders and all below them, one JSON object a line:
      {"hint":"watching","root":"DIR","folders":3}     all that changes from here on is told
      {"hint":"changed","root":"DIR","path":["a","b"],"change":"created"}
          change: created, written, movedIn, movedOut, deleted, attributes
      {"hint":"moved","root":"DIR","from":["a"],"to":["b"],"folder":false}
      {"hint":"rescan","root":"DIR","path":[]}         events were lost: look at all below
      {"hint":"watchLimit","root":"DIR","path":["a"],"limit":8192}
      {"hint":"polling","root":"DIR","folders":7,"reason":"..."}   no event tells of these: they are looked at
      {"hint":"synchronized","root":"DIR","cookie":"00ff"}
      {"hint":"rootLost","root":"DIR","reason":"..."}
    A name that is not UTF-8 is {"hex":"..."}. A file .continuo-cookie-00ff~ made in DIR, or in DIR/.continuo,
    is answered by "synchronized" when all that came before it has been told.

    With --settled, waits until a name was quiet for a moment, and tells what is there then:
      {"look":"file","root":"DIR","path":["a"],"size":12}   or "folder", "other", "gone", "below"
    With --text, the same as sentences. With --raw, what the kernel reports, too:
      {"event":["closeWrite"],"watch":3,"name":"a","cookie":0}

    Without arguments it speaks frames with the agent on standard input and output.

    Exit codes: 0 the reader or the input ended, 1 it cannot go on, 2 wrong usage.

    """

  /// The arguments as bytes: names need not be UTF-8.
  static func raw() -> [[UInt8]] { Array(CurrentProcess.arguments.dropFirst()) }

  static func parse(_ arguments: [[UInt8]]) throws(Failure) -> Arguments {
    var directories: [[UInt8]] = []
    var printing = Printing()
    var sentences = false
    var optionsEnded = false
    for argument in arguments {
      let text = String(decoding: argument, as: UTF8.self)
      switch text {
      case _ where optionsEnded: directories.append(argument)
      case "--help", "-h": return .help
      case "--json": printing.json = true
      case "--text": sentences = true
      case "--settled": printing.settled = true
      case "--raw": printing.raw = true
      case "--": optionsEnded = true
      case _ where text.hasPrefix("-"):
        throw .usage("There is no option \(text); see continuo-watch --help.")
      default: directories.append(argument)
      }
    }
    return try chosen(printing, text: sentences, directories)
  }

  private static func chosen(
    _ printing: Printing, text: Bool, _ directories: [[UInt8]]
  ) throws(Failure) -> Arguments {
    let prints = printing.json || text
    if printing.json, text { throw .usage("Say --json or --text, not both.") }
    if !prints, !directories.isEmpty || printing.settled || printing.raw {
      throw .usage("Say --json or --text before a folder; see continuo-watch --help.")
    }
    if prints, directories.isEmpty { throw .usage("Name at least one folder to watch.") }
    if !prints, BorrowedDescriptor.standardInput.isTerminal {
      throw .usage("Without arguments this program is for the agent; say continuo-watch --json DIR.")
    }
    guard prints else { return .frames }
    var printing = printing
    printing.settled = printing.settled || text
    return .print(printing, try directories.map { given throws(Failure) in try directory(given) })
  }

  private static func directory(_ given: [UInt8]) throws(Failure) -> Directory {
    let name = String(decoding: given, as: UTF8.self)
    guard !given.isEmpty else { throw .runtime("\(name): a folder needs a name; check the path.") }
    let kind: FileKind
    do throws(Errno) {
      kind = try FilePath(bytes: given).status().kind
    } catch {
      throw .runtime("\(name): \(error.text); check the path.")
    }
    guard kind == .folder else {
      throw .runtime("\(name) is not a folder; name the folder that holds it.")
    }
    if given.first == UInt8(ascii: "/") { return Directory(given: given, absolute: given) }
    do throws(Errno) {
      return Directory(given: given, absolute: try FilePath.workingFolder().appending(given).bytes)
    } catch {
      throw .runtime("The current folder is gone: \(error.text); change to another one.")
    }
  }
}
