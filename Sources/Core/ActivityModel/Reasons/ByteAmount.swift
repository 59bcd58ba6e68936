// SPDX-License-Identifier: MIT

/// A number of bytes as precise as a person is told it, so that what reads the same is the same.
public struct ByteAmount: Hashable, Sendable {
  /// The bytes, rounded down to the unit: a byte, a kB, a MB (a tenth below 10 MB), or a tenth of a GB.
  public let bytes: UInt64

  /// So many bytes, rounded down.
  public init(_ bytes: UInt64) { self.bytes = bytes / Self.unit(of: bytes) * Self.unit(of: bytes) }

  private static func unit(of bytes: UInt64) -> UInt64 {
    switch bytes {
    case 0..<1000: 1
    case ..<1_000_000: 1000
    case ..<10_000_000: 100_000
    case ..<1_000_000_000: 1_000_000
    default: 100_000_000
    }
  }

  /// The number and its unit, with the decimal point of a language.
  func text(_ units: ReasonLanguage.Units) -> String {
    switch bytes {
    case 0..<1000: "\(bytes) \(units.bytes)"
    case ..<1_000_000: "\(bytes / 1000) \(units.kilo)"
    case ..<10_000_000:
      "\(bytes / 1_000_000)\(units.point)\(bytes / 100_000 % 10) \(units.mega)"
    case ..<1_000_000_000: "\(bytes / 1_000_000) \(units.mega)"
    default: "\(bytes / 1_000_000_000)\(units.point)\(bytes / 100_000_000 % 10) \(units.giga)"
    }
  }

  /// The amount that a text tells; nil where `text` would write it otherwise.
  init?(_ text: String, _ units: ReasonLanguage.Units) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var number = String(parts[0])
    // Such an amount has one digit behind the point, or is a whole number of its unit.
    var isInTenths = false
    if number.dropLast().hasSuffix(units.point), let tenth = number.popLast() {
      number = number.dropLast(units.point.count) + String(tenth)
      isInTenths = true
    }
    let unit: UInt64
    switch String(parts[1]) {
    case units.bytes: unit = 1
    case units.kilo: unit = 1000
    case units.mega: unit = 1_000_000
    case units.giga: unit = 1_000_000_000
    default: return nil
    }
    let factor = isInTenths ? unit / 10 : unit
    guard let count = UInt64(number) else { return nil }
    let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: factor)
    self.init(bytes)
    guard !isTooMuch, self.text(units) == text else { return nil }
  }
}
