// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import Glibc
import SyncedFolders
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Which folders are registered, which of them are there, and which must not be.
@Suite struct FolderRegistryTests {
  let scratch: Scratch
  let folder: String
  let registry: FolderRegistry

  init() throws {
    scratch = try Scratch()
    folder = try scratch.folder("Notes")
    let state = try scratch.folder("state", mode: 0o700)
    registry = FolderRegistry(
      .real(loop: try EventLoop(), directory: try OwnDirectory.privateDirectory(state)))
    registry.identityFileName = { "f-own.id" }
  }

  private func add(_ path: String, _ name: String? = nil) throws -> FolderRegistry.Root {
    try registry.add(path: Array(path.utf8), name: name)
  }

  @Test func aFolderIsRegisteredOnceHoweverItIsSpelt() throws {
    let first = try add(folder)
    symlink(folder, scratch.path + "/link")
    #expect(try add(scratch.path + "/link").number == first.number)
    #expect(try add(folder + "/../Notes/").number == first.number)
    #expect(registry.roots.count == 1)
  }

  @Test func aCopyOfARegisteredFolderIsRefused() throws {
    _ = try add(folder)
    let copy = try scratch.folder("Copy")
    mkdir(copy + "/.continuo", 0o755)
    let identity = try #require(Scratch.bytes(at: folder + "/.continuo/f-own.id"))
    try Scratch.write(identity, to: copy + "/.continuo/f-own.id")
    let error = #expect(throws: ContinuityError.self) { try add(copy) }
    #expect(error?.description.contains("copy") == true)
    #expect(registry.roots.count == 1)
  }

  @Test func neitherAroundNorInsideTheKeysNorTheRecordsIsAFolderRegistered() throws {
    symlink(scratch.path, scratch.path + "-link")
    defer { unlink(scratch.path + "-link") }
    mkdir(folder + "/.continuo", 0o755)
    try scratch.folder("state/inside")
    for path in [
      scratch.path, scratch.path + "-link", "/", scratch.path + "/state", scratch.path + "/state/inside",
      folder + "/.continuo",
    ] {
      let error = #expect(throws: ContinuityError.self, "\(path)") { try add(path, "x") }
      #expect(error?.code == .invalidRequest, "\(path)")
    }
    #expect(registry.roots.isEmpty)
    #expect(Scratch.names(in: scratch.path + "/state") == ["inside"])
  }

  @Test func keysThatBecameSyncedAreNoticed() throws {
    _ = try add(folder)
    #expect(registry.syncedKeys() == nil)
    mkdir(scratch.path + "/state/.stfolder", 0o755)
    #expect(registry.syncedKeys()?.description.contains(".stfolder") == true)
  }

  @Test func missingFoldersAndFilesAreRefusedWithASentence() throws {
    try Scratch.write("x", to: scratch.path + "/file")
    for path in [scratch.path + "/none", scratch.path + "/file", "relative"] {
      let error = #expect(throws: ContinuityError.self) { try add(path) }
      #expect(error?.code == .folderUnavailable)
    }
    #expect(throws: ContinuityError.self) { try registry.find("nothing") }
  }

  @Test func aFolderThatGoesAndComesBackIsTheSameAndAnEmptyMountPointStaysEmpty() throws {
    let root = try add(folder)
    rename(folder, folder + "-away")
    mkdir(folder, 0o755)
    #expect(registry.checkPresence().went == [root.number])
    #expect(registry.checkPresence().went.isEmpty)
    #expect(Scratch.names(in: folder).isEmpty)
    rmdir(folder)
    rename(folder + "-away", folder)
    #expect(registry.checkPresence().came == [root.number])
    #expect(registry.roots[0].ids == root.ids)
  }

  @Test func recordsThatAnEngineMadeAnewAreTakenUp() throws {
    let root = try add(folder)
    Scratch.removeTree(folder + "/.continuo")
    mkdir(folder + "/.continuo", 0o755)
    let presence = registry.checkPresence()
    #expect(presence.came == [root.number] && presence.went.isEmpty)
    try registry.roots[0].presence?.records.replace("d-test.rec", with: [1, 2, 3], isShared: true)
    #expect(Scratch.bytes(at: folder + "/.continuo/d-test.rec") == [1, 2, 3])
  }

  @Test func addingAFolderWhoseRecordsWereDeletedMakesThemAnewUnderItsID() throws {
    let root = try add(folder)
    Scratch.removeTree(folder + "/.continuo")
    #expect(registry.checkPresence().went == [root.number])
    let again = try add(folder)
    #expect(again.number == root.number && again.registered == root.registered && again.presence != nil)
    #expect(Scratch.names(in: folder + "/.continuo") == ["f-own.id"])
  }

  @Test func theSmallestIDIsTheFoldersAndItsChangeIsTold() throws {
    let root = try add(folder)
    var told: [(FolderID, FolderID)] = []
    registry.canonicalIDDidChange = { told.append(($0, $1)) }
    let smaller = String(repeating: "0", count: 31) + "1"
    try Scratch.write("continuo folder 1\n\(smaller)\n", to: folder + "/.continuo/f-other.id")
    try Scratch.write("nonsense", to: folder + "/.continuo/f-junk.id")
    #expect(registry.refreshIdentities(root.number).isAny)
    #expect(registry.canonical(root.registered.id).description == smaller)
    #expect(told.map(\.0) == [root.registered.id] && told.map(\.1.description) == [smaller])
  }

  /// Permissions as another user has them, for this thread alone: root may read everything.
  private func asNobody<Value>(_ work: () throws -> Value) rethrows -> Value {
    // No module declares it.
    guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return try work() }
    let setUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
    _ = setUser(65534)
    defer { _ = setUser(0) }
    return try work()
  }

  @Test func aFolderThatMayNotBeReadIsAwayUntilItMayAgain() throws {
    chmod(scratch.path, 0o755)
    _ = try add(folder)
    let documents = try #require(registry.roots[0].presence?.directory)
    let path = try #require(RelativePath("plan.md"))
    try Scratch.write("alpha", to: folder + "/plan.md")
    for closed in [folder, folder + "/.continuo"] {
      #expect(asNobody { registry.checkPresence() }.went == [])
      chmod(closed, 0)
      #expect(asNobody { registry.checkPresence() }.went == [registry.roots[0].number])
      if closed == folder, case .absent = asNobody({ documents.observe(path) }) {
        Issue.record("what may not be looked at is not gone")
      }
      #expect(asNobody { registry.checkPresence() }.came == [])
      chmod(closed, 0o755)
      #expect(asNobody { registry.checkPresence() }.came == [registry.roots[0].number])
    }
  }

  @Test func anotherFolderThatTookThePathIsNotTheRegisteredOne() throws {
    let number = try add(folder).number
    let other = try scratch.folder("Other")
    mkdir(other + "/.continuo", 0o755)
    let foreign = "continuo folder 1\n" + String(repeating: "5", count: 32) + "\n"
    try Scratch.write(foreign, to: other + "/.continuo/f-own.id")
    let before = registry.roots[0].ids
    #expect(rename(folder, folder + ".away") == 0 && rename(other, folder) == 0)
    #expect(registry.checkPresence().went == [number])
    #expect(registry.checkPresence().came == [] && registry.roots[0].ids == before)
    #expect(Scratch.names(in: folder + "/.continuo") == ["f-own.id"], "nothing is written there")
    #expect(rename(folder, other) == 0 && rename(folder + ".away", folder) == 0)
    #expect(registry.checkPresence().came == [number])
  }
}
