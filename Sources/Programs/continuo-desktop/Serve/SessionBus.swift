// SPDX-License-Identifier: MIT

import CDesktopGLib

/// This program's connection to the session bus, which is made again whenever it is lost. All on the main
/// loop's thread, and nothing waits.
final class SessionBus {
  /// A method to be called.
  struct Call {
    var destination: String
    var path: String
    var interface: String
    var method: String
    var arguments: [BusValue] = []
    /// Whether the bus starts who answers to that name.
    var isStarting = false
    var milliseconds: gint = 5000

    /// Of the bus itself.
    static func bus(_ method: String, _ arguments: [BusValue] = []) -> Call {
      Call(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        method: method, arguments: arguments)
    }

    /// Takes a name for this program, if nobody has it.
    static func takeName(_ name: String) -> Call { bus("RequestName", [.text(name), .number(doNotQueue)]) }

    /// Gives it back.
    static func giveBackName(_ name: String) -> Call { bus("ReleaseName", [.text(name)]) }

    /// `DBUS_NAME_FLAG_DO_NOT_QUEUE`.
    private static let doNotQueue: UInt32 = 4
  }

  /// Why a call came to nothing.
  struct Fault: Error {
    /// The bus's name of it, when another program or the bus said it.
    var name: String?
    /// For people, no whole sentence.
    var reason: String

    /// Whether nobody has the name that was called.
    var isNobodyThere: Bool {
      name == "org.freedesktop.DBus.Error.ServiceUnknown"
        || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
    }
  }

  /// Set before `connect`.
  var onConnect: () -> Void = {}
  var onLoss: () -> Void = {}
  /// Once for each time that the bus is away.
  var onProblem: (String) -> Void = { _ in }

  private let address: String?
  private var connection: OpaquePointer?
  private var closing: gulong = 0
  private var pause: guint = 1
  private var isProblemTold = false
  private var timer: LoopTimer?

  private static let longestPause: guint = 30

  /// - Parameter address: As in `DBUS_SESSION_BUS_ADDRESS`; nil when there is no session.
  init(address: String?) { self.address = address }

  /// Where the bus is, by this environment.
  static func address(_ environment: Variables) -> String? {
    if let address = environment[Array("DBUS_SESSION_BUS_ADDRESS".utf8)], !address.isEmpty {
      return String(decoding: address, as: UTF8.self)
    }
    guard let folder = environment[Array("XDG_RUNTIME_DIR".utf8)], !folder.isEmpty else { return nil }
    return String(decoding: address(ofSocket: folder + Array("/bus".utf8)), as: UTF8.self)
  }

  static func address(ofSocket path: [UInt8]) -> [UInt8] {
    guard let escaped = withText(path, { g_dbus_address_escape_value($0) }) else { return [] }
    defer { g_free(escaped) }
    return Array("unix:path=".utf8) + Array(String(cString: escaped).utf8)
  }

  var isConnected: Bool { connection != nil }

  /// Waits until all that was sent or answered has left: the last thing before the program ends.
  func flush() {
    if let connection { g_dbus_connection_flush_sync(connection, nil, nil) }
  }

  // MARK: Connecting

  func connect() {
    guard let address else {
      return problem("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
    }
    guard let cancellable = g_cancellable_new() else { return }
    let flags =
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
      | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
    g_dbus_connection_new_for_address(
      address, GDBusConnectionFlags(rawValue: flags), nil, cancellable,
      { _, result, context in
        guard let context else { return }
        Unmanaged<SessionBus>.fromOpaque(context).takeRetainedValue().answered(result)
      }, Unmanaged.passRetained(self).toOpaque())
    timer = LoopTimer(milliseconds: 5000) { g_cancellable_cancel(cancellable) }
    g_object_unref(cancellable)
  }

  private func answered(_ result: OpaquePointer?) {
    timer = nil
    var error: UnsafeMutablePointer<GError>?
    guard let made = g_dbus_connection_new_for_address_finish(result, &error) else {
      problem(Self.fault(error).reason)
      return connectLater()
    }
    connection = made
    pause = 1
    isProblemTold = false
    g_dbus_connection_set_exit_on_close(made, 0)
    let closed: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, gpointer?) -> Void =
      {
        _, _, _, context in LoopAction.of(context)?.run()
      }
    let action = LoopAction { [weak self] in self?.lost() }
    closing = g_signal_connect_data(
      UnsafeMutableRawPointer(made), "closed", unsafeBitCast(closed, to: GCallback.self), action.held,
      { context, _ in LoopAction.release(context) }, GConnectFlags(rawValue: 0))
    g_dbus_connection_is_closed(made) != 0 ? lost() : onConnect()
  }

