// SPDX-License-Identifier: MIT

/// A file that a sync engine put beside a document because two devices had changed it.
public struct ConflictCopy: Hashable, Sendable {
  /// Where it lies, absolute.
  public var path: String
  /// When it was last changed, as a person reads it.
  public var modified: String

  /// A copy; `modified` is empty where it is not known.
  public init(path: String, modified: String = "") {
    self.path = path
    self.modified = modified
  }

  /// Its file name.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The device whose text it holds, as far as the name tells: Syncthing writes the first part of its ID.
  var device: String? {
    guard let mark = name.firstRange(of: ".sync-conflict-") else { return nil }
    let parts = name[mark.upperBound...].prefix { $0 != "." }.split(separator: "-")
    return parts.count == 3 ? String(parts[2]) : nil
  }

  /// Whether `name` is what sync engines call a conflict copy of `document`: both names share what is before
  /// the first full stop, and the extension.
  public static func isCopy(_ name: String, of document: String) -> Bool {
    let dot = document.lastIndex(of: ".").flatMap { $0 == document.startIndex ? nil : $0 }
    let stem = dot.map { document[..<$0] } ?? document[...]
    let ending = dot.map { document[$0...] } ?? ""
    if name.utf8.count > 245, let copy = name.firstRange(of: " (conflicted copy ") {
      // A long name has no room for more: it is cut, and what was cut has become a mark of nine bytes.
      return stem.utf8.starts(with: name[..<copy.lowerBound].utf8.dropLast(9)) && name.hasSuffix(ending)
    }
    guard name.hasPrefix(stem), name.hasSuffix(ending), name.count > document.count else { return false }
    let mark = name.dropFirst(stem.count).dropLast(ending.count).lowercased()
    return mark.hasPrefix(".sync-conflict-") || mark.contains("conflicted copy")
      || mark.contains("_conflict-")
  }

  /// One line of a choice.
  func row(_ number: Int) -> String {
    let when = modified.isEmpty ? "" : "\(modified)  "
    let who = device.map { "by \($0)  " } ?? ""
    return " \(number)  \(when)\(who)\(name)"
  }
}

extension Array {
  /// What a digit stands for, in a list whose rows are numbered from 1.
  func chosen(by key: Key) -> Element? {
    guard case .text(let text) = key, let number = Int(text), indices.contains(number - 1) else { return nil }
    return self[number - 1]
  }
}
