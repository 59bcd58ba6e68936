// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Looks at what commands print of names that somebody else chose.
enum PrintedRows {
  /// The texts of a JSON value, however deep.
  static func texts(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(texts)
    case let object as [String: Any]: object.values.flatMap(texts)
    default: []
    }
  }
}

/// Every row of both streams is as it is shown: nothing that steers a terminal, nothing that cannot be seen.
func expectClean(_ child: ChildProcess, rows: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
  for bytes in [child.outputBytes, child.errorBytes] {
    #expect(String(validating: bytes, as: UTF8.self) != nil, "\(child.state)", sourceLocation: sourceLocation)
    for row in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: row, as: UTF8.self)
      #expect(
        DisplayText.isClean(text) && !HostileNames.steers(text), "\(text.debugDescription)",
        sourceLocation: sourceLocation)
    }
  }
  guard let rows else { return }
  let told = child.outputBytes.split(separator: UInt8(ascii: "\n"))
  #expect(told.count == rows, "\(child.state)", sourceLocation: sourceLocation)
}

/// The same of one JSON value, which is given back, and of each text in it.
@discardableResult
func expectCleanJSON(
  _ child: ChildProcess, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Any {
  expectClean(child, sourceLocation: sourceLocation)
  let value = try JSONSerialization.jsonObject(with: Data(child.outputBytes), options: .fragmentsAllowed)
  for text in PrintedRows.texts(value) {
    #expect(DisplayText.isClean(text), "\(text.debugDescription)", sourceLocation: sourceLocation)
  }
  return value
}
