// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import ContinuityTestKit
import Documents
import Foundation
import LinuxSystem
import UserActivities

// Between the app, the simulated agent, and the real folder.
extension TestDevice {
  /// The app's deadline has come. Saves end in the moment in which they begin.
  func tick() {
    aside { session, application in
      session.tick()
      application.finishSaves()
    }
  }

  func report(isUp: Bool) { aside { session, _ in session.linkDidChange(isUp: isUp) } }

  func receive(_ report: AgentReport, hasFile: Bool) {
    aside { session, _ in
      var descriptor: Int32?
      switch report {
      case .progress(_, let status): self.status = status
      case .fail: status = nil
      case .deliver(_, let delivery):
        status = nil
        if hasFile, let path = delivery.path { descriptor = Self.open(path) }
      default: break
      }
      session.receive(report, descriptor: descriptor)
    }
  }

  /// The session's from here on; nil when the file is not there any more, which the app then finds out.
  fileprivate nonisolated static func open(_ path: [UInt8]) -> Int32? {
    (try? FilePath(bytes: path).open([.readOnly, .nonBlocking, .noFollow]))?.release()
  }

  /// Lets the app here act while the person may be at another device.
  private func aside(_ body: (Session, Application) -> Void) {
    guard let session, let application else { return }
    let former = turns.device
    comeForward()
    body(session, application)
    former?.comeForward()
  }

  /// Tells the agent's side what regular files hold now. Links are not followed.
  func lookAtFolder() {
    var found: [RelativePath: Data] = [:]
    for name in FileManager.default.enumerator(atPath: device.rootPath)?.allObjects ?? [] {
      guard let name = name as? String, let path = RelativePath(name) else { continue }
      let place = device.rootPath + "/" + name
      let kind = try? FileManager.default.attributesOfItem(atPath: place)[.type] as? FileAttributeType
      guard kind == .typeRegular, let data = FileManager.default.contents(atPath: place) else { continue }
      found[path] = data
    }
    for path in Set(told.keys).union(found.keys).sorted() where told[path] != found[path] {
      device.hold(found[path].map { Array($0) }, at: path)
    }
    told = found
  }
}

extension ManualDevice {
  fileprivate var rootPath: String { String(decoding: root, as: UTF8.self) }
}

/// The app's link: what the files hold is told before what is said of them.
@MainActor
final class FolderLink: AgentLink {
  private weak var owner: TestDevice?
  private let device: ManualDevice

  init(_ owner: TestDevice, _ device: ManualDevice) { (self.owner, self.device) = (owner, device) }

  nonisolated func send(_ request: AgentRequest, descriptor: Int32?) {
    MainActor.assumeIsolated {
      owner?.lookAtFolder()
      device.send(Self.simulated(request), descriptor: descriptor)
    }
  }

  /// The simulated folder knows bytes, not files: one that is still as the app says is not named, and another
  /// one is none of the simulated ones.
  private nonisolated static func simulated(_ request: AgentRequest) -> AgentRequest {
    switch request {
    case .opened(let path, let file?) where file == mark(of: path): .opened(path: path)
    case .update(let snapshot, let saved?) where saved == mark(of: snapshot): .update(snapshot, saved: nil)
    default: request
    }
  }

  private nonisolated static func mark(of snapshot: ActivitySnapshot) -> FileMark? {
    snapshot.documentPath.flatMap(mark)
  }

  private nonisolated static func mark(of path: [UInt8]) -> FileMark? {
    (try? FilePath(bytes: path).open([.readOnly, .nonBlocking, .noFollow]).status())?.stamp.mark
  }
}
