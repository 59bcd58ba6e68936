// SPDX-License-Identifier: MIT

/// A window as far as Handoff needs one: `NSWindow` without anything on the screen. The host makes one for
/// each window of its own and keeps it told who has the focus. Main actor only.
@MainActor
open class Window: Responder {
  /// Who manages the window. Not retained; set by the controller.
  public internal(set) weak var windowController: WindowController?

  /// Who gets the person's input; the window itself until `makeFirstResponder(_:)` named another. Not
  /// retained.
  public var firstResponder: Responder? { focused ?? self }
  private weak var focused: Responder?

  /// For which content an activity is continued in this window rather than in another one (semantics 8c).
  public var activationConditions = ActivationConditions()

  /// Windows that were made and not released, oldest first.
  static var all: [Reference] = []

  /// A window, for as long as somebody else keeps it.
  struct Reference {
    weak var window: Window?
  }

  /// A window without a controller.
  public override init() {
    super.init()
    Self.all.append(Reference(window: self))
  }

  isolated deinit {
    Self.all.removeAll { $0.window == nil }
    Application.current?.activityOwnerDidChange()
  }

  /// Makes `responder` the one that gets the person's input, nil the window itself: its chain is looked
  /// through for an activity when this is the main window (semantics 30). True, as nobody refuses here.
  @discardableResult
  open func makeFirstResponder(_ responder: Responder?) -> Bool {
    focused = responder === self ? nil : responder
    if isMainWindow { Application.current?.personDidMove() }
    return true
  }

  /// Whether the person is in this window.
  public var isMainWindow: Bool { Application.current?.mainWindow === self }

  /// Says that the person is in this window now.
  public func makeMain() { Application.current?.mainWindow = self }

  /// Brings the window to the front, where the person gets to it: the framework calls it for a window that
  /// was chosen for a continued activity. A host overrides it to bring up what is on the screen, and calls
  /// `super`, which makes it the main window.
  open func makeKeyAndOrderFront(_ sender: Any?) { makeMain() }
}

/// What ties a window to its document: `NSWindowController`. Main actor only.
@MainActor
open class WindowController: Responder {
  /// The window, which has this controller as its next responder unless it has another.
  public var window: Window? { didSet { if window !== oldValue { windowDidChange(from: oldValue) } } }

  /// The document that the window shows; set by `Document.addWindowController(_:)`. Not retained.
  public weak var document: Document? {
    didSet { if document !== oldValue { documentDidChange(from: oldValue) } }
  }

  /// A controller of `window`.
  public init(window: Window?) {
    self.window = window
    super.init()
    windowDidChange(from: nil)
  }

  isolated deinit { Application.current?.activityOwnerDidChange() }

  /// Sends the error on to the document, and without one up the chain.
  @discardableResult
  open override func presentError(_ error: any Error) -> Bool {
    guard let document else { return super.presentError(error) }
    return document.presentError(willPresentError(error))
  }

  private func windowDidChange(from former: Window?) {
    if let former, former.windowController === self {
      former.windowController = nil
      if former.nextResponder === self { former.nextResponder = nil }
    }
    window?.windowController = self
    if let window, window.nextResponder == nil { window.nextResponder = self }
    Application.current?.activityOwnerDidChange()
  }

  private func documentDidChange(from former: Document?) {
    former?.windowControllers.removeAll { $0 === self }
    if let document, !document.windowControllers.contains(where: { $0 === self }) {
      document.windowControllers.append(self)
    }
    Application.current?.activityOwnerDidChange()
  }
}

extension Document {
  /// Makes `controller` one of this document's; it is taken from another document that had it. When its
  /// window is the main one and nothing in the window has an activity, the document's becomes current.
  public func addWindowController(_ controller: WindowController) { controller.document = self }

  /// Takes `controller` from this document.
  public func removeWindowController(_ controller: WindowController) {
    if controller.document === self { controller.document = nil }
  }
}
