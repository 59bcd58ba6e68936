// SPDX-License-Identifier: MIT

import Testing

/// Lets others go on until `isReached`. After 20 seconds without it the test fails, and goes on.
@MainActor func waitUntil(
  sourceLocation: SourceLocation = #_sourceLocation, _ isReached: () async -> Bool
) async {
  let deadline = ContinuousClock.now + .seconds(20)
  while await !isReached() {
    guard ContinuousClock.now < deadline else {
      Issue.record("What is waited for did not come.", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
