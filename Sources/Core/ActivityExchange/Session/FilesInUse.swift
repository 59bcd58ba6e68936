// SPDX-License-Identifier: MIT

import ActivityModel

/// Files that an app works with: which are open, and which were used while no agent heard of it.
struct FilesInUse: Hashable, Sendable {
  typealias Action = SessionMachine.Action

  private var openPaths: [OpenPath] = []
  /// Oldest first.
  private var unheardFiles: [UsedFile] = []

  private struct OpenPath: Hashable, Sendable {
    let path: [UInt8]
    /// Whether the app shows bytes of its own, which what lies there may differ from.
    let hasContent: Bool
  }

  struct UsedFile: Hashable, Sendable {
    var path: [UInt8]
    var program: [UInt8]

    var message: AgentRequest { .usedRecently(path: path, program: program) }
  }
  /// More files used without an agent than this, and the oldest is forgotten.
  private static let unheardLimit = 16

  mutating func open(_ path: [UInt8], _ file: FileMark?) -> [Action] {
    guard !openPaths.contains(where: { $0.path == path }) else { return [] }
    openPaths.append(OpenPath(path: path, hasContent: file != nil))
    return [.send(.opened(path: path, file: file))]
  }

  mutating func close(_ path: [UInt8]) -> [Action] {
    guard let index = openPaths.firstIndex(where: { $0.path == path }) else { return [] }
    openPaths.remove(at: index)
    return [.send(.closed(path: path))]
  }

  /// Heard now if `isConnected`, else by the next agent.
  mutating func use(_ file: UsedFile, isConnected: Bool) -> [Action] {
    guard !isConnected else { return [.send(file.message)] }
    unheardFiles.removeAll { $0.path == file.path }
    unheardFiles.append(file)
    if unheardFiles.count > Self.unheardLimit { unheardFiles.removeFirst() }
    return []
  }

  /// What a new connection's agent has to hear. Nobody saw what happened to the files before it, and what is
  /// written in place may keep inode, size and time: so it hears of no mark, and has the app look.
  mutating func connect() -> [AgentRequest] {
    defer { unheardFiles = [] }
    return openPaths.map { .opened(path: $0.path, file: $0.hasContent ? .ofNoFile : nil) }
      + unheardFiles.map(\.message)
  }
}
