// SPDX-License-Identifier: MIT

/// What is said to a person that is no reason: titles and buttons of notifications.
enum Phrase: Hashable, Sendable, CaseIterable {
  /// Of an offer: what, and on which device.
  case continueTitle
  /// The same, where the title is hidden.
  case continueHidden
  /// Of an offer that is being opened.
  case opening
  /// The same, where the title is hidden.
  case openingHidden
  /// Of an offer: the app there, and when it changed.
  case origin
  /// Of more offers than are told one by one.
  case several
  /// On the button that continues.
  case continueButton
  /// On the button that continues all that is open there.
  case continueAllButton
  /// On the button that opens the document with an app that does not know the activity.
  case openWithButton
  /// On the button that opens a web page.
  case openPageButton
  /// On the button that puts it off.
  case notNowButton
  /// Before a web page is opened that anybody on the way may read and change.
  case pageQuestion
  /// Why that is asked.
  case pageWarning
  /// Instead of buttons, where the desktop shows none.
  case withoutButtons

  /// What its template names.
  var slots: Set<Reason.Slot> {
    switch self {
    case .continueTitle, .opening: [.document, .device]
    case .continueHidden, .openingHidden: [.device]
    case .origin: [.app, .time]
    case .openWithButton: [.app]
    case .several, .continueAllButton: [.count]
    case .continueButton, .openPageButton, .notNowButton, .pageQuestion, .pageWarning, .withoutButtons: []
    }
  }
}

extension ReasonLanguage {
  /// What to type, where the desktop shows no buttons.
  package var withoutButtons: String { phrase(.withoutButtons) }

  /// A phrase with its slots filled, cleaned for display.
  func phrase(_ phrase: Phrase, _ fields: Reason.Fields = [:]) -> String {
    DisplayText.shown(phrases[phrase]?.text { slot in fields[slot].map(text(of:)) ?? "" } ?? "")
  }
}
