// SPDX-License-Identifier: MIT

import ActivityModel

// Which ID is whose. IDs lie in the folders, as files, so that copying a folder copies them: of roots that
// share one, the one that was registered first has it, and the others are refused (decision 0033).
extension FolderRegistry {
  /// What is compared to tell what changed.
  struct Standing: Equatable {
    var isUsed: Bool
    var refusal: Refusal?
    var ids: Set<FolderID>
    var canonical: FolderID
  }

  var standing: [RootNumber: Standing] { standing(of: roots) }

  func standing(of roots: [Root]) -> [RootNumber: Standing] {
    var standing: [RootNumber: Standing] = [:]
    for root in roots {
      standing[root.number] = Standing(
        isUsed: root.presence != nil, refusal: root.refusal, ids: root.ids, canonical: root.canonical)
    }
    return standing
  }

  func changes(since before: [RootNumber: Standing], anew: Set<RootNumber> = []) -> Changes {
    var changes = Changes(isAny: standing != before || !anew.isEmpty)
    for root in roots {
      let wasUsed = before[root.number]?.isUsed ?? false
      if root.presence == nil {
        if wasUsed { changes.went.append(root.number) }
      } else if !wasUsed || anew.contains(root.number) {
        changes.came.append(root.number)
      }
    }
    return changes
  }

  /// Reads what the root's files say. Files that cannot be read now are read again at the next hint; what was
  /// known holds meanwhile.
  func read(at index: Int, isAnew: Bool = false) {
    guard let place = roots[index].place else { return }
    guard let content = try? place.identities.read(own: identityFileName()) else { return }
    var found = content.claimed
    let isForeign = !found.isEmpty && !roots[index].isKnown(by: found)
    // Another folder that took the path is not this one, however it got there. One without an identity may be
    // waiting for it: the engine brings files in any order.
    let isStranger = isForeign && (isAnew || roots[index].isStranger)
    if isStranger != roots[index].isStranger { roots[index].isStranger = isStranger }
    let others = claims(except: index)
    if roots[index].isStranger, isOurs(index, found) { roots[index].isStranger = false }
    if !roots[index].isStranger, found.isDisjoint(with: others) {
      mend(content, at: index, &found)
      adopt(found, at: index)
    }
    if roots[index].found != found { roots[index].found = found }
  }

  /// Whether what lies at the path is the registered folder although its identity file says something else:
  /// it holds what this device said there last, and no other root is missing that it could be.
  private func isOurs(_ index: Int, _ found: Set<FolderID>) -> Bool {
    guard let place = roots[index].place, holdsOwnRecord(place) else { return false }
    return roots.indices.allSatisfy { other in
      other == index || roots[other].claims.isDisjoint(with: found)
        || (roots[other].place?.isInPlace ?? false) && !roots[other].found.isDisjoint(with: found)
    }
  }

  /// Another device gave the folder another identity, and took away that by which it was registered here: it
  /// may be another folder's, of which this one is a copy.
  private func adopt(_ found: Set<FolderID>, at index: Int) {
    // Where its files say nothing, as mostly, there is nothing to look for.
    guard !found.isEmpty, !found.contains(roots[index].registered.id) else { return }
    let root = roots[index]
    guard let id = found.intersection(root.known).min() ?? found.min()
    else { return }
    for old in root.ids.subtracting(found).sorted() { canonicalIDDidChange(old, id) }
    roots[index].registered.id = id
    roots[index].aliases = found.subtracting([id])
    roots[index].ids = found
  }

  /// Writes this device's identity file again where something else was written into it. One that is missing
  /// is left so: somebody may be deleting the folder just now.
  private func mend(_ content: IdentityFiles.Content, at index: Int, _ found: inout Set<FolderID>) {
    let own = identityFileName()
    let isAnothers = content.ids[own] != nil && !roots[index].isKnown(by: found)
    guard !own.isEmpty, isAnothers || content.damaged.contains(own) else { return }
    let root = roots[index]
    guard !claims(except: index).contains(root.registered.id) else { return }
    // A disk that refuses is asked again at the next hint.
    guard (try? root.place?.identities.write(root.registered.id, as: own)) != nil else { return }
    ports.log("a folder's identity file was overwritten, and is written again")
    found = Set(content.ids.filter { $0.key != own }.values).union([root.registered.id])
  }

  private func claims(except index: Int) -> Set<FolderID> {
    roots.indices.filter { $0 != index }.reduce(into: []) { $0.formUnion(roots[$1].claims) }
  }

  /// Says anew which roots are refused, and which IDs each has; no ID is two roots'.
  func settle() {
    guard !isSettled else { return }
    // What is changed here may lead to more: settled is what stays as it is.
    isSettled = true
    for index in roots.indices {
      let root = roots[index]
      let said = root.known.union(root.found)
      var other = roots[..<index].first { !$0.claims.isDisjoint(with: said) }
      if other == nil, root.isStranger {
        other = roots.first { $0.number != root.number && !$0.claims.isDisjoint(with: root.found) }
      }
      let refusal = other.map { .shared(with: $0.number) } ?? (root.isStranger ? Refusal.stranger : nil)
      let former = root.refusal
      if former != refusal { roots[index].refusal = refusal }
    }
    var taken: Set<FolderID> = []
    for index in roots.indices {
      let registeredElsewhere = roots.indices.filter { $0 != index }.map { roots[$0].registered.id }
      let isRefused = roots[index].refusal != nil
      var ids = isRefused ? roots[index].ids.union([roots[index].registered.id]) : roots[index].claims
      ids.subtract(taken)
      ids.subtract(registeredElsewhere)
      taken.formUnion(ids)
      give(ids, to: index, isRefused: isRefused)
    }
  }

