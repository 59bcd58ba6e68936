// SPDX-License-Identifier: MIT

extension Reason {
  /// How far the version has come, where the reason tells it: what is drawn again in one place of a terminal,
  /// while the sentence stands above it.
  public var progress: Progress? {
    switch self {
    case .behind(_, _, .through(_, let progress)), .missing(_, _, .through(_, let progress)),
      .written(_, _, _, let progress):
      progress
    case .reading(_, let progress): progress
    case .overdue(let reason?): reason.progress
    default: nil
    }
  }
}

extension Reason.Progress {
  /// Both amounts with their units, as `3 MB of 24 MB`.
  public var text: String {
    let units = ReasonLanguage.english.units
    return "\(here.text(units)) of \(size.text(units))"
  }
}
