// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem

/// What a settings file said when it was read.
public struct SettingsReading: Hashable, Sendable {
  /// What holds from now on; nil when the file as a whole could not be read: what held before still does.
  public var settings: AgentSettings?
  /// What in it does not count.
  public var problems: [SettingsProblem]

  /// A file that says this.
  public init(settings: AgentSettings?, problems: [SettingsProblem]) {
    self.settings = settings
    self.problems = problems
  }
}

/// One person's settings.
public struct SettingsFile: Sendable {
  /// Where it is looked for.
  public let path: FilePath

  /// The file in `folder`, as `AgentPlaces.configurationDirectory` has it.
  public init(in folder: FilePath) {
    let names = folder.bytes.split(separator: UInt8(ascii: "/")) + [ArraySlice(SettingsProblem.fileName.utf8)]
    path = FilePath(bytes: names.flatMap { [UInt8(ascii: "/")] + $0 })
  }

  /// Reads it; a file that is not there holds the defaults. Any thread; waits for the disk alone, whatever
  /// stands at the path.
  public func read() -> SettingsReading {
    do throws(SettingsProblem) {
      let document = try TomlDocument(try contents()?.bytes ?? [])
      var problems: [SettingsProblem] = []
      let settings = AgentSettings(entries: document.entries, problems: &problems)
      return SettingsReading(settings: settings, problems: problems)
    } catch {
      return SettingsReading(settings: nil, problems: [error])
    }
  }

  /// The bytes and what told them apart from others; nil when nothing is there.
  func contents() throws(SettingsProblem) -> (bytes: [UInt8], status: FileStatus)? {
    let file: Descriptor
    do throws(Errno) {
      // Without waiting: a named pipe may stand there.
      file = try path.open([.readOnly, .nonBlocking, .noTerminal])
    } catch {
      guard error == .noSuchFile else { throw Self.unreadable(error) }
      if (try? path.status(followingLinks: false))?.kind == .symbolicLink {
        throw SettingsProblem(clause: "it is a link that leads to nothing: repair the link, or remove it.")
      }
      return nil
    }
    let (bytes, status) = try Self.reading(file)
    guard status.kind == .regular else { throw Self.misplaced(status.kind) }
    guard bytes.count <= TomlDocument.byteLimit else {
      throw SettingsProblem(clause: "it has more than 256 KiB: keep settings alone in it.")
    }
    return (bytes, status)
  }

  /// Of what is no regular file, nothing is read.
  private static func reading(_ file: Descriptor) throws(SettingsProblem) -> ([UInt8], FileStatus) {
    do throws(Errno) {
      let status = try file.status()
      return (status.kind == .regular ? try file.readToEnd(limit: TomlDocument.byteLimit) : [], status)
    } catch {
      throw unreadable(error)
    }
  }

  static func unreadable(_ error: Errno) -> SettingsProblem {
    SettingsProblem(clause: "it cannot be read: \(error.clause).")
  }

  static func misplaced(_ kind: FileKind) -> SettingsProblem {
    SettingsProblem(
      clause: kind == .folder
        ? "it is a folder: move it away, and write a file." : "it is no regular file: put one in its place.")
  }
}
