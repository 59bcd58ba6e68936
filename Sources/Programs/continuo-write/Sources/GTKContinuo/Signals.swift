// SPDX-License-Identifier: MIT

public import CGtk

/// Any widget.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

/// What a signal calls; released with the object that sends it.
private final class Handler<Body> {
  let body: Body

  init(_ body: Body) { self.body = body }

  var box: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func of(_ box: UnsafeMutableRawPointer?) -> Body? {
    box.map { Unmanaged<Handler<Body>>.fromOpaque($0).takeUnretainedValue().body }
  }
}

/// Frees any `Handler`.
private let release: GClosureNotify = { box, _ in box.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }

/// Connections to signals of GTK's objects, each kind by a function of its own. A handler runs on the main
/// actor, in GTK's loop, and lives as long as the object that sends the signal: capture what owns that object
/// weakly.
@MainActor public enum Signals {
  /// What a plain signal calls.
  public typealias Plain = @MainActor () -> Void

  /// A signal without parameters and answer: `clicked`, `destroy`, `value-changed`.
  public static func connect(_ object: UnsafeMutableRawPointer, to signal: String, body: @escaping Plain) {
    write_on_plain(
      object, signal, { _, box in MainActor.assumeIsolated { Handler<Plain>.of(box)?() } }, Handler(body).box,
      release)
  }

  /// A property has another value.
  public static func connect(
    _ object: UnsafeMutableRawPointer, toChangeOf property: String, body: @escaping Plain
  ) {
    write_on_notify(
      object, "notify::\(property)", { _, _, box in MainActor.assumeIsolated { Handler<Plain>.of(box)?() } },
      Handler(body).box, release)
  }

  /// A key of settings has another value.
  public static func connect(settings: UnsafeMutablePointer<GSettings>, body: @escaping Plain) {
    write_on_change(
      settings, "changed", { _, _, box in MainActor.assumeIsolated { Handler<Plain>.of(box)?() } },
      Handler(body).box, release)
  }

  /// What an action calls, with the text that it was given.
  public typealias Action = @MainActor (String) -> Void

  /// An action is carried out.
  public static func connect(action: OpaquePointer, body: @escaping Action) {
    write_on_activate(
      action,
      { _, value, box in
        let text = value.map { String(cString: g_variant_get_string($0, nil)) } ?? ""
        MainActor.assumeIsolated { Handler<Action>.of(box)?(text) }
      }, Handler(body).box, release)
  }

  /// What is asked before a window closes.
  public typealias Close = @MainActor () -> Bool

  /// The person closes a window; true leaves it open.
  public static func connect(closing window: Widget, body: @escaping Close) {
    write_on_close(
      window, { _, box in MainActor.assumeIsolated { Handler<Close>.of(box)?() ?? false } ? 1 : 0 },
      Handler(body).box, release)
  }

  /// What a dialog calls.
  public typealias Response = @MainActor (Int) -> Void

  /// A dialog was answered.
  public static func connect(dialog: UnsafeMutableRawPointer, body: @escaping Response) {
    write_on_response(
      dialog, { _, answer, box in MainActor.assumeIsolated { Handler<Response>.of(box)?(Int(answer)) } },
      Handler(body).box, release)
  }

  /// What is called with the addresses of files.
  public typealias Open = @MainActor ([String]) -> Void

  /// Files are to be opened.
  public static func connect(opening application: UnsafeMutablePointer<GtkApplication>, body: @escaping Open)
  {
    write_on_open(
      application,
      { _, files, count, _, box in
        let addresses = (0..<Int(count)).compactMap { index -> String? in
          guard let file = files?[index], let address = write_file_uri(file) else { return nil }
          defer { g_free(address) }
          return String(cString: address)
        }
        MainActor.assumeIsolated { Handler<Open>.of(box)?(addresses) }
      }, Handler(body).box, release)
  }

  /// What is called before text is put in: the place, which may be moved behind what is put in, and the text.
  public typealias Insert = @MainActor (UnsafeMutablePointer<GtkTextIter>, String) -> Void

  /// Text is about to be put into a buffer.
  public static func connect(
    insertingInto buffer: UnsafeMutablePointer<GtkTextBuffer>, body: @escaping Insert
  ) {
    write_on_insert(
      buffer,
      { _, place, text, count, box in
        guard let place, let text else { return }
        nonisolated(unsafe) let at = place
        let bytes = UnsafeRawBufferPointer(start: text, count: count < 0 ? strlen(text) : Int(count))
        let fresh = String(decoding: bytes, as: UTF8.self)
        MainActor.assumeIsolated { Handler<Insert>.of(box)?(at, fresh) }
      }, Handler(body).box, release)
  }

  /// What is called before text is deleted: its two ends.
  public typealias Delete = @MainActor (GtkTextIter, GtkTextIter) -> Void

  /// Text is about to be deleted from a buffer.
  public static func connect(deletingFrom buffer: UnsafeMutablePointer<GtkTextBuffer>, body: @escaping Delete)
  {
    write_on_delete(
      buffer,
      { _, start, end, box in
        guard let start, let end else { return }
        nonisolated(unsafe) let range = (start.pointee, end.pointee)
        MainActor.assumeIsolated { Handler<Delete>.of(box)?(range.0, range.1) }
      }, Handler(body).box, release)
  }

  /// A mark of a buffer was moved, but not by an edit: the cursor, or an end of the selection.
  public static func connect(marking buffer: UnsafeMutablePointer<GtkTextBuffer>, body: @escaping Plain) {
    write_on_mark(
      buffer, { _, _, _, box in MainActor.assumeIsolated { Handler<Plain>.of(box)?() } }, Handler(body).box,
      release)
  }
}
