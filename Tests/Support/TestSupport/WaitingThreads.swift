// SPDX-License-Identifier: MIT

import Foundation
public import Testing

/// Threads for tests that wait for other processes most of the time.
///
/// The pool that runs all tests has a thread for each core, and a test that waits holds one: here they wait
/// beside those that compute.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads()
  private let queue = OperationQueue()

  /// Few, for what they wait for computes too.
  private init() { queue.maxConcurrentOperationCount = 3 }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.addOperation { job.runSynchronously(on: executor) }
  }
}

/// Runs a suite's tests on threads that are kept for those that wait.
public struct WaitingTrait: SuiteTrait, TestScoping {
  /// Called by the testing library around the whole suite, whose tests' tasks inherit the threads.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  /// For suites whose tests start programs and wait for them.
  public static var waiting: Self { Self() }
}
