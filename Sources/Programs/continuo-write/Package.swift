// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
//
// The sample editor in a window: a package of its own, so that who has no GTK builds the rest. It takes two
// products of the package around it, as an app of somebody else would. `make window` builds and tests it.

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let framework: Target.Dependency = .product(name: "Continuo", package: "continuo")
let texts: Target.Dependency = .product(name: "TextEditing", package: "continuo")

let package = Package(
  name: "continuo-write",
  products: [
    .executable(name: "continuo-write", targets: ["continuo-write"]),
    .library(name: "GTKContinuo", targets: ["GTKContinuo"]),
  ],
  dependencies: [.package(name: "continuo", path: "../../..")],
  targets: [
    .systemLibrary(
      name: "CGtk", pkgConfig: "gtksourceview-5",
      providers: [.apt(["libgtk-4-dev", "libgtksourceview-5-dev"])]),
    // What any GTK app needs to take part: the main queue in GTK's loop, and the focus.
    .target(name: "GTKContinuo", dependencies: ["CGtk", framework], swiftSettings: strict),
    // What is decided without a window.
    .target(name: "WindowEditing", dependencies: [framework, texts], swiftSettings: strict),
    .executableTarget(
      name: "continuo-write", dependencies: ["CGtk", "GTKContinuo", "WindowEditing", framework, texts],
      resources: [.embedInCode("continuo-write.Info.plist")], swiftSettings: strict),
    // What the tests of `GTKFocus` press keys in.
    .executableTarget(
      name: "focus-probe", dependencies: ["CGtk", "GTKContinuo", framework], path: "Tests/FocusProbe",
      swiftSettings: strict),
    .testTarget(
      name: "WindowEditingTests", dependencies: ["WindowEditing", framework, texts], swiftSettings: strict),
  ]
)
