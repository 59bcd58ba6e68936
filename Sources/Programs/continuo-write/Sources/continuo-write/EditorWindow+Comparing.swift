// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import TextEditing
import WindowEditing

/// Two texts of the document side by side.
extension EditorWindow {
  /// Where the texts of comparisons are kept; nil where there is no folder for the user's state.
  static var comparedTexts: URL? {
    OpenWindows.folder(environment: ProcessInfo.processInfo.environment)?.appending(path: "compared")
  }

  /// Shows a conflict copy beside the text; one of another document in that one's window.
  func show(_ copy: ConflictCopy) {
    let path = document.fileURL?.path(percentEncoded: false)
    if path != nil, path == ConflictCopies.document(of: copy) {
      showBoth(copy)
    } else {
      session.compare(copy, from: self)
    }
  }

  /// Shows `copy`, or what the file holds now, beside the text.
  func showBoth(_ copy: ConflictCopy? = nil) {
    guard let folder = Self.comparedTexts else {
      return handle(.notice("Two texts are compared only where there is a folder for your state (HOME)."))
    }
    guard face.share == nil else { return waitingForText.append { [weak self] in self?.showBoth(copy) } }
    endComparing()
    Task {
      await saving?.value
      do {
        let comparison = try await DocumentComparison.begin(
          document, with: copy, below: folder)
        guard !isClosed, comparing == nil, !comparison.isOutdated else {
          return comparison.end(isSaved: false)
        }
        show(comparison)
      } catch {
        guard !isClosed else { return }
        handle(.notice(error.sentence))
        if let copy { session.open(copy, from: self) }
      }
    }
  }

  private func show(_ comparison: DocumentComparison) {
    let view = ComparisonView(comparison)
    comparing = view
    write_box_insert(page, view.widget, face.scrolled)
    gtk_widget_set_visible(face.scrolled, 0)
    handle(.notice(""))
    gtk_widget_grab_focus(view.result)
  }

  /// The text alone is shown again; what was chosen and not saved is given up.
  func endComparing(isSaved: Bool = false) {
    guard let view = comparing else { return }
    comparing = nil
    view.comparison.end(isSaved: isSaved)
    gtk_widget_set_visible(face.scrolled, 1)
    write_box_remove(page, view.widget)
    refresh()
    gtk_widget_grab_focus(face.view)
  }

  func compare(_ choice: ComparisonView.Choice) {
    comparing?.choose(choice)
    refresh()
  }

  /// The text was changed by another device, or another program: what was chosen does not fit it.
  func noteComparedText() {
    guard comparing?.comparison.isOutdated == true else { return }
    endComparing()
    handle(
      .notice("\(document.textName) was changed meanwhile, so both are not shown any more – Ctrl-D shows"))
  }

  /// Saves what was chosen, in the document's file or at `url`; where the file is another one by now, that is
  /// compared.
  func saveCompared(as url: URL? = nil) {
    guard let comparison = comparing?.comparison, !comparison.isSaving else { return }
    let isElsewhere = url.map { !isOwn($0) } ?? false
    saving = Task.immediate {
      do {
        if isElsewhere, let url { try await comparison.save(as: url) } else { try await comparison.save() }
        session.noteFolder(of: document)
        endComparing(isSaved: true)
        handle(.saved(name: document.textName))
        // The copy is the former document's.
        if isElsewhere { forgetAsked() } else { ask(toRemove: comparison) }
      } catch {
        let isChanged = document.isChangedOnDisk(error)
        endComparing(isSaved: true)
        handle(.notSaved(reason: error.sentence, isChangedOnDisk: isChanged))
      }
    }
  }

  private func isOwn(_ url: URL) -> Bool {
    url.resolvingSymlinksInPath().path == document.fileURL?.resolvingSymlinksInPath().path
  }

  /// Nothing is asked about a copy any more: the document is another one, or was decided about.
  func forgetAsked() {
    (asked, compared) = (nil, nil)
    refresh()
  }

  private func ask(toRemove comparison: DocumentComparison) {
    guard let name = comparison.copyName else { return }
    compared = comparison
    asked = MessageBar(
      text: DisplayText.shown("\(document.textName) is saved. Its conflict copy \(name) is still there"),
      answers: [.removeCopy, .later])
    refresh()
  }

  /// The person has asked for it.
  func removeCopy() {
    guard let comparison = compared, let name = comparison.copyName else { return }
    compared = nil
    do {
      try comparison.removeCopy()
      handle(.notice("Removed the conflict copy \(name)"))
    } catch {
      handle(.notice(error.sentence))
    }
  }
}
