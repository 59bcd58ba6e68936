// SPDX-License-Identifier: MIT

// libFuzzer's names. It calls both on the thread of its `main`.

/// Called once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func beginFuzzing(
  _ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  MainActor.assumeIsolated { FuzzRun.begin() }
  return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  MainActor.assumeIsolated { FuzzRun.check(input) }
  return 0
}
