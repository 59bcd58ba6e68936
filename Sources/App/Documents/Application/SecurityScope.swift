// SPDX-License-Identifier: MIT

public import Foundation
import LinuxSystem
import Synchronization
import UserActivities

extension URL {
  /// Begins to use a file that a continuation brought, or any other file of this user (semantics 51).
  ///
  /// True for a URL that the running continuation translated and verified: the verified file is held open
  /// until the matching `stopAccessingSecurityScopedResource()`, so that it cannot vanish meanwhile. True
  /// also for a file URL that this user may open. False for other URLs, and for a file URL that another
  /// device wrote as it is. Calls nest. Any thread.
  @discardableResult
  public func startAccessingSecurityScopedResource() -> Bool { SecurityScope.shared.start(self) }

  /// Ends what one successful `startAccessingSecurityScopedResource()` began; without one it does nothing.
  /// Any thread.
  public func stopAccessingSecurityScopedResource() { SecurityScope.shared.stop(self) }
}

/// Which URLs continuations brought, and the descriptors that keep their files.
final class SecurityScope: Sendable {
  static let shared = SecurityScope()

  private struct Verified {
    weak var activity: UserActivity?
    var descriptor: Descriptor
  }

  private struct Held {
    var count: Int
    var descriptor: Descriptor
  }

  private struct Foreign {
    weak var activity: UserActivity?
    var url: String
  }

  private struct State {
    /// What the agent verified, while the activity that brought it lives.
    var verified: [FilePath: Verified] = [:]
    /// What is being used.
    var held: [FilePath: Held] = [:]
    /// File URLs as other devices wrote them.
    var foreign: [Foreign] = []

    mutating func forgetEnded() {
      for (path, entry) in verified where entry.activity == nil { verified[path] = nil }
      foreign.removeAll { $0.activity == nil }
    }
  }

  private let state = Mutex(State())

  /// Takes note of what `activity` brought; `descriptor` stays the caller's.
  func admit(_ activity: UserActivity, foreign urls: [URL], path: FilePath?, descriptor: Descriptor?) {
    let copy = try? descriptor?.duplicate()
    state.withLock { state in
      state.forgetEnded()
      state.foreign += urls.filter(\.isFileURL).map { Foreign(activity: activity, url: $0.absoluteString) }
      guard let path, let copy else { return }
      state.verified[path] = Verified(activity: activity, descriptor: copy)
    }
  }

  func start(_ url: URL) -> Bool {
    guard let path = FilePath(url) else { return false }
    return state.withLock { state in
      state.forgetEnded()
      guard !state.foreign.contains(where: { $0.url == url.absoluteString }) else { return false }
      if state.held[path] != nil {
        state.held[path]?.count += 1
        return true
      }
      let verified = state.verified[path]?.descriptor
      let descriptor: Descriptor? = verified.map { try? $0.duplicate() } ?? Self.openForHolding(path)
      guard let descriptor else { return false }
      state.held[path] = Held(count: 1, descriptor: descriptor)
      return true
    }
  }

  func stop(_ url: URL) {
    guard let path = FilePath(url) else { return }
    state.withLock { state in
      guard let held = state.held[path] else { return }
      if held.count > 1 {
        state.held[path]?.count -= 1
      } else {
        state.held[path] = nil
      }
    }
  }

  /// Holds what this user may read or write without opening it: a device or a FIFO notices nothing.
  private static func openForHolding(_ path: FilePath) -> Descriptor? {
    guard path.allows(.read) || path.allows(.write) else { return nil }
    return try? path.open(.placeOnly)
  }
}
