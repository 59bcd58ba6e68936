// SPDX-License-Identifier: MIT

import ActivityModel
import SyncEngines

/// What was found on this device, and what `continuo setup` would do about it.
struct SetupPlan {
  /// A folder that one engine or several keep, or that a person named.
  struct Place {
    var path: [UInt8]
    var engines: [SyncEngine] = []
    /// What the engines' user calls it.
    var label = ""
    var state: State
    /// Why `.continuo` is not carried, in sentences that say what to do.
    var warnings: [String] = []
  }

  enum State: Hashable {
    /// It would be registered.
    case ready
    /// It is, under that name.
    case registered(String)
    /// It lies in the registered folder of that name.
    case within(String)
    /// No folder is there.
    case missing
    /// Its engines do not keep it now.
    case paused

    /// For programs.
    var name: String {
      switch self {
      case .ready: "ready"
      case .registered: "registered"
      case .within: "within"
      case .missing: "missing"
      case .paused: "paused"
      }
    }

    /// For people, behind the folder.
    var clause: String {
      switch self {
      case .ready: ""
      case .registered(let name): "registered already, as \(name)"
      case .within(let name): "lies in folder \(name), which is registered"
      case .missing: "not there now"
      case .paused: "paused"
      }
    }
  }

  private(set) var places: [Place] = []

  /// `resolve` follows links, and gives nil where no folder is.
  init(_ kept: [KeptFolder], registered: [SyncedRoot], resolve: ([UInt8]) -> [UInt8]?) {
    var positions: [[UInt8]: Int] = [:]
    for folder in kept {
      let resolved = resolve(folder.path)
      let path = resolved ?? folder.path
      let index = positions[path] ?? places.count
      positions[path] = index
      if index == places.count {
        let state = Self.state(of: path, isThere: resolved != nil, registered)
        places.append(Place(path: path, state: state == .ready && folder.isPaused ? .paused : state))
      }
      // One engine that keeps it is enough.
      if places[index].state == .paused, !folder.isPaused { places[index].state = .ready }
      if !places[index].engines.contains(folder.engine) { places[index].engines.append(folder.engine) }
      if places[index].label.isEmpty { places[index].label = folder.label }
      if let warning = Self.warning(folder, path) { places[index].warnings.append(warning) }
    }
  }

  /// A folder that a person named.
  static func place(at path: [UInt8], registered: [SyncedRoot], isThere: Bool) -> Place {
    Place(path: path, state: state(of: path, isThere: isThere, registered))
  }

  /// What is registered when all are.
  var ready: [Place] { places.filter { $0.state == .ready } }

  private static func state(of path: [UInt8], isThere: Bool, _ registered: [SyncedRoot]) -> State {
    if let root = registered.first(where: { $0.path == path }) { return .registered(root.name) }
    guard isThere else { return .missing }
    return registered.innermost(holding: path).map { .within($0.root.name) } ?? .ready
  }

  private static func warning(_ folder: KeptFolder, _ path: [UInt8]) -> String? {
    guard let omission = folder.omission else { return nil }
    return "\(folder.engine.rawValue) leaves .continuo out of \(DisplayText.shown(path)), by "
      + "\(DisplayText.shown(omission.pattern)) in \(DisplayText.shown(omission.file)): \(omission.fix)."
  }
}

/// Which of the folders a person means, as typed behind the list of them.
enum SetupChoice: Hashable {
  case all
  case none
  /// Positions in the list, from 0.
  case some([Int])
  case path(String)
  case unclear

  /// Enter stands for all where there are some, else for none.
  init(_ typed: String, count: Int) {
    let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let numbers = text.split { $0 == " " || $0 == "," }.map { Int($0) }
    switch text {
    case "": self = count > 0 ? .all : .none
    case "n", "no", "none", "0": self = .none
    case _ where text.hasPrefix("/") || text.hasPrefix("~") || text.hasPrefix("."):
      self = .path(typed.trimmingBlanks)
    case _ where numbers.allSatisfy { $0.map { (1...max(count, 1)).contains($0) && count > 0 } ?? false }:
      self = .some(Set(numbers.compactMap { $0.map { $0 - 1 } }).sorted())
    default: self = .unclear
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
