// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// What the command line asks of private copies.
extension PrivateCopies {
  /// All of them.
  var all: [DocumentCopy] {
    inOrder.filter(isListed).compactMap { copy(for: $0) }
  }

  /// Also one that was saved late, after its document had come into the folder.
  private func isListed(_ kept: KeptCopy) -> Bool {
    kept.isReady && (!kept.machine.isMoved || kept.machine.isChanged)
  }

  private func copy(for kept: KeptCopy) -> DocumentCopy? {
    opening(kept.copy.id).map { opening in
      DocumentCopy(
        path: opening.absolutePath, document: path(of: kept.copy.place),
        folderName: folderName(of: kept.copy.place), isChanged: kept.machine.isChanged,
        isOpen: isUsed(kept), problem: kept.machine.failure)
    }
  }

  /// Why this device must not go to another computer yet: a text lies here that no folder may have. Nil
  /// where there is none. For an agent that was not started.
  var left: ContinuityError? {
    let name = leftNames.first.map { DisplayText.shown($0) }
    return name.map {
      ContinuityError(
        .invalidRequest, subject: $0,
        description: "\($0) lies in a private copy on this computer: `continuo copies place` writes it into "
          + "its folder, and `continuo copies` lists others.")
    }
  }

  /// Writes the copy at that path, or the copies of the document there, into the folder now; `answer` is
  /// called once. Throws `invalidRequest` where there is none.
  func place(_ path: [UInt8], answer: @escaping (AgentAnswer) -> Void) throws(ContinuityError) {
    let found = inOrder.last { kept in
      guard isListed(kept), let copy = copy(for: kept) else { return false }
      return copy.path == path || copy.document == path
    }
    guard let found else {
      throw ContinuityError(
        .invalidRequest, subject: DisplayText.shown(path),
        description: "\(DisplayText.shown(path)) has no private copy: `continuo copies` lists those that "
          + "there are.")
    }
    found.answers.append { [weak self] kept in answer(self?.outcome(of: kept) ?? .done("")) }
    feed(found, .hurried)
  }

  private func outcome(of kept: KeptCopy) -> AgentAnswer {
    let name = kept.copy.place.path.displayName
    guard !kept.machine.isMoved || kept.machine.isChanged else {
      let path = DisplayText.shown(path(of: kept.copy.place) ?? [])
      return .done("It is at \(path) now; apps that have it open go on there.")
    }
    let why = kept.machine.failure.map { ": \($0)" }
    return .failed(
      ContinuityError(
        .folderUnavailable, subject: name,
        description: "\(name) could not be written into folder \(folderName(of: kept.copy.place))"
          + "\(why ?? "; it may not be there now"). The copy stays as it is: try again."))
  }
}
