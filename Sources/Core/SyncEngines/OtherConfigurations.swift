// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

/// What Dropbox says in `~/.dropbox/info.json`.
public enum DropboxConfiguration {
  /// The folder of each account; `file` is where they stand, for sentences.
  public static func read(_ bytes: [UInt8], file: String, home: [UInt8]) -> EngineReading {
    var reading = EngineReading()
    do throws(ContinuityError) {
      guard case .object(let accounts) = try JSONValue(decoding: bytes) else {
        reading.problems.append("\(file) is no configuration of Dropbox: it holds no object.")
        return reading
      }
      for account in accounts.sorted(by: { $0.key < $1.key }) {
        guard case .text(let path)? = account.value["path"] else { continue }
        guard let absolute = ConfiguredPath.absolute(path, home: home) else {
          reading.problems.append("\(file): the folder of \(account.key) has no absolute path.")
          continue
        }
        reading.add(KeptFolder(engine: .dropbox, label: account.key, path: absolute))
      }
    } catch {
      reading.problems.append("\(file) cannot be read. \(error.description)")
    }
    return reading
  }
}

/// What `rclone bisync` has kept, from the names of its listings in `~/.cache/rclone/bisync`. The names hold
/// both paths, in which `_` stands for a slash, a space and a few others.
public enum RcloneListings {
  /// The local folders; `children` gives the names of the folders in a folder, and is asked at most a few
  /// thousand times.
  public static func read(_ names: [String], children: ([UInt8]) -> [[UInt8]]) -> EngineReading {
    var reading = EngineReading()
    var budget = 4000
    var seen: Set<[UInt8]> = []
    for name in names.sorted().prefix(1000) {
      guard let end = [".path1.lst", ".path2.lst"].first(where: { name.hasSuffix($0) }) else { continue }
      let session = Array(name.utf8.dropLast(end.utf8.count))
      guard let (first, second) = sides(of: session) else { continue }
      let wanted = end == ".path1.lst" ? first : second
      guard let path = folder(called: wanted[...], in: [], children, &budget), seen.insert(path).inserted
      else { continue }
      reading.add(KeptFolder(engine: .rclone, path: path))
    }
    return reading
  }

  private static func sides(of session: [UInt8]) -> (first: [UInt8], second: [UInt8])? {
    let dot = UInt8(ascii: ".")
    guard
      let middle = session.indices.dropLast().first(where: { session[$0] == dot && session[$0 + 1] == dot })
    else { return nil }
    return (Array(session[..<middle]), Array(session[(middle + 2)...]))
  }

  /// The folder below `parent` whose path is written so.
  private static func folder(
    called name: ArraySlice<UInt8>, in parent: [UInt8], _ children: ([UInt8]) -> [[UInt8]],
    _ budget: inout Int
  ) -> [UInt8]? {
    guard budget > 0, parent.count < 4096 else { return nil }
    budget -= 1
    for child in children(parent.isEmpty ? [UInt8(ascii: "/")] : parent) where !child.isEmpty {
      guard name.starts(with: child.map(written)) else { continue }
      let path = parent + [UInt8(ascii: "/")] + child
      let rest = name.dropFirst(child.count)
      if rest.isEmpty { return path }
      guard rest.first == UInt8(ascii: "_") else { continue }
      if let found = folder(called: rest.dropFirst(), in: path, children, &budget) { return found }
    }
    return nil
  }

  private static func written(_ byte: UInt8) -> UInt8 {
    " \t\\/:?*".utf8.contains(byte) ? UInt8(ascii: "_") : byte
  }
}
