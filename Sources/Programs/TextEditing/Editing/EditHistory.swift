// SPDX-License-Identifier: MIT

/// One replacement, with all it takes to reverse it.
struct Edit: Sendable {
  var start: Position
  var removed: String
  var inserted: String

  /// Whether it changes nothing.
  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }
  /// What `inserted` covers once it is in.
  var insertedRange: Range<Position> { start..<start.advanced(over: inserted) }
  /// What `removed` covered before.
  var removedRange: Range<Position> { start..<start.advanced(over: removed) }
}

/// What was changed, as steps that can be taken back. Bounded: the oldest steps are forgotten.
struct EditHistory: Sendable {
  /// What one undo takes back.
  struct Step: Sendable {
    var edit: Edit
    var kind: Kind
    var cursorBefore: Position
    var cursorAfter: Position
    /// Names the text after the step; never used twice.
    var revision: Int
  }

  /// What may grow together into one step.
  enum Kind: Sendable {
    case typing
    case backspacing
    case deleting
    case other
  }

  /// The most steps kept.
  static let stepLimit = 10_000

  private var done: [Step] = []
  private var undone: [Step] = []
  private var isSealed = false
  private var lastRevision: Int
  private var baseRevision: Int

  /// No steps; the text as it is gets the number after `revision`.
  init(after revision: Int = -1) {
    lastRevision = revision + 1
    baseRevision = revision + 1
  }

  /// A history for another text, whose numbers this one never gave.
  var fresh: EditHistory { EditHistory(after: lastRevision) }

  /// Names the text as it is now: equal numbers, equal text.
  var revision: Int { done.last?.revision ?? baseRevision }

  /// Whether there is something to take back.
  var canUndo: Bool { !done.isEmpty }
  /// Whether there is something to make again.
  var canRedo: Bool { !undone.isEmpty }

  /// The next change begins a step of its own: the cursor moved, or the text was saved.
  mutating func seal() { isSealed = true }

  /// Takes note of a change that was made; one that `follows` is the second half of the one before.
  mutating func record(
    _ edit: Edit, _ kind: Kind, cursorBefore: Position, cursorAfter: Position, follows: Bool = false
  ) {
    undone.removeAll()
    lastRevision += 1
    if follows, let last = done.last, let joined = Self.join(last.edit, replacing: edit) {
      done[done.count - 1].edit = joined
      done[done.count - 1].kind = kind
      done[done.count - 1].cursorAfter = cursorAfter
      done[done.count - 1].revision = lastRevision
    } else if !isSealed, let last = done.last, last.kind == kind,
      let joined = Self.join(last.edit, edit, kind)
    {
      done[done.count - 1].edit = joined
      done[done.count - 1].cursorAfter = cursorAfter
      done[done.count - 1].revision = lastRevision
    } else {
      done.append(
        Step(
          edit: edit, kind: kind, cursorBefore: cursorBefore, cursorAfter: cursorAfter, revision: lastRevision
        ))
      forgetOldest()
    }
    isSealed = false
  }

  /// The step to reverse; it is among the undone from now on.
  mutating func undo() -> Step? {
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    isSealed = true
    return step
  }

  /// The step to make again.
  mutating func redo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    done.append(step)
    isSealed = true
    return step
  }

  private mutating func forgetOldest() {
    guard done.count > Self.stepLimit + Self.stepLimit / 10 else { return }
    let forgotten = done.count - Self.stepLimit
    baseRevision = done[forgotten - 1].revision
    done.removeFirst(forgotten)
  }

  /// What was taken away and what was put in its place, as one; nil where the second begins elsewhere.
  private static func join(_ first: Edit, replacing second: Edit) -> Edit? {
    guard first.inserted.isEmpty, second.removed.isEmpty, second.start == first.start else { return nil }
    return Edit(start: first.start, removed: first.removed, inserted: second.inserted)
  }

  /// Both edits as one; nil when a person would see two.
  private static func join(_ first: Edit, _ second: Edit, _ kind: Kind) -> Edit? {
    switch kind {
    case .typing:
      let isWordStart =
        first.inserted.last?.isWhitespace == true && second.inserted.first?.isWhitespace == false
      guard second.removed.isEmpty, second.start == first.insertedRange.upperBound, !isWordStart,
        !first.inserted.hasSuffix("\n")
      else {
        return nil
      }
      return Edit(start: first.start, removed: first.removed, inserted: first.inserted + second.inserted)
    case .backspacing:
      guard second.removedRange.upperBound == first.start else { return nil }
      return Edit(start: second.start, removed: second.removed + first.removed, inserted: "")
    case .deleting:
      guard second.start == first.start else { return nil }
      return Edit(start: first.start, removed: first.removed + second.removed, inserted: "")
    case .other: return nil
    }
  }
}