  private func lost() {
    guard let connection else { return }
    self.connection = nil
    g_signal_handler_disconnect(UnsafeMutableRawPointer(connection), closing)
    g_object_unref(UnsafeMutableRawPointer(connection))
    onLoss()
    problem("it closed the connection")
    connectLater()
  }

  private func connectLater() {
    timer = LoopTimer(milliseconds: pause * 1000) { [weak self] in self?.connect() }
    pause = min(pause * 2, Self.longestPause)
  }

  private func problem(_ reason: String) {
    guard !isProblemTold else { return }
    isProblemTold = true
    onProblem("The session bus cannot be reached (\(reason)); nothing can be shown until it can.")
  }

  // MARK: Calling

  /// Calls `then` exactly once, at once when there is no connection.
  func call(_ call: Call, then: @escaping (Result<BusValue, Fault>) -> Void) {
    guard let connection else {
      return then(.failure(Fault(name: nil, reason: "the session bus cannot be reached")))
    }
    let reply = Reply(then: then)
    g_dbus_connection_call(
      connection, call.destination, call.path, call.interface, call.method,
      BusValue.tuple(call.arguments).variant(), nil,
      call.isStarting ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START, call.milliseconds, nil,
      { connection, result, context in
        guard let connection, let context else { return }
        let reply = Unmanaged<Reply>.fromOpaque(context).takeRetainedValue()
        var error: UnsafeMutablePointer<GError>?
        guard let value = g_dbus_connection_call_finish(OpaquePointer(connection), result, &error) else {
          return reply.then(.failure(SessionBus.fault(error)))
        }
        defer { g_variant_unref(value) }
        reply.then(.success(BusValue(value)))
      }, Unmanaged.passRetained(reply).toOpaque())
  }

  private final class Reply {
    let then: (Result<BusValue, Fault>) -> Void
    init(then: @escaping (Result<BusValue, Fault>) -> Void) { self.then = then }
  }

  /// Takes the error over.
  private static func fault(_ error: UnsafeMutablePointer<GError>?) -> Fault {
    guard let error else { return Fault(name: nil, reason: "GLib does not say why") }
    defer { g_error_free(error) }
    let name = g_dbus_error_get_remote_error(error)
    defer { g_free(name) }
    g_dbus_error_strip_remote_error(error)
    return Fault(
      name: name.map { String(cString: $0) },
      reason: error.pointee.message.map { String(cString: $0) } ?? "")
  }

  // MARK: Being called

  /// Puts an object of this program on the bus: see `BusObject`. False when there is no connection.
  func put(at path: String, described description: String, answer: @escaping BusObject.Answering) -> Bool {
    connection.map { BusObject.put(at: path, described: description, on: $0, answer: answer) } ?? false
  }

  // MARK: Listening

  /// Signals of an interface from one sender, until the subscription is let go or the connection is lost.
  func signals(
    from sender: String, interface: String, member: String? = nil, about: String? = nil,
    then: @escaping (String, BusValue) -> Void
  ) -> BusSignals? {
    connection.map {
      BusSignals($0, sender: sender, interface: interface, member: member, about: about, then: then)
    }
  }
}

/// A subscription, for as long as it is held.
final class BusSignals {
  private let connection: OpaquePointer
  private var number: guint = 0

  private final class Listener {
    let heard: (String, BusValue) -> Void
    init(_ heard: @escaping (String, BusValue) -> Void) { self.heard = heard }
  }

  /// - Parameter about: The first argument of the signals wanted.
  init(
    _ connection: OpaquePointer, sender: String, interface: String, member: String?, about: String?,
    then: @escaping (String, BusValue) -> Void
  ) {
    self.connection = connection
    g_object_ref(UnsafeMutableRawPointer(connection))
    number = g_dbus_connection_signal_subscribe(
      connection, sender, interface, member, nil, about, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, member, values, context in
        guard let member, let values, let context else { return }
        Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
          .heard(String(cString: member), BusValue(values))
      }, Unmanaged.passRetained(Listener(then)).toOpaque(),
      { context in
        if let context { Unmanaged<Listener>.fromOpaque(context).release() }
      })
  }

  deinit {
    g_dbus_connection_signal_unsubscribe(connection, number)
    g_object_unref(UnsafeMutableRawPointer(connection))
  }
}
