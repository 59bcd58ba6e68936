// SPDX-License-Identifier: MIT

/// Finds folders of a table by something that they hold: four bytes a place, for what is compared stands in
/// the table. Open addressing, each folder at the first free place from its hash on.
struct FolderIndex: Sendable {
  private static let free: Int32 = -1

  private var places: [Int32] = []
  private var count = 0

  /// The folder with this hash that matches.
  func find(_ hash: Int, where matches: (Int32) -> Bool) -> Int32? {
    guard !places.isEmpty else { return nil }
    var place = hash & (places.count - 1)
    while places[place] != Self.free {
      if matches(places[place]) { return places[place] }
      place = next(place)
    }
    return nil
  }

  /// Puts a folder in that is not there; `hashes` gives the hash of each one that is.
  mutating func insert(_ number: Int32, _ hash: Int, _ hashes: (Int32) -> Int) {
    if (count + 1) * 4 > places.count * 3 { grow(hashes) }
    count += 1
    place(number, hash)
  }

  /// Puts one folder in the place of another with the same hash.
  mutating func replace(_ old: Int32, by new: Int32, _ hash: Int) {
    if let place = place(of: old, hash) { places[place] = new }
  }

  /// Takes a folder out; those behind it move up, so that they are still found.
  mutating func remove(_ number: Int32, _ hash: Int, _ hashes: (Int32) -> Int) {
    guard var hole = place(of: number, hash) else { return }
    count -= 1
    var each = next(hole)
    while places[each] != Self.free {
      let wanted = hashes(places[each]) & (places.count - 1)
      let isReached = hole <= each ? hole < wanted && wanted <= each : hole < wanted || wanted <= each
      if !isReached {
        places[hole] = places[each]
        hole = each
      }
      each = next(each)
    }
    places[hole] = Self.free
  }

  private func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

  private func place(of number: Int32, _ hash: Int) -> Int? {
    guard !places.isEmpty else { return nil }
    var place = hash & (places.count - 1)
    while places[place] != Self.free {
      if places[place] == number { return place }
      place = next(place)
    }
    return nil
  }

  private mutating func place(_ number: Int32, _ hash: Int) {
    var place = hash & (places.count - 1)
    while places[place] != Self.free { place = next(place) }
    places[place] = number
  }

  private mutating func grow(_ hashes: (Int32) -> Int) {
    let old = places
    places = [Int32](repeating: Self.free, count: max(16, old.count * 2))
    for number in old where number != Self.free { place(number, hashes(number)) }
  }
}
