// SPDX-License-Identifier: MIT

public import ActivityModel

/// Sentences for failed system calls on a document.
public enum DocumentFault {
  /// That the document at `path` cannot be `action`, such as “saved”, and why.
  public static func error(_ path: FilePath, failure: Errno, action: String) -> ContinuityError {
    let kind: ContinuityError.Code =
      failure == .noSuchFile || failure == .notFolder ? .documentMissing : .documentUnreadable
    return ContinuityError(
      kind, subject: path.shown, description: "\(path.shown) cannot be \(action): \(failure.documentClause).")
  }

  /// What `work` gives. Throws `error` when it fails: `documentMissing`, or `documentUnreadable`.
  public static func unless<Result>(
    _ path: FilePath, action: String, perform work: () throws(Errno) -> Result
  ) throws(ContinuityError) -> Result {
    do throws(Errno) { return try work() } catch {
      throw self.error(path, failure: error, action: action)
    }
  }
}
