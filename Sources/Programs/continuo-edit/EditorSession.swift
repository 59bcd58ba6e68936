// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import LinuxSystem
import TextEditing

/// The open documents and the one on the screen: carries out what `EditorMachine` decides, and reports back.
@MainActor final class EditorSession {
  let application: Application
  var document: TextDocument
  private(set) var layout = ScreenLayout(columns: 80, rows: 24)
  /// The last document was closed.
  var isFinished = false
  /// The open documents, in the order of their numbers.
  var documents: [TextDocument] = []
  private var clipboard = ""
  private var machine: EditorMachine
  /// The continuation that was asked for here.
  var request: RequestID?
  /// The device that it comes from.
  var acceptedFrom: String?
  /// What is awaited.
  var awaited = AwaitedDocuments()
  var isConnectionKnown = false
  /// The agent has told which folders are synced.
  var knowsFolders = false
  var isSaving = false
  /// What is to be saved when the save that runs has ended, in order.
  var laterSaves: [@MainActor () -> Void] = []
  /// The documents that are among them for their own place.
  var savesAgain: Set<ObjectIdentifier> = []
  /// The save that runs is the last thing before a document closes, or the editor ends.
  var isLeaving = false
  /// Keys since the person asked to go while a save ran, or since the save that was asked for at going began:
  /// what they change would be in no file. They mean what they mean once it has ended.
  private var heldKeys: [Key] = []
  /// The mouse's button went down on the text, where dragging selects.
  private var isPressedInText = false

  /// Shows `document`; `machine` decides.
  init(application: Application, document: TextDocument, machine: EditorMachine) {
    self.application = application
    self.document = document
    self.machine = machine
    show(document)
  }

  /// When the loop should send `.tick`.
  var wakeAt: Instant? { machine.wakeAt }

  /// The screen as it should be.
  var frame: Frame { layout.frame(document.editor, machine: machine, facts: facts) }

  private var facts: DocumentFacts {
    var facts = DocumentFacts(of: document)
    facts.isBeingSaved = documents.contains { $0.isDocumentEdited && $0.isSaving }
    facts.number = (documents.firstIndex { $0 === document } ?? 0) + 1
    facts.count = documents.count
    facts.otherEdited = documents.filter { $0 !== document && $0.isDocumentEdited }.map(\.textName)
    return facts
  }

  /// The terminal has another size.
  func resize(_ layout: ScreenLayout) {
    self.layout = layout
    document.resize(width: layout.columns, height: layout.textRows)
  }

  /// Lets the machine decide, and does it. The mouse counts on the text only.
  func handle(_ event: EditorEvent) {
    if case .key(.mouse(let did, let row, _)) = event {
      if did == .press { isPressedInText = row < layout.textRows }
      if did == .press || did == .drag, !isPressedInText { return }
    }
    if case .key(let key) = event, isHeld(key) { return heldKeys.append(key) }
    for action in machine.handle(event, document: facts, at: .now) { perform(action) }
  }

  private func isHeld(_ key: Key) -> Bool {
    isSaving && (isLeaving || !heldKeys.isEmpty || key == .control("q") || key == .control("w"))
  }

  /// After a save: until one of the keys begins another.
  func releaseKeys() {
    while !isSaving, !isFinished, !heldKeys.isEmpty { handle(.key(heldKeys.removeFirst())) }
  }

  private func perform(_ action: EditorAction) {
    switch action {
    case .edit(let command): edit(command)
    case .copy(let cutting):
      clipboard = document.editor.copiedText
      if cutting { edit(.cut) }
    case .paste: edit(.paste(clipboard))
    case .find(let search, let next): handle(.searched(document.find(search, next: next)))
    case .replace(let search, let text): handle(.searched(document.replace(search, with: text)))
    case .replaceAll(let search, let text):
      handle(.replaced(count: document.replaceAll(search, with: text)))
    case .findKept(let words): Task { handle(await .finding(words)) }
    case .openKept(let kept): Task { handle(await .opening(kept)) }
    case .save(let overwriting): saveInPlace(overwriting: overwriting)
    case .saveAs(let name, let after): saveAs(name, then: after)
    case .keepMine: keepMine()
    case .loadTheirs: loadTheirs()
    case .open(let path): open(path)
    case .openCopy(let copy): open(copy)
    case .show(let number): if documents.indices.contains(number - 1) { show(documents[number - 1]) }
    case .close(let saving): closeDocument(saving: saving)
    case .quit(let saving): quit(saving: saving)
    case .accept(let id, let isAll): accept(id, withAll: isAll)
    case .cancel: cancel()
    case .choose(let choice): choose(choice)
    }
  }

  private func edit(_ command: EditCommand) {
    if document.editor.exceedsSizeLimit(command) {
      handle(.notice("The text has reached 64 MB, the most that this editor opens"))
    } else {
      document.perform(command)
    }
  }
}
