// SPDX-License-Identifier: MIT

import Testing

@testable import FolderWatch

@Suite("Where folders are found by what they hold") struct FolderIndexTests {
  /// Beside a dictionary, with hashes that collide as often as they can.
  @Test(arguments: [1, 3, 17, 1 << 20])
  func itKnowsWhatADictionaryKnows(hashes: Int) {
    var generator = SystemRandomNumberGenerator()
    var index = FolderIndex()
    var keys = [Int](repeating: 0, count: 400)
    var known: [Int: Int32] = [:]
    func hash(_ key: Int) -> Int { key % hashes &* -7 }
    for step in 0..<20_000 {
      let number = Int32.random(in: 0..<400, using: &generator)
      let key = Int.random(in: 0..<300, using: &generator)
      let found = index.find(hash(key)) { keys[Int($0)] == key }
      #expect(found == known[key], "step \(step)")
      if let found {
        if step.isMultiple(of: 3), !known.values.contains(number) {
          keys[Int(number)] = key
          index.replace(found, by: number, hash(key))
          known[key] = number
        } else {
          index.remove(found, hash(key)) { hash(keys[Int($0)]) }
          known[key] = nil
        }
      } else if !known.values.contains(number) {
        keys[Int(number)] = key
        index.insert(number, hash(key)) { hash(keys[Int($0)]) }
        known[key] = number
      }
    }
    for key in 0..<300 { #expect(index.find(hash(key)) { keys[Int($0)] == key } == known[key]) }
  }
}
