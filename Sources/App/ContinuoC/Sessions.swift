// SPDX-License-Identifier: MIT

import CContinuo
import Synchronization

/// All sessions of the process, by handle. Any thread may ask; only a session's own gets it.
enum Sessions {
  private static let held = Mutex<[UInt64: HostSession]>([:])

  static func add(_ session: HostSession) -> continuo_session {
    held.withLock { $0[session.handle] = session }
    return session.handle
  }

  static func remove(_ session: HostSession) { _ = held.withLock { $0.removeValue(forKey: session.handle) } }

  static func session(_ handle: continuo_session) throws(Refusal) -> HostSession {
    guard let session = held.withLock({ $0[handle] }) else {
      throw .handle("\(handle) names no session; it was destroyed, or never made.")
    }
    guard session.isOnItsThread else {
      throw Refusal(
        CONTINUO_ERROR_THREAD, "The session belongs to another thread; call it on the one that made it.")
    }
    return session
  }
}

/// Runs one call of the host; what it returns.
func answering(_ body: () throws(Refusal) -> Void) -> continuo_status {
  do throws(Refusal) {
    try body()
    return continuo_status(CONTINUO_OK)
  } catch {
    return LastError.set(error)
  }
}

/// Runs one call of the host on a session of this thread.
func answering(
  _ handle: continuo_session, _ body: (HostSession) throws(Refusal) -> Void
) -> continuo_status {
  answering { () throws(Refusal) in try body(try Sessions.session(handle)) }
}
