// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import LinuxSystem
import SyncedFolders

/// What is at a place once it was quiet.
enum Look {
  case file(size: Int64)
  case folder
  case other
  case gone
  /// Anything there or below may have changed.
  case below

  /// Looks, following no link in the last name.
  init(at place: SettlingMachine.Place, below root: [UInt8]?) {
    let path = Array(([root ?? []] + place.path).joined(separator: [UInt8(ascii: "/")]))
    guard root != nil, let status = try? FilePath(bytes: path).status(followingLinks: false) else {
      self = .gone
      return
    }
    switch status.kind {
    case .regular: self = .file(size: Int64(status.size))
    case .folder: self = .folder
    default: self = .other
    }
  }

  var name: String {
    switch self {
    case .file: "file"
    case .folder: "folder"
    case .other: "other"
    case .gone: "gone"
    case .below: "below"
    }
  }
}

// The same as objects, in sentences.
extension HintLine {
  func sentence(_ hint: FolderHint) -> String {
    switch hint {
    case .watching(let root, let folders):
      "\(shown(root)): \(folders) \(folders == 1 ? "folder is" : "folders are") watched."
    case .rootLost(let root, let reason): "\(shown(root)) is no longer watched. \(reason)"
    case .watchLimit(let root, let path, _): "\(shown(root)): no watch is left for \(shown(path))."
    case .polling(let root, _, let reason):
      reason.isEmpty ? "\(shown(root)): events tell of everything again." : "\(shown(root)): \(reason)"
    case .synchronized(let root, _): "\(shown(root)): everything up to here has been told."
    case .changed(_, let path, let change): "\(shown(path)): \(change)."
    case .moved(_, let from, let to, _): "\(shown(from)) is \(shown(to)) now."
    case .rescan(_, let path): "Anything in \(shown(path)) may have changed."
    }
  }

  func sentence(_ look: Look, _ place: SettlingMachine.Place) -> String {
    let path = shown(place.path)
    let many = rootNames.count > 1 ? " (in \(shown(place.root)))" : ""
    return switch look {
    case .file(let size): "\(path)\(many) is here, with \(size) \(size == 1 ? "byte" : "bytes")."
    case .folder: "\(path)\(many) is a folder."
    case .other: "\(path)\(many) is neither a file nor a folder."
    case .gone: "\(path)\(many) is not there."
    case .below:
      place.path.isEmpty
        ? "Look at everything in \(shown(place.root))." : "Look at everything in \(path)\(many)."
    }
  }

  func sentence(_ event: KernelEvent) -> String {
    let about = event.name.isEmpty ? "the folder itself" : shown([event.name])
    return "    event: \(event.mask.names.joined(separator: " ")), \(about), watch \(event.descriptor)"
  }

  private func shown(_ root: RootNumber) -> String {
    let index = Int(clamping: root.rawValue)
    return rootNames.indices.contains(index) ? shown([rootNames[index]]) : "\(root.rawValue)"
  }

  private func shown(_ path: [[UInt8]]) -> String {
    DisplayText.shown(Array(path.joined(separator: [UInt8(ascii: "/")])))
  }
}

extension KernelEvent.Mask {
  private static let named: [(Self, String)] = [
    (.create, "create"), (.closeWrite, "closeWrite"), (.movedFrom, "movedFrom"), (.movedTo, "movedTo"),
    (.delete, "delete"), (.attributes, "attributes"), (.deleteSelf, "deleteSelf"), (.moveSelf, "moveSelf"),
    (.unmount, "unmount"), (.overflow, "overflow"), (.ignored, "ignored"), (.isFolder, "folder"),
  ]

  /// What the bits are called.
  var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }
}
