// SPDX-License-Identifier: MIT

/// The agent's number for one notification of the desktop; never given out twice while it runs.
public struct NotificationNumber: Hashable, Sendable, Comparable {
  /// The number.
  public let rawValue: UInt64
  /// A notification by number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// By number.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a person may press on a notification. `rawValue` is the key by which a notification server tells.
public enum NotificationButton: String, Hashable, Sendable, CaseIterable {
  /// Continue here. It is the notification's body as well.
  case resume = "continue"
  /// Continue it and, each by itself, what is open beside it there.
  case resumeAll = "continue-all"
  /// Say nothing of it until the other device leaves it and takes it up again.
  case notNow = "not-now"
}

/// What a notification tells: the facts, from which `text(in:time:)` makes the words.
public enum OfferNotification: Hashable, Sendable {
  /// One offer.
  case one(Told)
  /// More offers than a person reads one by one: how many, and the newest of them.
  case several(count: UInt64, newest: [Told])

  /// What is told of an offer.
  public struct Told: Hashable, Sendable {
    /// The document, or the activity's title; nil where it is not to be read by whoever passes by.
    public var title: String?
    /// The device that offers it.
    public var deviceName: String
    /// The app there, for people.
    public var appName: String
    /// When it last changed, to the minute.
    public var changedAt: WallTime
    /// With what it is continued.
    public var target: ContinuationTarget
    /// How many documents its app has open there beside it.
    public var besideCount: UInt64
    /// How far its continuation has come.
    public var state: State

    /// An offer that nobody has pressed yet. `changedAt` counts to the minute.
    public init(
      title: String?, deviceName: String, appName: String, changedAt: WallTime,
      target: ContinuationTarget = .app, besideCount: UInt64 = 0, state: State = .offered
    ) {
      let minute: UInt64 = 60_000
      (self.title, self.deviceName, self.appName, self.target) = (title, deviceName, appName, target)
      self.changedAt = WallTime(milliseconds: changedAt.milliseconds / minute * minute)
      self.besideCount = besideCount
      self.state = state
    }
  }

  /// How far a continuation has come.
  public enum State: Hashable, Sendable {
    /// It waits to be pressed.
    case offered
    /// It was pressed, and waits for the answer to whether that address is to be opened.
    case questioned(address: String)
    /// The version is awaited; how far it has come, in per cent.
    case arriving(Reason?, percent: UInt8?)
    /// It came to nothing.
    case failed(Reason)
  }
}

/// A notification in words. The texts are plain: whoever shows them escapes what its notation needs.
public struct NotificationText: Hashable, Sendable {
  /// One line.
  public var summary: String
  /// Several lines.
  public var body: String
  /// What may be pressed, in order, with the words on it.
  public var buttons: [(key: NotificationButton, label: String)]
  /// How far something has come; nil where nothing is under way.
  public var percent: UInt8?

  /// Equal texts look alike.
  public static func == (left: Self, right: Self) -> Bool {
    left.summary == right.summary && left.body == right.body && left.percent == right.percent
      && left.buttons.elementsEqual(right.buttons) { $0 == $1 }
  }

  /// Equal texts have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(summary)
    hasher.combine(body)
  }
}

extension OfferNotification {
  /// The words, cleaned for display. `time` writes a moment as the clock on the wall shows it.
  public func text(in language: ReasonLanguage, time: (WallTime) -> String) -> NotificationText {
    switch self {
    case .one(let told): told.text(in: language, time: time)
    case .several(let count, let newest):
      NotificationText(
        summary: language.phrase(.several, [.count: .number(count)]),
        body: newest.map { $0.line(in: language) }.joined(separator: "\n"), buttons: [], percent: nil)
    }
  }
}

extension OfferNotification.Told {
  fileprivate func text(in language: ReasonLanguage, time: (WallTime) -> String) -> NotificationText {
    var buttons = [(key: NotificationButton.resume, label: label(in: language))]
    if besideCount > 0 {
      buttons.append((.resumeAll, language.phrase(.continueAllButton, [.count: .number(besideCount + 1)])))
    }
    buttons.append((.notNow, language.phrase(.notNowButton)))
    let origin = language.phrase(.origin, [.app: .text(appName), .time: .text(time(changedAt))])
    switch state {
    case .offered:
      return NotificationText(summary: line(in: language), body: origin, buttons: buttons, percent: nil)
    case .questioned(let address):
      return NotificationText(
        summary: language.phrase(.pageQuestion),
        body: DisplayText.shown(address) + "\n" + language.phrase(.pageWarning),
        buttons: buttons.filter { $0.key != .resumeAll }, percent: nil)
    case .arriving(let reason, let percent):
      // A sentence about the document names it.
      let body = title == nil ? nil : reason?.sentence(in: language)
      return NotificationText(
        summary: line(in: language, opening: true), body: body ?? origin, buttons: [], percent: percent)
    case .failed(let reason):
      let body = title == nil ? origin : reason.sentence(in: language)
      return NotificationText(summary: line(in: language), body: body, buttons: buttons, percent: nil)
    }
  }

  /// What the button that continues says.
  private func label(in language: ReasonLanguage) -> String {
    switch target {
    case .app: language.phrase(.continueButton)
    case .defaultApp(let name): language.phrase(.openWithButton, [.app: .text(name)])
    case .browser: language.phrase(.openPageButton)
    }
  }

  /// What it is, in one line.
  fileprivate func line(in language: ReasonLanguage, opening: Bool = false) -> String {
    guard let title else {
      return language.phrase(opening ? .openingHidden : .continueHidden, [.device: .text(deviceName)])
    }
    return language.phrase(
      opening ? .opening : .continueTitle, [.document: .text(title), .device: .text(deviceName)])
  }
}
