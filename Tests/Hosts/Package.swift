// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
//
// Apps of somebody else: a package of its own that depends on Continuo by path, and on nothing of its inside.
// `make hosts` builds and runs them.

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func host(_ name: String, _ library: String, _ others: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name, dependencies: [.product(name: library, package: "continuo")] + others, swiftSettings: strict)
}

let package = Package(
  name: "hosts",
  dependencies: [.package(name: "continuo", path: "../..")],
  targets: [
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(
      name: "Callbacks", dependencies: [.product(name: "Continuo", package: "continuo")],
      swiftSettings: strict),
    host("continuo-host", "Continuo"),
    host("names-host", "AppKitNames"),
    .executableTarget(
      name: "trails-host", dependencies: [.product(name: "AppKitNames", package: "continuo")],
      resources: [.embedInCode("Trails.Info.plist")], swiftSettings: strict),
    host("poll-host", "Continuo", ["Callbacks"]),
    host("glib-host", "Continuo", ["Callbacks", "CGLib"]),
  ]
)
