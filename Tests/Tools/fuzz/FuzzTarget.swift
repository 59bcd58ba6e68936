// SPDX-License-Identifier: MIT

/// Something of the product that takes bytes from outside, and what has to hold whatever they are.
///
/// A target is made once and then called with one input after the other, on one thread.
package protocol FuzzTarget {
  /// What the Makefile and the folder of its corpus call it.
  static var name: String { get }
  /// The most bytes of an input that are worth trying.
  static var longest: Int { get }
  /// Words from which inputs are made, beside chance.
  static var words: [[UInt8]] { get }
  /// Whether an input is tried on real files or sockets; else it costs a processor alone.
  static var touchesFiles: Bool { get }

  /// Makes what the inputs are tried on. Throws when that cannot be made.
  init() throws

  /// Valid inputs to begin with, the same in each run. Throws when the product does not encode them.
  func seeds() throws -> [[UInt8]]
  /// Tries one input. Throws `BrokenProperty` where the property does not hold; a trap is a finding, too.
  mutating func check(_ input: [UInt8]) throws
}

extension FuzzTarget {
  package static var touchesFiles: Bool { false }

  /// How many inputs are tried before a release, by `make fuzz runs=full`.
  package static var fullCount: Int { touchesFiles ? 200_000 : 3_000_000 }
}

/// What had to hold for an input, and did not.
package struct BrokenProperty: Error, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// With a sentence that says what was found in place of what.
  package init(_ sentence: String) { description = sentence }
}

/// Throws that the property of `sentence` does not hold unless `holds` is true.
func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(BrokenProperty) {
  guard holds else { throw BrokenProperty(sentence()) }
}
