// SPDX-License-Identifier: MIT

import CContinuo
import Glibc
import Synchronization

/// What the last call that failed on each thread said, as errno is: also calls without a valid session fail,
/// and those on a thread that no session belongs to.
enum LastError {
  private struct Held {
    var status: continuo_status
    var text: continuo_text
  }

  /// The key of the threads' places; nil when the system gave none.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { place in
      guard let place else { return }
      LastError.release(place.assumingMemoryBound(to: Held.self))
    }
    return code == 0 ? key : nil
  }()

  /// Keeps it for this thread, and gives back what the call returns.
  static func set(_ refusal: Refusal) -> continuo_status {
    guard let key else { return refusal.status }
    let held = Held(status: refusal.status, text: HostAllocations.copy(Array(refusal.sentence.utf8)))
    if let place = pthread_getspecific(key)?.assumingMemoryBound(to: Held.self) {
      HostAllocations.free(place.pointee.text)
      place.pointee = held
    } else {
      let place = UnsafeMutablePointer<Held>.allocate(capacity: 1)
      place.initialize(to: held)
      pthread_setspecific(key, place)
    }
    return refusal.status
  }

  static var current: (status: continuo_status, sentence: continuo_text) {
    guard let key, let place = pthread_getspecific(key)?.assumingMemoryBound(to: Held.self) else {
      return (continuo_status(CONTINUO_OK), HostAllocations.empty)
    }
    return (place.pointee.status, place.pointee.text)
  }

  private static func release(_ place: UnsafeMutablePointer<Held>) {
    HostAllocations.free(place.pointee.text)
    place.deallocate()
  }
}
