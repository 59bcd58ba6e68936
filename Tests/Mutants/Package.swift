// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(name: "mutants", targets: [.executableTarget(name: "prepare")])
