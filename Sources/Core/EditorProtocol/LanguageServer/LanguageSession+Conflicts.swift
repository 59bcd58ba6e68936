// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

// Documents with conflict copies: both texts in the editor's own windows, and keeping one.
extension LanguageSession {
  mutating func tellConflict(_ path: [UInt8], _ copies: [FileURI]) {
    documents[path]?.copies = copies
    guard let document = documents[path], let first = copies.first else { return }
    let names = copies.prefix(3).map(LanguageWords.name).joined(separator: ", ")
    let sentence = "\(LanguageWords.name(document.uri)) is in conflict with \(names)"
    guard client.prompt == .ask else {
      return tell("\(sentence): code actions show a copy beside it, and keep one of them.", .warning)
    }
    askPerson(sentence, [Self.showCopy, Self.keepThis, Self.notNow], .conflict(path, first))
  }

  private static let showCopy = "Show the copy"
  private static let keepThis = "Keep what is here"

  mutating func answerConflict(_ path: [UInt8], _ copy: FileURI, _ button: String?, isKnown: Bool) {
    guard isKnown else { return tellConflict(path, documents[path]?.copies ?? []) }
    if button == Self.showCopy { open(copy) }
    if button == Self.keepThis, let uri = documents[path]?.uri { list(path, keeping: uri) }
  }

  /// What a command says about the document that the copy belongs to, or the current one.
  mutating func resolve(_ command: LanguageCommand, _ argument: String?) {
    let named = argument.flatMap { FileURI($0) }
    let path =
      named.flatMap { copy in
        documents.first { $0.value.copies.contains { $0.path == copy.path } }?.key
      } ?? current
    guard let path, let document = documents[path] else { return tell("No document is open.") }
    guard let copy = named ?? document.copies.first else {
      return tell(
        "No conflict copy lies beside \(LanguageWords.name(document.uri)): there is nothing to resolve.")
    }
    switch command {
    case .compare: open(copy)
    case .keepCopy: list(path, keeping: copy)
    default: list(path, keeping: document.uri)
    }
  }

  /// What is not saved would be lost to the version that is kept, or be kept in its place.
  private mutating func list(_ path: [UInt8], keeping kept: FileURI) {
    guard let document = documents[path] else { return }
    for each in [document] + document.copies.compactMap({ documents[$0.path] }) where each.isModified {
      return tell("\(LanguageWords.name(each.uri)) has unsaved changes: save them first.", .warning)
    }
    call(.versions(document.uri), .versions(path, keep: kept))
  }

  mutating func keep(_ path: [UInt8], _ kept: FileURI?, of found: JSONValue) {
    guard let document = documents[path], let kept, case .array(let versions)? = found["versions"] else {
      return
    }
    let wanted = versions.first { version in
      guard case .text(let text)? = version["uri"], let uri = FileURI(text) else { return false }
      return uri.path == kept.path || version["document"] == true && kept.path == path
    }
    guard case .text(let text)? = wanted?["uri"], let uri = FileURI(text) else {
      return tell(
        "No conflict copy lies beside \(LanguageWords.name(document.uri)): there is nothing to resolve.")
    }
    call(.resolve(document.uri, keep: uri), .resolve(path))
  }

  mutating func resolved(_ path: [UInt8], _ found: JSONValue) {
    documents[path]?.copies = []
    guard case .array(let aside)? = found["aside"] else { return }
    for each in aside {
      if case .text(let reason)? = each["reason"] {
        tell(reason, .warning)
      } else if case .text(let from)? = each["from"], case .text(let to)? = each["uri"],
        let old = FileURI(from),
        let new = FileURI(to)
      {
        tell("\(LanguageWords.name(old)) is in \(LanguageWords.path(new)) now.")
      }
    }
    timers[.stale(path)] = now + Self.reloading
  }
}
