// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Twelve words as a person gives them: typed, or in a file.
enum TypedWords {
  /// From the file, or standard input for `-`; asked for where none is given. Throws `invalidRequest` with
  /// what to do where they cannot be had.
  static func read(from file: String?) throws(ContinuityError) -> String {
    CurrentProcess.forbidDumps()
    if let file { return try file == "-" ? text(of: BorrowedDescriptor.standardInput) : text(ofFile: file) }
    guard BorrowedDescriptor.standardInput.isTerminal else {
      throw ContinuityError(
        .invalidRequest,
        description: "There is no terminal to ask for the words: give them with --words-file FILE, or - ."
      )
    }
    return asked()
  }

  /// Typed on the terminal, in one row or several.
  static func asked() -> String {
    CurrentProcess.forbidDumps()
    Terminal.ask("Words: ")
    var words = ""
    while words.split(whereSeparator: { !$0.isLetter }).count < 12, let line = readLine() {
      words += line + " "
    }
    return words
  }

  private static func text(ofFile file: String) throws(ContinuityError) -> String {
    do throws(Errno) {
      return text(of: try FilePath(file).open(.readOnly))
    } catch {
      throw ContinuityError(
        .invalidRequest, subject: file,
        description: "\(file) cannot be read (\(error.text)): name the file that holds the twelve words.")
    }
  }

  /// Words need few bytes; what is longer is no file of words, and is refused as such by the count.
  private static func text(of file: some OpenDescriptor) -> String {
    String(decoding: (try? file.readToEnd(limit: 65536)) ?? [], as: UTF8.self)
  }
}
