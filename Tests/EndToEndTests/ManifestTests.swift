// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// The sample editor's `Info.plist`, swapped without building anything.
@Suite(.waiting) struct ManifestTests {
  private static let type = "org.example.prose"

  /// The editor's own manifest, with its texts mapped to another activity type.
  private static func otherManifest() throws -> String {
    let root = URL(filePath: #filePath + "/../../..").standardized.path
    let own = try #require(Files.text(root + "/Sources/Programs/continuo-edit/continuo-edit.Info.plist"))
    return own.replacing("public.text-editing", with: Self.type)
  }

  private static func installedManifest(of device: Device) -> String {
    device.root + "/data/continuo/apps/org.continuo.edit/Info.plist"
  }

  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func anotherManifestMakesTheEditorOfferAnotherType(isBesideTheProgram: Bool) throws {
    let devices = try TwoDevices()
    let desktop = devices.desktop.device
    var program = desktop.programs["continuo-edit"]
    if isBesideTheProgram {
      let copy = devices.player.sandbox.directory + "/continuo-edit"
      // By a process of its own: one that another test starts meanwhile would hold the copy open for writing,
      // and it could not be run.
      let copying = try ChildProcess("/bin/cp", [program, copy], environment: ["PATH": "/usr/bin:/bin"])
      #expect(try copying.waitForExit() == .code(0))
      program = copy
      try Files.replace(copy + ".Info.plist", with: Array(Self.otherManifest().utf8))
    } else {
      try Files.replace(Self.installedManifest(of: desktop), with: Array(Self.otherManifest().utf8))
    }
    try devices.write("plan.md", "alpha")
    try devices.player.carrying().deliverEverything()
    let screen = try devices.edit("plan.md", on: desktop, program: program)
    try screen.wait(toShow: "alpha")
    try screen.type("beta ")

    let app = ContinuingApp(on: devices.laptop.device, appID: "org.continuo.edit", types: [Self.type])
    app.flow = devices.flow()
    _ = try app.wait(for: "an offer of plan.md") { $0.offers?.first { $0.path?.displayName == "plan.md" } }
    let told = try devices.laptop.device.continuo("offers", "--json")
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["type"] as? String } == [Self.type], "\(told)")
    #expect(rows.map { $0["path"] as? String } == ["plan.md"], "\(told)")
  }

  enum BadManifest: String, CaseIterable {
    case malformed, binary, oversized, folder, withoutIdentifier

    var bytes: [UInt8] {
      switch self {
      case .malformed: Array("<?xml version=\"1.0\"?><plist><dict><key>CFBundleIdentifier".utf8)
      case .binary: Array("bplist00".utf8) + [0xd1, 0x01, 0x02] + [UInt8](repeating: 0xff, count: 32)
      case .oversized: Array("<?xml version=\"1.0\"?>".utf8) + [UInt8](repeating: 0x20, count: 300_000)
      case .folder: []
      case .withoutIdentifier: Array("<plist><dict></dict></plist>".utf8)
      }
    }

    /// What the sentence names beside the file.
    var word: String {
      switch self {
      case .malformed: "line 1"
      case .binary: "binary"
      case .oversized: "bytes"
      case .folder: "regular"
      case .withoutIdentifier: "CFBundleIdentifier"
      }
    }
  }

  @Test(arguments: BadManifest.allCases)
  func aManifestThatCannotBeReadEndsTheEditorWithASentence(_ manifest: BadManifest) throws {
    let home = try Home()
    let place = Self.installedManifest(of: home.device)
    if manifest == .folder {
      try Files.makeDirectory(place)
    } else {
      try Files.replace(place, with: manifest.bytes)
    }
    try Self.expectRefusal(home.device, saying: manifest.word)
  }

  /// A link to itself: nobody can read it, root neither.
  @Test func aManifestThatCannotBeOpenedEndsTheEditorWithASentence() throws {
    let home = try Home()
    let place = Self.installedManifest(of: home.device)
    try Files.makeDirectory(Files.parent(of: place))
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "Info.plist")
    try Self.expectRefusal(home.device, saying: "cannot be read")
  }

  @Test(.enabled(if: getuid() != 0, "root reads whatever the modes say"))
  func aManifestWithoutReadPermissionEndsTheEditorWithASentence() throws {
    let home = try Home()
    let place = Self.installedManifest(of: home.device)
    try Files.replace(place, with: Array("<plist/>".utf8))
    chmod(place, 0)
    try Self.expectRefusal(home.device, saying: "cannot be read")
  }

  private static func expectRefusal(_ device: Device, saying word: String) throws {
    let child = try ChildProcess(device.programs["continuo-edit"], [], environment: device.environment)
    try child.waitForExit()
    #expect(child.exit == .code(1), "\(child.state)")
    expectSentence(child, saying: "org.continuo.edit/Info.plist", word)
  }
}
