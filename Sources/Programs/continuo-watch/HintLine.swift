// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import SyncedFolders

/// A hint as one line of JSON. Names that are not UTF-8 become `{"hex":"…"}`, so that none is lost.
struct HintLine {
  let rootNames: [[UInt8]]

  func text(_ hint: FolderHint) -> String {
    switch hint {
    case .watching(let root, let folders): object("watching", root, [("folders", "\(folders)")])
    case .changed(let root, let path, let change):
      object("changed", root, [("path", list(path)), ("change", quoted("\(change)"))])
    case .moved(let root, let from, let to, let isFolder):
      object("moved", root, [("from", list(from)), ("to", list(to)), ("folder", "\(isFolder)")])
    case .rescan(let root, let path): object("rescan", root, [("path", list(path))])
    case .rootLost(let root, let reason): object("rootLost", root, [("reason", quoted(reason))])
    case .watchLimit(let root, let path, let limit):
      object("watchLimit", root, [("path", list(path)), ("limit", "\(limit)")])
    case .polling(let root, let folders, let reason):
      object("polling", root, [("folders", "\(folders)"), ("reason", quoted(reason))])
    case .synchronized(let root, let cookie):
      object("synchronized", root, [("cookie", quoted(cookie.hexadecimal))])
    }
  }

  func text(_ look: Look, _ place: SettlingMachine.Place) -> String {
    var fields = [("path", list(place.path))]
    if case .file(let size) = look { fields.append(("size", "\(size)")) }
    return object(look.name, place.root, fields, key: "look")
  }

  func text(_ event: KernelEvent) -> String {
    "{\"event\":[" + event.mask.names.map(quoted).joined(separator: ",")
      + "],\"watch\":\(event.descriptor),\"name\":\(name(event.name)),\"cookie\":\(event.cookie)}"
  }

  private func object(_ hint: String, _ root: RootNumber, _ fields: [(String, String)], key: String = "hint")
    -> String
  {
    let index = Int(clamping: root.rawValue)
    let rootName = rootNames.indices.contains(index) ? name(rootNames[index]) : "\(root.rawValue)"
    let all = [(key, quoted(hint)), ("root", rootName)] + fields
    return "{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private func list(_ path: [[UInt8]]) -> String { "[" + path.map(name).joined(separator: ",") + "]" }

  private func name(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self).map(quoted) ?? "{\"hex\":\"\(bytes.hexadecimal)\"}"
  }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where !DisplayText.isClean(String(scalar)):
        result += String(scalar).utf16.map(Self.escaped).joined()
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// What a terminal would act on, or not show, is escaped: nothing is lost to who reads the JSON.
  private static func escaped(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
