// SPDX-License-Identifier: MIT

import Foundation

/// Findings as a table for people: medians, with the range of all rounds behind them.
struct Table: CustomStringConvertible {
  var findings: [Finding]

  private static let head = ["name", "unit", "ours", "peer", "peer name", "ratio", "target", "met"]

  var description: String {
    let cells = [Self.head] + findings.map(Self.row)
    let widths = Self.head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return line.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }
    .joined(separator: "\n")
  }

  private static func row(_ finding: Finding) -> [String] {
    [
      finding.name, finding.unit, text(finding.ours), finding.peer.map(text) ?? "-", finding.peerName,
      finding.ratio.map { String(format: "%.2f", $0) } ?? "-", text(finding.target),
      finding.isMet.map { $0 ? "yes" : "NO" } ?? "-",
    ]
  }

  private static func text(_ summary: Summary) -> String {
    "\(figure(summary.median)) (\(figure(summary.smallest))-\(figure(summary.largest)))"
  }

  private static func text(_ target: Target?) -> String {
    switch target {
    case .ratio(let limit): "ratio <= \(figure(limit))"
    case .ours(let limit): "ours <= \(figure(limit))"
    case .oursAtLeast(let limit): "ours >= \(figure(limit))"
    case nil: "-"
    }
  }

  /// Three digits that count, and no more.
  static func figure(_ value: Double) -> String {
    switch abs(value) {
    case 0: "0"
    case 100...: String(format: "%.0f", value)
    case 10..<100: String(format: "%.1f", value)
    default: String(format: "%.2f", value)
    }
  }
}
