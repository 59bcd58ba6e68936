// SPDX-License-Identifier: MIT

import ArgumentParser
import CNcurses
import Continuo
import Foundation
import LinuxSystem
import Logging
import TextEditing

/// The command line of the editor.
@main struct ContinuoEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "continuo-edit",
    abstract: "Edits a text file, and continues what was left on another device.",
    discussion: """
      In a synced folder the text, the cursor and the first visible line can be continued on the other \
      devices of the circle; what they offer is shown above the status line.
      Keys: F1 lists them all; Ctrl-S saves, Ctrl-Q quits, Enter or Ctrl-R continues an offer, F2 all that \
      is open there, Esc hides it.
      Colours are left out when NO_COLOR is set.

      Exit codes: 0 it was quit; 1 the file cannot be edited, or there is no terminal; 64 it was misspelt.
      """)

  @Argument(help: "The file to edit; one that does not exist is made by the first save.", completion: .file())
  var file: String?

  @Flag(help: "Continue the newest offer; waits up to 5 seconds for one.")
  var resume = false

  @Option(
    help: "Continue the offer whose ID begins so, as `continuo offers` prints it.",
    completion: .shellCommand("continuo ---completion resume -- positional@0 0 0 2>/dev/null"))
  var offer: String?

  @Flag(help: "With --resume or --offer: continue what is open there beside it, too.")
  var all = false

  func validate() throws {
    guard !all || resume || offer != nil else {
      throw ValidationError("--all goes with --resume or --offer.")
    }
  }

  /// A file alone needs nothing that reads command lines: that would take a tenth of the time until its text
  /// is there.
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 1, let file = words.first, !file.hasPrefix("-") else { return main(nil) }
    var command = Self()
    (command.file, command.resume, command.offer, command.all) = (file, false, nil, false)
    do { try command.run() } catch { exit(withError: error) }
  }

  func run() throws {
    do {
      try MainActor.assumeIsolated { try edit() }
    } catch let error as ContinuityError {
      Self.report(error.description)
      throw ExitCode(1)
    }
  }

  @MainActor private func edit() throws {
    // The screen is the terminal's: what the framework logs would stand in the midst of it. What a person
    // should know of it, the editor says in its own line.
    LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    Terminal.chooseCharacterSet()
    TextDocument.widths = CellWidths { Int(continuo_cell_width($0.value)) }
    let argument = try file.map { try FileArgument($0) }
    let application = try Application(
      manifest: nil, embeddedManifest: PackageResources.continuo_edit_Info_plist)
    DocumentController.shared.register(TextDocument.self, name: "TextDocument")
    DocumentController.shared.offersOpenDocuments = true
    let restored = RestoredTexts(in: application)
    let document = try argument.map { try Self.open($0) } ?? restored.documents.first ?? Self.untitled()
    let signals = try EditorLoop.catchSignals()
    let terminal = try Terminal()
    defer { terminal.close() }
    let deadline = resume || offer != nil ? Instant.now + .seconds(5) : nil
    let machine = EditorMachine(resumingUntil: deadline, offer: offer?.lowercased() ?? "", isAll: all)
    let session = EditorSession(application: application, document: document, machine: machine)
    application.delegate = session
    session.adopt(restored)
    application.connect()
    let ending = EditorLoop(terminal: terminal, session: session, signals: signals).run()
    let told = ending == nil ? [] : EditorLoop.wait { await session.rescue() }
    terminal.close()
    application.terminate()
    told.forEach(Self.report)
    if let ending { throw ExitCode(128 + ending.rawValue) }
  }

  @MainActor private static func untitled() -> TextDocument {
    let document = TextDocument()
    DocumentController.shared.addDocument(document)
    return document
  }

  @MainActor private static func open(_ argument: FileArgument) throws -> TextDocument {
    let opened = EditorLoop.wait { () -> Result<TextDocument, any Error> in
      do {
        return .success(try await TextDocument.open(argument, display: false))
      } catch {
        return .failure(error)
      }
    }
    do {
      return try opened.get()
    } catch {
      let name = argument.url.lastPathComponent
      throw ContinuityError(
        .documentUnreadable, subject: name, description: "\(name): \(error.sentence)")
    }
  }

  private static func report(_ sentence: String) {
    try? BorrowedDescriptor.standardError.writeAll(
      Array("continuo-edit: \(DisplayText.shown(sentence))\n".utf8))
  }
}
