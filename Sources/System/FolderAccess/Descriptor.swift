// SPDX-License-Identifier: MIT

import Glibc

/// An open file descriptor; closed when the last reference goes.
public final class Descriptor: Sendable {
  /// The number; valid as long as this object lives.
  public let number: CInt

  /// Takes `number` over: nobody else may close it.
  public init(owning number: CInt) { self.number = number }

  deinit { close(number) }
}

/// Repeats a call that was interrupted by a signal.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// `bytes` as the C string of a system call. A NUL inside would cut it: callers pass names that have none.
func withPath<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  body(bytes.map { CChar(bitPattern: $0) } + [0])
}
