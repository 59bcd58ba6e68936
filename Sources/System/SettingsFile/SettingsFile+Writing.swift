// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem

extension SettingsFile {
  /// How often others may come in between before that is told.
  private static let attempts = 100

  /// Sets `key`, or gives it its default back; everything else in the file stays byte for byte. Makes file
  /// and folder when they are not there, and follows a link. Waits for the disk, and for others that write.
  /// Any thread.
  ///
  /// Throws a problem where `value` is none that `key` takes, or the file cannot be changed; then it is as it
  /// was.
  public func set(_ key: SettingsKey, to value: SettingsValue?) throws(SettingsProblem) {
    guard key.kind != .table else {
      throw SettingsProblem(
        key: key.name,
        clause: "\(key.name) has an entry for each activity type: name one, as in \(key.name).TYPE.")
    }
    if let value {
      var settings = AgentSettings()
      if let problem = settings.set(key, to: SettingsEntry("", value: value)).first {
        throw problem.withoutPlace
      }
    }
    try apply(SettingsEdit(path: key.path, value: value))
  }

  /// Sets which app takes an activity type, or gives the type free. Otherwise like `set`; throws
  /// what it throws.
  public func prefer(_ app: String?, forType type: String) throws(SettingsProblem) {
    if let app {
      var settings = AgentSettings()
      let table = SettingsValue.table([SettingsEntry(type, value: .string(app))], isInline: true)
      if let problem = settings.set(.prefer, to: SettingsEntry("", value: table)).first {
        throw problem.withoutPlace
      }
    }
    try apply(SettingsEdit(path: SettingsKey.prefer.path + [type], value: app.map { .string($0) }))
  }

  private func apply(_ edit: SettingsEdit) throws(SettingsProblem) {
    // Without a file there is nothing to take out, nor a folder to be made for it.
    let isMissing = try contents() == nil
    if edit.value == nil, isMissing { return }
    path.parent.makeFolders(mode: 0o700)
    guard let target = path.resolved else { throw Self.unwritable(.noSuchFile) }
    let folder = try Self.writing { () throws(Errno) in
      let folder = try target.parent.open([.readOnly, .folder])
      // Others that set something wait; editors know nothing of it.
      try folder.lock(waiting: true)
      return folder
    }
    for _ in 0..<Self.attempts where try change(target.name, in: folder, edit) { return }
    throw SettingsProblem(clause: "another program writes it all the time: end that program, and try again.")
  }

  /// Whether the file that was read is the one that was replaced.
  private func change(
    _ name: [UInt8], in folder: Descriptor, _ edit: SettingsEdit
  ) throws(SettingsProblem) -> Bool {
    let old = try contents()
    let bytes = try edit.applied(to: old?.bytes ?? [])
    if bytes == old?.bytes ?? [] { return true }
    guard bytes.count <= TomlDocument.byteLimit else {
      throw SettingsProblem(clause: "it would have more than 256 KiB: remove something from it.")
    }
    return try Self.writing { () throws(Errno) in
      guard (try? folder.status(of: name))?.stamp == old?.status.stamp else { return false }
      if old != nil { try path.check(.write) }
      try DurableFile(in: folder, name: name)
        .replace(with: bytes, mode: old?.status.permissions ?? 0o600)
      return true
    }
  }

  private static func writing<Result>(
    _ body: () throws(Errno) -> Result
  ) throws(SettingsProblem) -> Result {
    do throws(Errno) { return try body() } catch { throw unwritable(error) }
  }

  private static func unwritable(_ error: Errno) -> SettingsProblem {
    SettingsProblem(clause: "it cannot be written: \(error.clause).")
  }
}
