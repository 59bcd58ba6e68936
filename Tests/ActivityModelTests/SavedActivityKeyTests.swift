// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// The word by which programs name a saved activity to each other.
@Suite struct SavedActivityKeyTests {
  @Test(arguments: [("org.example.reader", "page-1"), ("é", "\u{1b}\n--open .\0"), ("a.b", "c.d")])
  func aNameIsOneWordAndComesBack(_ app: String, _ identifier: String) {
    let key = SavedActivity.Key(appID: app, identifier: identifier)
    #expect(key.name.utf8.allSatisfy { "0123456789abcdef.".utf8.contains($0) })
    #expect(SavedActivity.Key(named: key.name) == key)
  }

  @Test(arguments: ["", "61", "61.62.63", "--open", "6.62", "61.zz", "61.ff", "61.62 "])
  func whatIsNoNameNamesNothing(_ name: String) {
    #expect(SavedActivity.Key(named: name) == nil)
  }
}
