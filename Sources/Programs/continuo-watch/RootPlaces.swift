// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import LinuxSystem

/// Watches the folders above the roots, so that a path that comes to mean another folder is noticed, and a
/// root that is away is found when it is back.
///
/// Above a root that is there only renames of the folder itself are asked for: nothing that happens in a home
/// folder wakes anybody. Above a root that is away, the deepest folder that is there tells of new names.
final class RootPlaces {
  private struct Place {
    var path: [UInt8]
    var isAway: Bool
    var watches: Set<Int32> = []
  }

  private struct Above {
    /// The name that leads on to each root.
    var next: [RootNumber: [UInt8]] = [:]
    var mask: KernelEvent.Mask = []
  }

  private static let sparse: KernelEvent.Mask = [.moveSelf, .deleteSelf]
  private static let arrivals: KernelEvent.Mask = [.create, .movedTo, .attributes, .moveSelf, .deleteSelf]

  private let library: InotifyLibrary
  private var places: [RootNumber: Place] = [:]
  private var above: [Int32: Above] = [:]
  private var byPath: [[UInt8]: Int32] = [:]
  /// Given back to the kernel; their last events may still come.
  private var released: Set<Int32> = []

  init(library: InotifyLibrary) { self.library = library }

  var away: [RootNumber] { places.filter(\.value.isAway).keys.sorted() }
  var all: [(root: RootNumber, path: [UInt8])] { places.map { ($0.key, $0.value.path) } }

  func path(of root: RootNumber) -> [UInt8]? { places[root]?.path }
  func isAway(_ root: RootNumber) -> Bool { places[root]?.isAway ?? false }
  func needs(_ watch: Int32) -> Bool { above[watch] != nil }

  /// Watches what is above the root now. `isTreeWatch` tells which watches are not to be given back.
  func place(_ root: RootNumber, at path: [UInt8], isAway: Bool, keeping isTreeWatch: (Int32) -> Bool) {
    let old = places[root]?.watches ?? []
    var place = Place(path: path, isAway: isAway)
    for watch in old { above[watch]?.next[root] = nil }
    let names = path.split(separator: UInt8(ascii: "/")).map(Array.init)
    let folders = names.indices.map { Self.text(names[..<$0]) }
    func deepestThere() -> Int? { isAway ? folders.lastIndex { FilePath(bytes: $0).isFolder } : nil }
    // Watched first and looked at afterwards: what comes in between is found, what comes later is told.
    var deepest = deepestThere()
    for _ in 0..<100 {
      for (index, folder) in folders.enumerated() where isAway || index > 0 {
        if let deepest, index > deepest { break }
        let mask = index == deepest ? Self.arrivals : Self.sparse
        guard let watch = self.watch(folder, mask) else { continue }
        above[watch]?.next[root] = names[index]
        place.watches.insert(watch)
      }
      let now = deepestThere()
      if now == deepest { break }
      deepest = now
    }
    places[root] = place
    release(old.subtracting(place.watches), isTreeWatch)
  }

  func forget(_ root: RootNumber, keeping isTreeWatch: (Int32) -> Bool) {
    guard let place = places.removeValue(forKey: root) else { return }
    for watch in place.watches { above[watch]?.next[root] = nil }
    release(place.watches, isTreeWatch)
  }

  /// Whether the event belongs to a watch of this object alone, and the roots whose path may mean something
  /// else now.
  func handle(_ event: KernelEvent, isTreeWatch: Bool) -> (isOurs: Bool, suspects: [RootNumber]) {
    guard let folder = above[event.descriptor] else {
      let isOurs = released.contains(event.descriptor) && !isTreeWatch
      if event.mask.contains(.ignored) { released.remove(event.descriptor) }
      return (isOurs, [])
    }
    var suspects: [RootNumber] = []
    if event.name.isEmpty {
      let changes: KernelEvent.Mask = [.moveSelf, .deleteSelf, .unmount, .ignored, .attributes]
      if !event.mask.isDisjoint(with: changes) { suspects = folder.next.keys.sorted() }
      if event.mask.contains(.attributes), event.mask.isDisjoint(with: changes.subtracting(.attributes)) {
        suspects.removeAll { !isAway($0) }
      }
    } else {
      suspects = folder.next.filter { $0.value == event.name && isAway($0.key) }.keys.sorted()
    }
    if event.mask.contains(.ignored) { forgetWatch(event.descriptor) }
    // What was renamed has another path now, and so has all below it.
    if event.name.isEmpty, !suspects.isEmpty { forgetPaths() }
    return (!isTreeWatch, suspects)
  }

  /// Paths may lead elsewhere now.
  func forgetPaths() { byPath = [:] }

  private func watch(_ folder: [UInt8], _ mask: KernelEvent.Mask) -> Int32? {
    if let known = byPath[folder], let held = above[known], held.mask.isSuperset(of: mask) { return known }
    guard let opened = try? FilePath(bytes: folder).open([.placeOnly, .folder]) else { return nil }
    let watched = withExtendedLifetime(opened) { library.watch(opened.number, for: mask.union(.adding)) }
    // A folder that may not be read has no watch; the agent looks at its roots once a minute as well.
    guard case .success(let watch) = watched else { return nil }
    released.remove(watch)
    above[watch, default: Above()].mask.formUnion(mask)
    byPath[folder] = watch
    return watch
  }

  private func release(_ watches: Set<Int32>, _ isTreeWatch: (Int32) -> Bool) {
    for watch in watches where above[watch]?.next.isEmpty == true {
      forgetWatch(watch)
      guard !isTreeWatch(watch) else { continue }
      released.insert(watch)
      library.unwatch(watch)
    }
  }

  private func forgetWatch(_ watch: Int32) {
    above[watch] = nil
    byPath = byPath.filter { $0.value != watch }
    for root in places.keys { places[root]?.watches.remove(watch) }
  }

  private static func text(_ names: ArraySlice<[UInt8]>) -> [UInt8] {
    [UInt8(ascii: "/")] + Array(names.joined(separator: [UInt8(ascii: "/")]))
  }
}
