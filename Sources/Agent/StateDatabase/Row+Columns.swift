// SPDX-License-Identifier: MIT

import FoundationEssentials
public import GRDB

// Not by GRDB's subscripts: those end the process where a damaged file holds another type.
extension Row {
  /// The whole number of a column; nil where there is none.
  public func integer(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

  /// The text of a column; nil where there is none.
  public func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }

  /// The bytes of a column; nil where there are none.
  public func bytes(_ index: Int) -> [UInt8]? { Data.fromDatabaseValue(self[index]).map(Array.init) }
}
