// SPDX-License-Identifier: MIT

import CDesktopGLib

/// An app by its desktop entry, which GLib reads.
final class DesktopEntry {
  /// Without `.desktop`.
  let id: String
  private let info: OpaquePointer

  /// Takes the reference over.
  private init(_ info: OpaquePointer, id: String) {
    self.info = info
    self.id = id
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(info)) }

  /// Nil when there is none, or its program is not there.
  static func named(_ id: String) -> DesktopEntry? {
    guard !id.isEmpty, !id.contains("/"), let info = g_desktop_app_info_new(id + ".desktop") else {
      return nil
    }
    return DesktopEntry(info, id: id)
  }

  /// The one that the person chose for files of that type, or for a scheme.
  static func forType(_ type: String) -> DesktopEntry? {
    guard let info = g_app_info_get_default_for_type(type, 0) else { return nil }
    let name = g_app_info_get_id(info).map { String(cString: $0) } ?? ""
    return DesktopEntry(info, id: name.hasSuffix(".desktop") ? String(name.dropLast(8)) : name)
  }

  /// For people.
  var name: String { String(cString: g_app_info_get_display_name(info)) }

  /// Whether the bus starts it.
  var isActivatable: Bool { g_desktop_app_info_get_boolean(info, "DBusActivatable") != 0 }

  var needsTerminal: Bool { g_desktop_app_info_get_boolean(info, "Terminal") != 0 }

  /// Whether it can be started without the bus.
  var isExecutable: Bool { exec != nil }

  private var exec: String? {
    guard let exec = g_desktop_app_info_get_string(info, "Exec") else { return nil }
    defer { g_free(exec) }
    return String(cString: exec)
  }

  /// The same app, behind these words.
  func inTerminal(_ words: [[UInt8]]) throws(DesktopFault) -> DesktopEntry {
    let group = "Desktop Entry"
    guard let path = g_desktop_app_info_get_filename(info), let exec, let keys = g_key_file_new() else {
      throw unusable("it says no program")
    }
    defer { g_key_file_unref(keys) }
    var error: UnsafeMutablePointer<GError>?
    guard g_key_file_load_from_file(keys, path, G_KEY_FILE_KEEP_TRANSLATIONS, &error) != 0 else {
      throw unusable(Self.reason(error))
    }
    let quoted = words.map(Self.quoted) + [exec]
    g_key_file_set_string(keys, group, "Exec", quoted.joined(separator: " "))
    g_key_file_set_boolean(keys, group, "Terminal", 0)
    g_key_file_remove_key(keys, group, "DBusActivatable", nil)
    guard let changed = g_desktop_app_info_new_from_keyfile(keys) else { throw unusable("GLib refuses it") }
    return DesktopEntry(changed, id: id)
  }

  /// As one word of `Exec`.
  private static func quoted(_ word: [UInt8]) -> String {
    let percent = UInt8(ascii: "%")
    let word = word.flatMap { $0 == percent ? [percent, percent] : [$0] }
    guard let quoted = withText(word, { g_shell_quote($0) }) else { return "" }
    defer { g_free(quoted) }
    return String(cString: quoted)
  }

  // MARK: Starting

  /// Has GLib execute it with these files or addresses; its process ID.
  func launch(_ uris: [String], _ environment: Variables) throws(DesktopFault) -> pid_t {
    guard let context = g_app_launch_context_new() else { throw unusable("there is no memory") }
    defer { g_object_unref(context) }
    let former = LaunchEnvironment.ofThisProcess()
    for name in former.keys where environment[name] == nil {
      withText(name) { g_app_launch_context_unsetenv(context, $0) }
    }
    for (name, value) in environment where former[name] != value {
      withText(name) { name in withText(value) { g_app_launch_context_setenv(context, name, $0) } }
    }
    var list: UnsafeMutablePointer<GList>?
    for uri in uris { list = g_list_append(list, g_strdup(uri)) }
    defer { g_list_free_full(list, g_free) }
    let nothing = ProgramStart.Nothing()
    defer { withExtendedLifetime(nothing) {} }
    var processes: [pid_t] = []
    var error: UnsafeMutablePointer<GError>?
    let flags = GSpawnFlags(rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_DO_NOT_REAP_CHILD.rawValue)
    let isStarted = withUnsafeMutablePointer(to: &processes) { processes in
      g_desktop_app_info_launch_uris_as_manager_with_fds(
        info, list, context, flags, ProgramStart.prepare, nil,
        { _, process, context in
          context?.assumingMemoryBound(to: [pid_t].self).pointee.append(process)
        }, processes, nothing.descriptors[0], nothing.descriptors[1], nothing.descriptors[2], &error)
    }
    for process in processes { ProgramStart.reap(process) }
    guard isStarted != 0, let process = processes.first else { throw unusable(Self.reason(error)) }
    return process
  }

  private func unusable(_ reason: String) -> DesktopFault {
    DesktopFault(sentence: "\(id) cannot be started: \(reason).")
  }

  /// Takes the error over.
  private static func reason(_ error: UnsafeMutablePointer<GError>?) -> String {
    guard let error else { return "GLib does not say why" }
    defer { g_error_free(error) }
    return error.pointee.message.map { String(cString: $0) } ?? ""
  }
}
