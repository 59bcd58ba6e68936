// SPDX-License-Identifier: MIT

import Continuo

/// What the editor asks the person, and what the answers do.
extension EditorMachine {
  // MARK: Typed answers

  mutating func type(_ key: Key) -> [EditorAction] {
    guard var asked = prompt else { return [] }
    if asked.handle(key) {
      prompt = asked
      return asked.purpose == .find ? look(for: asked.answer) : []
    }
    switch key {
    case .enter: return accept(asked)
    case .control("g") where asked.purpose == .find, .function(3) where asked.purpose == .find:
      return search.map { [.find($0, next: true)] } ?? []
    case .escape, .control("q"), .control("g"):
      prompt = nil
      if case .saveAs = asked.purpose { say("Not saved") } else { say("") }
    default: break
    }
    return []
  }

  /// While a search is being typed, the first occurrence is shown.
  private mutating func look(for text: String) -> [EditorAction] {
    search = TextSearch(text) ?? search
    return TextSearch(text).map { [.find($0, next: false)] } ?? []
  }

  private mutating func accept(_ asked: LinePrompt) -> [EditorAction] {
    let answer = asked.answer
    if answer.isEmpty, !asked.purpose.takesNothing { return [] }
    prompt = nil
    switch asked.purpose {
    case .saveAs(let after): return [.saveAs(answer, then: after)]
    case .open: return [.open(answer)]
    case .kept: return [.findKept(words: answer)]
    case .find: return answer.isEmpty ? search.map { [.find($0, next: true)] } ?? [] : []
    case .goToLine: return goToLine(answer)
    case .replace:
      search = TextSearch(answer)
      prompt = search.map { LinePrompt(purpose: .replacement(of: $0)) }
      return []
    case .replacement(let search):
      question = .replacing(search, with: answer)
      return [.find(search, next: false)]
    }
  }

  private mutating func goToLine(_ answer: String) -> [EditorAction] {
    guard let line = Int(answer.filter { $0 != " " }) else {
      say("\(answer) is no line number")
      return []
    }
    return [.edit(.goTo(line: line))]
  }

  // MARK: Keys as answers

  /// Nil when nothing was asked, or the key is no answer: then the question is gone, and the key means what
  /// it always means.
  mutating func answer(_ key: Key, _ document: DocumentFacts) -> [EditorAction]? {
    guard let asked = question, !key.isMouse else { return nil }
    question = nil
    switch (asked, key.letter) {
    case (.unsaved, "s") where document.isBeingSaved, (.unsaved, "d") where document.isBeingSaved,
      (.savedMeanwhile, "d"):
      // There is nothing to decide about yet, or any more.
      question = asked
      return []
    case (.savedMeanwhile(let isQuitting), _) where key == .enter || key.letter == "s":
      return isQuitting ? [.quit(saving: false)] : [.close(saving: false)]
    case (.unsaved(_, let isQuitting), "s"):
      return isQuitting ? [.quit(saving: true)] : [.close(saving: true)]
    case (.unsaved(_, let isQuitting), "d"):
      return isQuitting ? [.quit(saving: false)] : [.close(saving: false)]
    case (.changedOnDisk, "k"): return [.keepMine]
    case (.changedOnDisk, "l"): return [.loadTheirs]
    case (.replacing(let search, let text), "y"):
      question = asked
      return [.replace(search, with: text)]
    case (.replacing(let search, _), "n"):
      question = asked
      return [.find(search, next: true)]
    case (.replacing(let search, let text), "a"): return [.replaceAll(search, with: text)]
    case (.kept(let kept), _) where kept.chosen(by: key) != nil:
      return kept.chosen(by: key).map { [.openKept($0)] }
    case (.copies(let copies), _) where copies.chosen(by: key) != nil:
      return copies.chosen(by: key).map { [.openCopy($0)] }
    default: return key == .escape ? [] : nil
    }
  }

  mutating func noteFound(_ kept: [KeptActivity], having words: String) {
    guard prompt == nil, question == nil else { return }
    guard kept.isEmpty else { return question = .kept(kept) }
    say(words.isEmpty ? "No app has kept anything for search" : "Nothing kept for search has: \(words)")
  }

  /// What was asked must still be true when it is answered: documents save themselves meanwhile.
  mutating func reviseQuestion(_ document: DocumentFacts) {
    guard case .unsaved(let names, let isQuitting) = question else { return }
    let unsaved = document.unsaved(isQuitting: isQuitting)
    guard unsaved != names else { return }
    question =
      unsaved.isEmpty ? .savedMeanwhile(isQuitting: isQuitting) : .unsaved(unsaved, isQuitting: isQuitting)
  }

  /// Says once of a document that nothing of it is offered.
  mutating func noteFolder(_ document: DocumentFacts) {
    guard document.hasFile, document.isInSyncedFolder == false, message == nil, prompt == nil,
      question == nil,
      toldPlaces.insert("\(document.folder)/\(document.name)").inserted
    else { return }
    say(
      "\(document.name) lies in no synced folder: nothing is offered; `continuo folder add FOLDER` "
        + "registers one")
  }

  /// Control-D: what is undecided about the document.
  mutating func decide(_ document: DocumentFacts) {
    if document.isChangedOnDisk {
      question = .changedOnDisk
    } else if !document.copies.isEmpty {
      question = .copies(document.copies)
    } else {
      say("Nothing is to be decided about \(document.name)")
    }
  }

  mutating func noteNotSaved(_ reason: String, _ isChangedOnDisk: Bool, _ document: DocumentFacts) {
    if isChangedOnDisk {
      question = .changedOnDisk
    } else {
      say("Not saved: \(reason)", isUrgent: true, isOfChanges: document.isEdited)
    }
  }

  /// What is said of a change of the file, and whether an offer must not hide it.
  static func sentence(_ news: FileNews, _ name: String) -> (String, isUrgent: Bool) {
    switch news {
    case .reloaded: ("\(name) changed on disk; its new text is shown", false)
    case .kept: ("\(name) changed on disk; your text is kept and not saved yet – Ctrl-D decides", true)
    case .moved(let name): ("The file is called \(name) now", false)
    case .deleted: ("\(name) was deleted on disk; Ctrl-S writes it again", true)
    case .conflict(let copies) where copies.isEmpty: ("\(name) has no conflict copy any more", false)
    case .conflict(let copies):
      ("\(name) has a conflict copy: \(copies.map(\.name).joined(separator: ", ")) – Ctrl-D shows", true)
    }
  }
}

extension DocumentFacts {
  /// The names of the documents with unsaved changes among those that are to be closed.
  func unsaved(isQuitting: Bool) -> [String] { (isEdited ? [name] : []) + (isQuitting ? otherEdited : []) }
}

extension Key {
  /// The letter typed, as a small one.
  fileprivate var letter: String? { if case .text(let text) = self { text.lowercased() } else { nil } }
}
