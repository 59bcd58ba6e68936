// SPDX-License-Identifier: MIT

import Continuo
import LinuxSystem

/// The conflict copies that lie in a document's folder now.
public enum ConflictCopies {
  /// Newest first.
  public static func beside(_ path: String) -> [ConflictCopy] {
    guard let slash = path.lastIndex(of: "/") else { return [] }
    let (folder, name) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
    // A folder that cannot be listed shows no copies; nothing is done to any.
    let names = (try? FilePath(folder.isEmpty ? "/" : folder).names()) ?? []
    return names.compactMap { String(validating: $0, as: UTF8.self) }
      .filter { ConflictCopy.isCopy($0, of: name) }
      .compactMap { copy in
        let path = "\(folder)/\(copy)"
        guard let status = try? FilePath(path).status(), status.kind == .regular else { return nil }
        let written = LocalTime(ofContent: status.stamp).map { "\($0.date) \($0.clock)" } ?? ""
        return (status.stamp.modified, ConflictCopy(path: path, modified: written))
      }
      .sorted { $0.0 > $1.0 }
      .map { (_: Int64, copy: ConflictCopy) in copy }
  }

  /// The path of the document that `copy` lies beside; nil where there is none.
  public static func document(of copy: ConflictCopy) -> String? {
    let folder = copy.path.prefix(max(1, copy.path.count - copy.name.count - 1))
    let names = (try? FilePath(String(folder)).names()) ?? []
    let documents = names.compactMap { String(validating: $0, as: UTF8.self) }
      .filter { ConflictCopy.isCopy(copy.name, of: $0) }
    return documents.max { $0.utf8.count < $1.utf8.count }.map { "\(folder)/\($0)" }
  }
}
