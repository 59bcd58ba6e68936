// SPDX-License-Identifier: MIT

import ActivityModel
import CDesktopGLib
import LinuxSystem

/// The connection to the session's bus. Calls never wait; answers come in later turns of the main loop.
/// Main thread only.
final class SessionBus {
  /// What a call asks.
  struct Call {
    var name: String
    var path: String
    var interface: String
    var method: String
    /// Floating; nil for none.
    var arguments: OpaquePointer?
    /// In milliseconds.
    var patience: Int32 = 5000
    /// Whether the bus may start the service for it.
    var startsService = true
  }

  /// A signal: who sent it, which, and with what.
  struct Signal {
    var interface: String
    var member: String
    var arguments: OpaquePointer?
  }

  private final class Answer {
    let body: (OpaquePointer?, String?) -> Void
    init(_ body: @escaping (OpaquePointer?, String?) -> Void) { self.body = body }
  }

  private var connection: OpaquePointer?
  /// The connection is there, or not any more.
  var onChange: (Bool) -> Void = { _ in }
  /// A signal of one of the names in `listen`.
  var onSignal: (Signal) -> Void = { _ in }
  /// After how many seconds it is tried again.
  private var pause: UInt32 = 1

  var isConnected: Bool { connection != nil }

  /// Where the session's bus is: as the variable says, else in the runtime directory. GLib alone would
  /// start a bus of its own where there is none.
  static var address: String? {
    if let address = CurrentProcess.variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    guard let directory = CurrentProcess.variable("XDG_RUNTIME_DIR"), directory.hasPrefix("/"),
      (try? FilePath(directory + "/bus").status())?.kind == .socket,
      let escaped = g_dbus_address_escape_value(directory + "/bus")
    else { return nil }
    defer { g_free(escaped) }
    return "unix:path=" + String(cString: escaped)
  }

  /// Connects, and again when the connection is lost, ever slower: from one second to thirty.
  func connect() {
    guard let address = Self.address else { return retry() }
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    g_dbus_connection_new_for_address(
      address, flags, nil, nil,
      { _, result, context in
        guard let context else { return }
        let bus = Unmanaged<SessionBus>.fromOpaque(context).takeRetainedValue()
        bus.connected(g_dbus_connection_new_for_address_finish(result, nil))
      }, Unmanaged.passRetained(self).toOpaque())
  }

  private func connected(_ connection: OpaquePointer?) {
    guard let connection else { return retry() }
    self.connection = connection
    pause = 1
    g_dbus_connection_set_exit_on_close(connection, 0)
    let closed: @convention(c) (OpaquePointer?, gboolean, OpaquePointer?, gpointer?) -> Void = {
      _, _, _, context in
      guard let context else { return }
      Unmanaged<SessionBus>.fromOpaque(context).takeUnretainedValue().lost()
    }
    g_signal_connect_data(
      gpointer(connection), "closed", unsafeBitCast(closed, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
    onChange(true)
  }

  private func lost() {
    guard let former = connection else { return }
    connection = nil
    g_object_unref(gpointer(former))
    onChange(false)
    retry()
  }

  private func retry() {
    g_timeout_add_seconds(
      pause,
      { context in
        if let context { Unmanaged<SessionBus>.fromOpaque(context).takeRetainedValue().connect() }
        return 0
      }, Unmanaged.passRetained(self).toOpaque())
    pause = min(pause * 2, 30)
  }

  /// Hears the signals of that name and interface from now on; `first` must be their first argument, where
  /// given.
  func listen(to name: String, interface: String, first: String? = nil) {
    guard let connection else { return }
    g_dbus_connection_signal_subscribe(
      connection, name, interface, nil, nil, first, GDBusSignalFlags(rawValue: 0),
      { _, _, _, interface, member, arguments, context in
        guard let context, let interface, let member else { return }
        Unmanaged<SessionBus>.fromOpaque(context).takeUnretainedValue().onSignal(
          Signal(
            interface: String(cString: interface), member: String(cString: member), arguments: arguments))
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  /// Calls, and answers with the reply or with what went wrong, once.
  func call(_ call: Call, answer: @escaping (_ reply: OpaquePointer?, _ failure: String?) -> Void) {
    guard let connection else {
      if let arguments = call.arguments { g_variant_unref(g_variant_ref_sink(arguments)) }
      return answer(nil, "No session bus can be reached.")
    }
    let flags = call.startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
    g_dbus_connection_call(
      connection, call.name, call.path, call.interface, call.method, call.arguments, nil, flags,
      call.patience, nil,
      { source, result, context in
        guard let context else { return }
        let answer = Unmanaged<Answer>.fromOpaque(context).takeRetainedValue()
        var problem: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_finish(OpaquePointer(source), result, &problem)
        if let reply {
          answer.body(reply, nil)
          g_variant_unref(reply)
        } else {
          answer.body(nil, problem?.pointee.message.map { String(cString: $0) } ?? "It gave no reason.")
        }
        if let problem { g_error_free(problem) }
      }, Unmanaged.passRetained(Answer(answer)).toOpaque())
  }

  /// Waits until what was sent is on its way.
  func flush() {
    if let connection { g_dbus_connection_flush_sync(connection, nil, nil) }
  }
}