  private func give(_ ids: Set<FolderID>, to index: Int, isRefused: Bool) {
    let before = (ids: roots[index].ids, canonical: roots[index].canonical)
    let usual = ids.intersection(roots[index].found).min() ?? ids.min() ?? roots[index].shadow
    let canonical = isRefused && ids.contains(before.canonical) ? before.canonical : usual
    let isOther = before != (ids, canonical)
    if isOther { (roots[index].ids, roots[index].canonical) = (ids, canonical) }
    guard !isRefused else { return }
    let aliases = ids.subtracting([roots[index].registered.id])
    if roots[index].aliases != aliases { roots[index].aliases = aliases }
    guard isOther else { return }
    for id in ids.union(before.ids).sorted() where id != canonical && ids.contains(id) {
      canonicalIDDidChange(id, canonical)
    }
  }

  /// The ID of a folder that is to be registered; its file is written where none is there.
  func identify(
    _ place: Presence, name: String, newIdentity: Bool
  ) throws(ContinuityError) -> FolderID {
    let content = try place.identities.read(own: identityFileName())
    let others = claims(except: -1)
    if let other = roots.first(where: { !$0.claims.isDisjoint(with: content.claimed) }), !newIdentity {
      throw sharing(DisplayText.shown(place.directory.path), with: other)
    }
    if let id = content.claimed.subtracting(others).min(), content.claimed.isDisjoint(with: others) {
      return id
    }
    let id = content.claimed.subtracting(others).min() ?? ports.identifier()
    try clean(place, content, of: others, keeping: id)
    return id
  }

  /// One that lies where it was registered was copied; one that does not was moved in nearly every case, and
  /// would lose what the other devices know it by.
  private func sharing(_ shown: String, with other: Root) -> ContinuityError {
    let name = other.registered.name
    guard other.place != nil else {
      return ContinuityError(
        .invalidRequest, subject: shown,
        description: "\(shown) has the identity of folder \(name), which is not at "
          + "\(DisplayText.shown(other.registered.path)) now. If it was moved, run `continuo folder remove "
          + "\(name)` first, and then add it here. If it is a copy of that folder, add it with `continuo "
          + "folder add --new-identity`.")
    }
    return ContinuityError(
      .invalidRequest, subject: shown,
      description:
        "\(shown) is a copy of folder \(name), which is registered already. If it is to be a folder of its "
        + "own, add it with `continuo folder add --new-identity`; else remove one of the two first.")
  }

  /// Makes `.continuo` and the identity of a registered folder anew. With `newIdentity` it has nothing in
  /// common with another root afterwards.
  func renew(at index: Int, newIdentity: Bool) throws(ContinuityError) {
    let place = try opened(roots[index].registered.path)
    let content = try place.identities.read(own: identityFileName())
    let others = claims(except: index)
    let registered = roots[index].registered.id
    let isShared = !content.claimed.isDisjoint(with: others) || others.contains(registered)
    guard newIdentity || !isShared else {
      roots[index].place = place
      read(at: index, isAnew: true)
      settle()
      let shown = DisplayText.shown(roots[index].registered.path)
      throw ContinuityError(
        .invalidRequest, subject: shown,
        because: reason(onRefused: roots[index]) ?? .told("\(shown) is used already."))
    }
    let left = content.claimed.subtracting(others)
    // Its own one, which other devices know, is kept if it can be.
    let id = others.contains(registered) ? left.min() ?? ports.identifier() : registered
    try clean(place, content, of: others, keeping: id)
    let before = roots[index]
    roots[index].place = place
    (roots[index].isStranger, roots[index].found) = (false, left.union([id]))
    roots[index].registered.id = id
    roots[index].aliases = left.subtracting([id])
    if id != registered {
      // What is known of its documents goes with them.
      for old in before.ids.sorted() where old != id { canonicalIDDidChange(old, id) }
      roots[index].ids = [id]
    }
    settle()
  }

  /// First the new identity, then those of other folders go: whoever reads meanwhile finds one.
  private func clean(
    _ place: Presence, _ content: IdentityFiles.Content, of others: Set<FolderID>, keeping id: FolderID
  ) throws(ContinuityError) {
    let own = identityFileName()
    let stays = content.ids.filter { !others.contains($0.value) }
    if stays[own] != id, stays[own] != nil || !stays.values.contains(id) || content.ids[own] != nil {
      try place.identities.write(id, as: own)
    }
    for (name, found) in content.ids.sorted(by: { $0.key < $1.key }) where name != own {
      if others.contains(found) { try place.identities.remove(name) }
    }
    place.records.removeLeftovers(olderThan: .seconds(3600))
  }

  /// Why a folder that is there is not used, and what to do; nil for any other.
  func reason(onRefused root: Root) -> Reason? {
    guard root.place != nil, let refusal = root.refusal else { return nil }
    let (name, path) = (root.registered.name, DisplayText.shown(root.registered.path))
    switch refusal {
    case .stranger:
      return .folderReplaced(folder: name, path: path)
    case .shared(let number):
      guard let other = self.root(number) else { return nil }
      let shared = root.known.union(root.found).intersection(other.claims)
      // The other one was overwritten with this one's where only this one was ever registered under it.
      let isOtherTheCopy = shared.contains(root.registered.id) && !shared.contains(other.registered.id)
      let copy = isOtherTheCopy ? other : root
      return .folderShared(
        Reason.SharedFolder(
          folder: name, path: path, other: other.registered.name, isOtherFirst: other.number < root.number,
          copy: copy.registered.name, copyPath: DisplayText.shown(copy.registered.path)))
    }
  }
}
