// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
//
// Rooms in order of rank, as drawn in docs/architecture.md; a test compares the drawing with the imports,
// and where each room lies with `folders`.

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Where the rooms lie: what each folder is for stands in docs/architecture.md.
let folders = [
  "Sources/Core": [
    "ActivityModel", "ActivityWire", "ActivityExchange", "ActivityJSON", "SyncedFolders", "TextAnchors",
    "FolderWatch", "Trust", "AgentEngine", "AppSession", "EditorProtocol",
    "SyncEngines", "LocalNetwork",
  ],
  "Sources/System": [
    "LinuxSystem", "CLinux", "CTransportSecurity", "CInotifyTools", "CDesktopGLib", "CNcurses",
    "CDispatchMain", "CSQLiteMemory", "FolderAccess", "CTomlReader", "CJSONReader", "SettingsFile",
    "ConflictVersions",
  ],
  "Sources/Agent": ["Agent", "TrustCiphers", "VersionHistory", "StateDatabase", "ActivityIndex"],
  "Sources/App": [
    "AgentClient", "UserActivities", "Documents", "Continuo", "AppKitNames", "Embedding", "ContinuoC",
    "CContinuo",
  ],
  "Sources/Programs": [
    "continuo", "continuo-watch", "continuo-lan", "continuo-desktop", "continuo-edit", "TextEditing",
  ],
  "Sources/Testing": ["ContinuityTestKit", "ContinuityTesting"],
  "Tests/Tools": [
    "fixtures", "continuo-bench", "fuzz", "continuo-fuzz", "watch-floor", "watch-library", "CAllocations",
  ],
  "Tests/Support": ["TestSamples", "TestSupport"],
]

func path(of name: String) -> String? { folders.first { $1.contains(name) }.map { "\($0.key)/\(name)" } }

func room(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: imports, path: path(of: name), swiftSettings: strict)
}

func program(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .executableTarget(name: name, dependencies: imports, path: path(of: name), swiftSettings: strict)
}

