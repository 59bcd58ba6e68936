// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SyncEngines

/// Reads the configurations of this user's sync engines, where they lie; nothing is changed, and no engine is
/// asked.
struct EngineSearch {
  /// Where people's files lie.
  let home: [UInt8]
  private let environment: [String: String]
  private var reading = EngineReading()

  init(environment: [String: String]) {
    self.environment = environment
    home = Array((UserAccount.home(told: environment["HOME"]) ?? "").utf8)
  }

  /// All that is kept here, and sentences about what could not be read.
  mutating func look() -> EngineReading {
    reading = EngineReading()
    guard home.first == UInt8(ascii: "/") else {
      reading.problems = ["No home directory is known, where sync engines have their settings: set HOME."]
      return reading
    }
    lookAtSyncthing()
    lookAtNextcloud()
    lookAtUnison()
    lookAtRclone()
    let dropbox = home + Array("/.dropbox/info.json".utf8)
    if let bytes = contents(dropbox) {
      take(DropboxConfiguration.read(bytes, file: shown(dropbox), home: home))
    }
    return reading
  }

  // MARK: Each engine

  private mutating func lookAtSyncthing() {
    var folders = [environment["STHOMEDIR"], environment["STCONFDIR"]].compactMap {
      $0.map { Array($0.utf8) }
    }
    folders += [base("XDG_STATE_HOME", ".local/state"), base("XDG_CONFIG_HOME", ".config")]
      .map { $0 + Array("/syncthing".utf8) }
    folders.append(home + Array("/.config/syncthing".utf8))
    var seen: Set<[UInt8]> = []
    for folder in folders where folder.first == UInt8(ascii: "/") && seen.insert(folder).inserted {
      let file = folder + Array("/config.xml".utf8)
      guard let bytes = contents(file) else { continue }
      var found = SyncthingConfiguration.read(bytes, file: shown(file), home: home)
      for index in found.folders.indices {
        found.folders[index].omission = syncthingOmission(in: found.folders[index].path)
      }
      take(found)
    }
  }

  private mutating func syncthingOmission(in folder: [UInt8]) -> Omission? {
    let path = FilePath(bytes: folder)
    let ignores = path.appending(Array(".stignore".utf8))
    guard let bytes = contents(ignores.bytes) else { return nil }
    return Self.syncthingOmission(in: bytes, of: path)
  }

  /// Why these contents of the folder's `.stignore`, with the files that they include, leave its records out.
  static func syncthingOmission(in contents: [UInt8], of folder: FilePath) -> Omission? {
    let file = folder.appending(Array(".stignore".utf8)).shown
    return SyncthingIgnores.omission(in: String(decoding: contents, as: UTF8.self), file: file) { name in
      let name = name.hasPrefix("/") ? String(name.dropFirst()) : name
      let included = read(folder.appending(Array(name.utf8)), limit: 1 << 20)
      return (try? included.get()).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private mutating func lookAtNextcloud() {
    let folder = base("XDG_CONFIG_HOME", ".config") + Array("/Nextcloud".utf8)
    let (file, list) = (
      folder + Array("/nextcloud.cfg".utf8), folder + Array("/sync-exclude.lst".utf8)
    )
    guard let bytes = contents(file) else { return }
    let excludes = contents(list).map { (String(decoding: $0, as: UTF8.self), shown(list)) }
    take(NextcloudConfiguration.read(bytes, file: shown(file), home: home, excludes: excludes))
  }

  private mutating func lookAtUnison() {
    let folder = environment["UNISON"].flatMap { $0.hasPrefix("/") ? Array($0.utf8) : nil }
    let profiles = FilePath(bytes: folder ?? home + Array("/.unison".utf8))
    let names = ((try? profiles.names()) ?? []).filter { $0.suffix(4).elementsEqual(".prf".utf8) }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(1000) {
      let file = profiles.appending(name)
      guard let bytes = contents(file.bytes) else { continue }
      take(
        UnisonProfile.read(bytes, file: file.shown, home: home) { other in
          for name in [other, other + ".prf"] {
            let read = Self.read(profiles.appending(Array(name.utf8)), limit: 1 << 20)
            if case .success(let bytes?) = read { return bytes }
          }
          return nil
        })
    }
  }

  private mutating func lookAtRclone() {
    let folder = FilePath(bytes: base("XDG_CACHE_HOME", ".cache") + Array("/rclone/bisync".utf8))
    let names = ((try? folder.names()) ?? []).compactMap { String(validating: $0, as: UTF8.self) }
    let found = RcloneListings.read(names) { parent in
      let parent = FilePath(bytes: parent)
      return ((try? parent.names()) ?? []).filter { parent.appending($0).isFolder }
    }
    take(found)
  }

  // MARK: Files

  private func base(_ variable: String, _ usual: String) -> [UInt8] {
    if let given = environment[variable], given.hasPrefix("/") { return Array(given.utf8) }
    return home + Array("/\(usual)".utf8)
  }

  private func shown(_ path: [UInt8]) -> String { DisplayText.shown(path) }

  private mutating func take(_ found: EngineReading) {
    reading.folders += found.folders
    reading.problems += found.problems
  }

  /// Nil where there is no such file, and where it cannot be read, which is told then.
  private mutating func contents(_ path: [UInt8]) -> [UInt8]? {
    switch Self.read(FilePath(bytes: path), limit: Int(EngineReading.Limit.bytes)) {
    case .success(let bytes): return bytes
    case .failure(let problem):
      reading.problems.append("\(shown(path)) \(problem.clause).")
      return nil
    }
  }

  private struct Unreadable: Error { let clause: String }

  /// Never waits, as for the other end of a pipe.
  private static func read(_ path: FilePath, limit: Int) -> Result<[UInt8]?, Unreadable> {
    do throws(Errno) {
      let file = try path.open([.readOnly, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular else { return .failure(Unreadable(clause: "is no file, and not read")) }
      guard status.size <= limit else {
        return .failure(Unreadable(clause: "is larger than \(limit >> 20) MB, and is not read"))
      }
      return .success(try file.readToEnd(limit: limit))
    } catch .noSuchFile, .notFolder {
      return .success(nil)
    } catch {
      return .failure(Unreadable(clause: "cannot be read: \(error.text)"))
    }
  }
}
