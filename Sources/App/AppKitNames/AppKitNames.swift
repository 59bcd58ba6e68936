// SPDX-License-Identifier: MIT
//
// Nothing but names: one source file can say `NSUserActivity` on macOS, where AppKit has it, and here.
// docs/authors/porting-from-appkit.md says what is the same behind each name and what is not.

@_exported public import ActivityModel
@_exported public import Documents
@_exported public import UserActivities

/// Apple's name for what the person is doing. Final here, and on the main actor.
public typealias NSUserActivity = UserActivity
/// Apple's name for whoever fills an unmanaged activity and is told of its continuation.
public typealias NSUserActivityDelegate = UserActivityDelegate
/// Apple's name for what `restorationHandler` takes.
public typealias NSUserActivityRestoring = UserActivityRestoring

/// Apple's name for an object of the responder chain; no events come to it here.
public typealias NSResponder = Responder
/// Apple's name for a document and its file; without windows, panels and undo here.
public typealias NSDocument = Document
/// Apple's name for the open documents and their classes; a class is made known by `register(_:name:)` here.
public typealias NSDocumentController = DocumentController

/// Apple's name for a version of a document's file; conflict copies beside it, and no history, here.
public typealias NSFileVersion = FileVersion

/// Apple's name for a window as far as Handoff needs one; the host tells it who has the focus here.
public typealias NSWindow = Window
/// Apple's name for what ties a window to its document; it loads and shows nothing here.
public typealias NSWindowController = WindowController

/// Apple's name for the app itself; the host runs the loop here, and makes the object first.
public typealias NSApplication = Application
/// Apple's name for what an app decides about continuations; every method may be left out here too.
public typealias NSApplicationDelegate = ApplicationDelegate

/// Apple's short way to `NSApplication.shared`.
@MainActor public var NSApp: NSApplication { NSApplication.shared }

/// What the methods of Xcode's document template throw until they are written: -4 in `NSOSStatusErrorDomain`.
public let unimpErr = -4
