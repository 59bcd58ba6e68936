// SPDX-License-Identifier: MIT

import ActivityModel

// Files: which are open, of what type one is, and which were used last.
extension SessionMachine {
  struct OpenPath: Hashable, Sendable {
    var path: [UInt8]
    var file: FileMark?
  }

  struct UsedFile: Hashable, Sendable {
    var path: [UInt8]
    var program: [UInt8]

    var message: AgentRequest { .usedRecently(path: path, program: program) }
  }
  /// More files used without an agent than this, and the oldest is forgotten.
  static let unheardLimit = 16

  mutating func open(_ path: [UInt8], _ file: FileMark?) -> [Action] {
    guard !openPaths.contains(where: { $0.path == path }) else { return [] }
    openPaths.append(OpenPath(path: path, file: file))
    return say(.opened(path: path, file: file))
  }

  mutating func close(_ path: [UInt8]) -> [Action] {
    guard let index = openPaths.firstIndex(where: { $0.path == path }) else { return [] }
    openPaths.remove(at: index)
    return say(.closed(path: path))
  }

  /// What the app saved last is what it shows when it connects again.
  mutating func noteSave(_ snapshot: ActivitySnapshot, _ file: FileMark) {
    if let path = snapshot.documentPath { noteFile(file, at: path) }
  }

  /// The app is to show something else; it does not say which file it read for that.
  mutating func noteNews(at path: [UInt8]) { noteFile(.ofNoFile, at: path) }

  private mutating func noteFile(_ file: FileMark, at path: [UInt8]) {
    guard let index = openPaths.firstIndex(where: { $0.path == path }) else { return }
    openPaths[index].file = file
  }

  // MARK: Types

  /// Somebody waits for a document meanwhile: without an agent nobody is asked.
  mutating func askType(
    _ request: RequestID, _ name: [UInt8], _ beginning: [UInt8], at now: Instant
  ) -> [Action] {
    guard isConnected else { return [.answered(request, .contentTypes([], Self.noAgent))] }
    typeQuestions[request] = now + pace.typeAnswer
    return say(.askContentType(request, name: name, beginning: beginning))
  }

  mutating func takeType(_ request: RequestID, _ types: [String], _ error: ContinuityError?) -> [Action] {
    guard typeQuestions.removeValue(forKey: request) != nil else { return [] }
    return [.answered(request, .contentTypes(types, error))]
  }

  /// Ends the questions whose deadline is such a one.
  mutating func endTypeQuestions(where isOver: (Instant) -> Bool) -> [Action] {
    guard !typeQuestions.isEmpty else { return [] }
    let ended = typeQuestions.filter { isOver($0.value) }.map(\.key).sorted()
    for request in ended { typeQuestions[request] = nil }
    return ended.map { .answered($0, .contentTypes([], Self.noAgent)) }
  }

  private static let noAgent = ContinuityError(
    .connectionUnavailable, subject: "agent",
    "The continuo agent, which asks the desktop for MIME types, did not answer; look at `continuo status`.")

  // MARK: Used files

  mutating func noteUse(_ file: UsedFile) -> [Action] {
    guard !isConnected else { return say(file.message) }
    unheardFiles.removeAll { $0.path == file.path }
    unheardFiles.append(file)
    if unheardFiles.count > Self.unheardLimit { unheardFiles.removeFirst() }
    return []
  }

  mutating func takeUnheardFiles() -> [AgentRequest] {
    defer { unheardFiles = [] }
    return unheardFiles.map(\.message)
  }
}
