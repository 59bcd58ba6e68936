// SPDX-License-Identifier: MIT

import Testing

@testable import fixtures

/// The durable writes whose crash points take no time; `make test` runs all of them.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct CrashPointTests {
  nonisolated static let writes = [
    "record", "record-named", "counter", "roster", "new-document", "document", "document-in-place",
    "resolved", "resolved-linked", "restored", "restored-linked", "moved-out", "moved-out-named", "moved-in",
    "new-index",
  ]

  private func result(_ name: String, without forgotten: CrashPoints.Forgotten?) throws -> CrashPoints.Result
  {
    let write = try #require(DurableWrite.all.first { $0.name == name })
    return try CrashPoints(write: write, forgotten: forgotten).run()
  }

  @Test(arguments: writes)
  func whateverACrashLeavesIsTheOldOrTheNew(_ name: String) throws {
    let result = try result(name, without: nil)
    #expect(result.states > 5 && result.failures.isEmpty, "\(result.failures.first ?? "")")
  }

  @Test(arguments: writes, CrashPoints.Forgotten.allCases)
  func aMissingSynchronizationIsFound(_ name: String, _ forgotten: CrashPoints.Forgotten) throws {
    #expect(try !result(name, without: forgotten).failures.isEmpty)
  }
}
