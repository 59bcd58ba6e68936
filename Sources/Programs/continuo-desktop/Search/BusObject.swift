// SPDX-License-Identifier: MIT

import CDesktopGLib

/// An object of this program on the bus, as long as the program runs: each call is answered once, on the main
/// loop's thread.
enum BusObject {
  /// Answers a call of a method of an interface; nil where it has none.
  typealias Answering = (_ interface: String, _ method: String, _ arguments: BusValue) -> BusValue?

  private final class Handler {
    let answer: Answering
    init(_ answer: @escaping Answering) { self.answer = answer }
  }

  /// Lies as long as GLib may look at it, which is as long as the program runs.
  private static func makeTable() -> UnsafeMutablePointer<GDBusInterfaceVTable> {
    let table = UnsafeMutablePointer<GDBusInterfaceVTable>.allocate(capacity: 1)
    var calls = GDBusInterfaceVTable()
    calls.method_call = { _, _, _, interface, method, arguments, invocation, context in
      guard let interface, let method, let arguments, let invocation, let context else { return }
      let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
      let name = String(cString: method)
      guard let answer = handler.answer(String(cString: interface), name, BusValue(arguments)) else {
        return g_dbus_method_invocation_return_dbus_error(
          invocation, "org.freedesktop.DBus.Error.UnknownMethod", name)
      }
      g_dbus_method_invocation_return_value(invocation, answer.variant())
    }
    table.initialize(to: calls)
    return table
  }

  /// Puts an object with all interfaces of `description`, in the bus's own XML, at `path`. False when the bus
  /// or GLib refuses.
  static func put(
    at path: String, described description: String, on connection: OpaquePointer,
    answer: @escaping Answering
  ) -> Bool {
    guard let node = g_dbus_node_info_new_for_xml(description, nil) else { return false }
    defer { g_dbus_node_info_unref(node) }
    let table = makeTable()
    var isThere = true
    var place = node.pointee.interfaces
    while let interface = place?.pointee {
      let handler = Unmanaged.passRetained(Handler(answer)).toOpaque()
      let number = g_dbus_connection_register_object(
        connection, path, interface, table, handler,
        { context in
          if let context { Unmanaged<Handler>.fromOpaque(context).release() }
        }, nil)
      isThere = isThere && number != 0
      place = place?.advanced(by: 1)
    }
    return isThere
  }
}
