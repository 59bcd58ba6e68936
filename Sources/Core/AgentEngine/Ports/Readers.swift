// SPDX-License-Identifier: MIT

/// Runs readings beside the loop, each on its own, so that none holds up anything else. Which run, and which
/// pause, is decided here (`HashQueue`). Loop thread only.
package protocol Readers: AnyObject {
  /// How many may run at once: the processors that the loop's thread leaves.
  var limit: Int { get }
  /// Begins `reading`, whose `perform` is called beside the loop, and calls `done` with its answer in a later
  /// turn of the loop, also after `stop`. Nil when nothing more can be run now: `done` is not called then.
  func start(
    _ reading: FolderReading, done: @escaping (FolderReading.Answer) -> Void
  ) -> (any RunningReading)?
}

/// A reading under way. Loop thread only.
package protocol RunningReading: AnyObject {
  /// Bytes read so far.
  var bytes: UInt64 { get }
  /// It waits after the piece under way, until `resume`.
  func pause()
  /// It goes on.
  func resume()
  /// It ends after the piece under way, with the answer that it has then.
  func stop()
}

/// What a reading asks and tells between two pieces, beside the loop.
package protocol ReadingControl {
  /// Blocks while the reading is paused; false when it is to end.
  func mayGoOn() -> Bool
  /// Tells how many bytes were read so far.
  func report(_ bytes: UInt64)
}