/// Written in C.
func shim(_ name: String, exclude: [String] = [], linking libraries: [String] = []) -> Target {
  .target(
    name: name, path: path(of: name), exclude: exclude,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

func system(_ name: String, _ package: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: path(of: name), pkgConfig: pkgConfig, providers: [.apt([package])])
}

func tests(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .testTarget(name: name + "Tests", dependencies: imports, swiftSettings: strict)
}

let package = Package(
  name: "continuo",
  products: [
    .library(name: "Continuo", targets: ["Continuo"]),
    .library(name: "AppKitNames", targets: ["AppKitNames"]),
    // What the sample editors share: `continuo-write`, a package of its own, takes it from here.
    .library(name: "TextEditing", targets: ["TextEditing"]),
    .library(name: "ContinuityTestKit", targets: ["ContinuityTestKit", "ContinuityTesting"]),
    .executable(name: "continuo", targets: ["continuo"]),
    .executable(name: "continuo-watch", targets: ["continuo-watch"]),
    .executable(name: "continuo-lan", targets: ["continuo-lan"]),
    .executable(name: "continuo-desktop", targets: ["continuo-desktop"]),
    .executable(name: "continuo-edit", targets: ["continuo-edit"]),
    // `make library` builds it with Swift's runtime inside, for hosts that know nothing of Swift.
    .library(name: "continuo-c", type: .dynamic, targets: ["ContinuoC"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Needs libsqlite3-dev. The agent alone links it.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // rank 0
    room("ActivityModel"),
    shim("CLinux"),
    system("CInotifyTools", "libinotifytools0-dev"),
    system("CDesktopGLib", "libglib2.0-dev", pkgConfig: "gio-unix-2.0"),
    shim("CDispatchMain"),
    // In C++ behind C: needs libtomlplusplus-dev.
    shim("CTomlReader"),
    // In C++ behind C: needs nlohmann-json3-dev.
    shim("CJSONReader"),
    // On OpenSSL 3: needs libssl-dev.
    shim("CTransportSecurity", linking: ["ssl", "crypto"]),
    // On SQLite 3: needs libsqlite3-dev.
    shim("CSQLiteMemory", linking: ["sqlite3"]),
    shim("CAllocations"),
    shim("CContinuo", exclude: ["continuo.map", "continuo.pc.in", "valgrind.supp"]),
    system("CNcurses", "libncurses-dev"),
    .executableTarget(name: "watch-floor", path: path(of: "watch-floor")),
    .executableTarget(
      name: "watch-library", dependencies: ["CInotifyTools"], path: path(of: "watch-library"),
      linkerSettings: [.linkedLibrary("inotifytools")]),
    // rank 1
    room("ActivityWire", ["ActivityModel"]),
    room("ActivityExchange", ["ActivityModel"]),
    room("SyncedFolders", ["ActivityModel"]),
    room("TextAnchors", ["ActivityModel"]),
    room("ActivityJSON", ["ActivityModel", "CJSONReader"]),
    room("LinuxSystem", ["ActivityModel", "CLinux"]),
    // rank 2
    room("FolderWatch", ["ActivityModel", "ActivityWire"]),
    room("FolderAccess", ["ActivityModel", "SyncedFolders", "LinuxSystem", crypto]),
    room("ConflictVersions", ["ActivityModel", "SyncedFolders", "LinuxSystem"]),
    room("SettingsFile", ["ActivityModel", "LinuxSystem", "CTomlReader"]),
    room("Trust", ["ActivityModel", "ActivityWire", "ActivityExchange"]),
    room("StateDatabase", ["ActivityModel", "LinuxSystem", "CSQLiteMemory", grdb]),
    room("AgentClient", ["ActivityModel", "ActivityWire", "ActivityExchange", "LinuxSystem"]),
    room("EditorProtocol", ["ActivityModel", "ActivityJSON", "TextAnchors"]),
    room("AppSession", ["ActivityModel", "ActivityWire", "ActivityExchange"]),
    room("SyncEngines", ["ActivityModel", "ActivityJSON"]),
    room("LocalNetwork", ["ActivityModel", "ActivityWire"]),
    // rank 3
    room(
      "UserActivities",
      [
        "ActivityModel", "ActivityWire", "ActivityExchange", "AppSession", "LinuxSystem", "AgentClient",
        "CDispatchMain", logging,
      ]),
    room(
      "Embedding",
      [
        "ActivityModel", "ActivityExchange", "AppSession", "TextAnchors", "AgentClient", "LinuxSystem",
        "SyncedFolders", "ConflictVersions",
      ]),
    room("VersionHistory", ["ActivityModel", "SyncedFolders", "StateDatabase", grdb]),
    room("ActivityIndex", ["ActivityModel", "ActivityWire", "StateDatabase", grdb]),
    room("TrustCiphers", ["Trust", crypto]),
    room(
      "AgentEngine",
      ["ActivityModel", "ActivityWire", "ActivityExchange", "SyncedFolders", "Trust", "LocalNetwork"]),
    // rank 4
    room(
      "Agent",
      [
        "ActivityModel", "ActivityWire", "ActivityExchange", "SyncedFolders", "FolderWatch", "FolderAccess",
        "Trust", "TrustCiphers", "StateDatabase", "VersionHistory", "ActivityIndex", "AgentEngine",
        "LinuxSystem", "SettingsFile", "LocalNetwork",
      ]),
    room(
      "Documents",
      [
        "ActivityModel", "ActivityExchange", "AppSession", "SyncedFolders", "LinuxSystem", "UserActivities",
        "ConflictVersions",
      ]),
    room(
      "ContinuityTestKit",
      [
        "ActivityModel", "ActivityWire", "ActivityExchange", "AppSession", "SyncedFolders", "FolderWatch",
        "Trust", "AgentEngine", "LocalNetwork",
      ]),
    room(
      "ContinuoC", ["ActivityModel", "ActivityJSON", "TextAnchors", "LinuxSystem", "Embedding", "CContinuo"]),
    // rank 5
    room("Continuo", ["Documents", "UserActivities", "ActivityModel"]),
    room("AppKitNames", ["Documents", "UserActivities", "ActivityModel"]),
    room(
      "ContinuityTesting",
      [
        "ActivityModel", "ActivityExchange", "AppSession", "LinuxSystem", "AgentClient", "UserActivities",
        "Documents", "ContinuityTestKit",
      ]),
    // rank 6
    room("TextEditing", ["Continuo", "TextAnchors", "LinuxSystem"]),
    // rank 7
    program(
      "continuo-watch",
      [
        "ActivityModel", "ActivityWire", "SyncedFolders", "FolderWatch", "LinuxSystem", "CInotifyTools",
        "CLinux",
      ]),
    program(
      "continuo-lan",
      ["ActivityModel", "ActivityWire", "LocalNetwork", "LinuxSystem", "CTransportSecurity"]),
    program(
      "continuo-desktop",
      ["AgentClient", "ActivityModel", "ActivityWire", "LinuxSystem", "CDesktopGLib", "CLinux"]),
    program(
      "continuo",
      [
        "Agent", "AgentClient", "AppSession", "Embedding", "EditorProtocol", "ActivityJSON", "TextAnchors",
        "SyncedFolders", "SyncEngines", "LocalNetwork", "SettingsFile", "FolderAccess", "ConflictVersions",
        "ActivityModel", "ActivityWire", "ActivityExchange", "LinuxSystem", argumentParser,
      ]),
    .executableTarget(
      name: "continuo-edit",
      dependencies: ["Continuo", "TextEditing", "LinuxSystem", "CNcurses", argumentParser, logging],
      path: path(of: "continuo-edit"), resources: [.embedInCode("continuo-edit.Info.plist")],
      swiftSettings: strict),
    program(
      "fixtures",
      [
        "ActivityModel", "ActivityWire", "ActivityExchange", "SyncedFolders", "FolderWatch", "FolderAccess",
        "Trust", "TrustCiphers", "AgentClient", "AppSession", "VersionHistory", "ActivityIndex",
        "AgentEngine",
        "Agent", "Documents", "ConflictVersions",
        "ContinuityTestKit", "ContinuityTesting", "LinuxSystem", "CLinux", "TestSamples", "fuzz",
        argumentParser,
      ]),
    program(
      "continuo-bench",
      [
        "ActivityModel", "ActivityWire", "ActivityExchange", "FolderAccess", "SyncedFolders", "AgentEngine",
        "ActivityIndex", "Agent", "UserActivities", "LinuxSystem", "CAllocations", argumentParser,
      ]),
    // What is fuzzed, by `make fuzz`; the tests replay what that found.
    room(
      "fuzz",
      [
        "ActivityModel", "ActivityWire", "ActivityJSON", "SyncedFolders", "TextAnchors", "LinuxSystem",
        "LocalNetwork", "FolderAccess", "SettingsFile", "EditorProtocol", "Trust", "TrustCiphers",
        "ContinuoC", "CContinuo", "AgentEngine", "ContinuityTestKit", "TestSamples",
      ]),

    // What tests of several rooms stand on.
    room("TestSamples", ["ActivityModel", "ActivityWire"]),
    room("TestSupport", ["LinuxSystem"]),
    tests("ActivityModel", ["ActivityModel", "TestSupport"]),
    tests("ActivityWire", ["ActivityModel", "ActivityWire", "TestSamples"]),
    tests("ActivityExchange", ["ActivityModel", "ActivityExchange", "TestSamples"]),
    tests("AppSession", ["ActivityModel", "ActivityExchange", "AppSession"]),
    tests("SyncedFolders", ["ActivityModel", "SyncedFolders"]),
    tests("TextAnchors", ["ActivityModel", "ActivityWire", "TextAnchors", "TestSamples"]),
    tests("ActivityJSON", ["ActivityModel", "ActivityJSON"]),
    tests("EditorProtocol", ["ActivityModel", "ActivityJSON", "EditorProtocol"]),
    tests("SyncEngines", ["ActivityModel", "SyncEngines"]),
    tests("LocalNetwork", ["ActivityModel", "LocalNetwork"]),
    tests("FolderWatch", ["ActivityModel", "ActivityWire", "FolderWatch", "TestSamples", "TestSupport"]),
    tests(
      "ContinuityTestKit",
      [
        "ActivityModel", "ActivityExchange", "ContinuityTestKit", "SyncedFolders", "Trust", "AgentEngine",
        "LocalNetwork",
      ]),
    tests("LinuxSystem", ["ActivityModel", "LinuxSystem", "TestSupport"]),
    tests("SettingsFile", ["ActivityModel", "LinuxSystem", "CTomlReader", "SettingsFile", "TestSupport"]),
    tests("FolderAccess", ["ActivityModel", "SyncedFolders", "FolderAccess", "LinuxSystem", "TestSupport"]),
    tests(
      "ConflictVersions",
      ["ActivityModel", "SyncedFolders", "ConflictVersions", "LinuxSystem", "TestSupport"]),
    tests(
      "Trust",
      ["ActivityModel", "ActivityWire", "ActivityExchange", "Trust", "TrustCiphers", "TestSamples"]),
    tests(
      "VersionHistory",
      ["ActivityModel", "SyncedFolders", "VersionHistory", "TestSamples", "TestSupport", grdb, sqlite]),
    tests(
      "ActivityIndex",
      [
        "ActivityModel", "ActivityIndex", "StateDatabase", "LinuxSystem", "TestSamples", "TestSupport", grdb,
        sqlite,
      ]),
    tests(
      "Agent",
      [
        "ActivityModel", "ActivityWire", "ActivityExchange", "SyncedFolders", "FolderWatch", "FolderAccess",
        "Trust", "TrustCiphers", "VersionHistory", "AgentClient", "UserActivities", "TextAnchors",
        "Embedding",
        "ActivityIndex", "Agent", "AgentEngine", "LinuxSystem", "LocalNetwork", "CTransportSecurity",
        "TestSamples", "TestSupport",
      ]),
    .testTarget(
      name: "DocumentsTests",
      dependencies: [
        "AppKitNames", "Continuo", "Documents", "UserActivities", "Agent", "AgentEngine", "AgentClient",
        "ActivityModel", "ActivityWire", "ActivityExchange", "AppSession", "ContinuityTesting",
        "FolderAccess", "SyncedFolders", "LinuxSystem", "CLinux", logging,
      ],
      resources: [.embedInCode("Trails/Trails.Info.plist")], swiftSettings: strict),
    tests(
      "TextEditing",
      [
        "ActivityModel", "ActivityWire", "Continuo", "TextEditing", "TextAnchors", "TestSamples",
        "TestSupport",
      ]),
    .testTarget(
      name: "DesktopTests",
      dependencies: [
        "continuo-desktop", "ActivityModel", "ActivityWire", "CDesktopGLib", "LinuxSystem", "TestSupport",
      ],
      exclude: ["Service/stage.py", "Service/wayland-pointer.py"], swiftSettings: strict),
    tests("Architecture"),
    tests("Fuzz", ["fuzz", "LinuxSystem", "TestSupport"]),
    tests("Bench", ["CAllocations", "continuo-bench", "continuo-watch", "watch-floor"]),
    .testTarget(
      name: "EditorsTests",
      dependencies: [
        "ActivityModel", "ActivityJSON", "EditorProtocol", "LinuxSystem", "CLinux", "continuo", "fixtures",
        "TestSupport",
      ],
      exclude: ["Emacs", "LibreOffice", "Neovim/Plugin", "Python", "VSCode", "Vim/Plugin", "Windows"],
      swiftSettings: strict),
    tests(
      "EndToEnd",
      [
        "ActivityModel", "ActivityWire", "SyncedFolders", "SyncEngines", "Trust", "TrustCiphers",
        "VersionHistory", "continuo", "fixtures", "LinuxSystem",
        "TestSupport",
      ]),
  ],
  // What is compiled in C++ is the package's own shims.
  cxxLanguageStandard: .cxx17
)

/// Only these targets, and what they stand on: no package that the others need is built.
@MainActor func keep(_ names: Set<String>) {
  var kept = names
  var open = Array(kept)
  while let name = open.popLast(), let target = package.targets.first(where: { $0.name == name }) {
    for case .byNameItem(let below, _) in target.dependencies where kept.insert(below).inserted {
      open.append(below)
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll()
}

// `make fuzz`: a program whose `main` comes with libFuzzer, so that no other build can link it. `replay` is
// for who works on it: what runs the kept inputs, and the rules of the house.
switch Context.environment["CONTINUO_FUZZ"] {
case nil: break
case "replay": keep(["FuzzTests", "ArchitectureTests"])
default:
  package.targets.append(program("continuo-fuzz", ["fuzz", "LinuxSystem"]))
  keep(["continuo-fuzz"])
}

// `make unit`: only the rooms whose tests need neither a program, nor root, nor a package that takes
// minutes to build, and what those rooms stand on. Everybody else sees the whole package.
if Context.environment["CONTINUO_UNIT"] != nil {
  keep([
    "ActivityModelTests", "ActivityWireTests", "ActivityExchangeTests", "AppSessionTests",
    "SyncedFoldersTests", "TextAnchorsTests", "ActivityJSONTests", "EditorProtocolTests",
    "SyncEnginesTests", "LocalNetworkTests", "ContinuityTestKitTests", "ArchitectureTests",
  ])
}
