// SPDX-License-Identifier: MIT

/// What the table is made of.
@MainActor protocol Measurable {
  /// What is measured, in a few words; chosen by it.
  var name: String { get }
  /// Measures so many rounds, or as many as are usual.
  func measure(rounds: Int?) throws -> [Finding]
}

/// Something of ours beside the same of several peers, all in each round.
@MainActor struct Race: Measurable {
  /// One of the figures that each round gives.
  struct Figure {
    /// Behind the name of the race.
    var name: String
    var unit: String
    var target: Target?
    /// The peer that a target is of; when empty, the first.
    var targetPeer = ""
  }

  var name: String
  var figures: [Figure]
  var rounds: Int
  /// Rounds that are played first and not counted.
  var warmUp = 1
  /// Makes all ready; called just before the first round.
  var prepare: @MainActor () throws -> Field

  /// Those who run. Ours is the first.
  @MainActor struct Field {
    var entrants: [Entrant]
    /// Ends what `prepare` started.
    var end: @MainActor () -> Void = {}
  }

  /// Gives one value of each figure in a round, all at once.
  @MainActor struct Entrant {
    var name: String
    var run: @MainActor () throws -> [Double]
  }

  func measure(rounds wanted: Int? = nil) throws -> [Finding] {
    let field = try prepare()
    defer { field.end() }
    var values = field.entrants.map { _ in figures.map { _ in [Double]() } }
    var problems = [String?](repeating: nil, count: field.entrants.count)
    let count = max(1, wanted ?? rounds)
    for round in 0..<(warmUp + count) {
      for position in field.entrants.indices {
        let index = (position + round) % field.entrants.count
        if Interruption.came { throw Failure("interrupted") }
        guard problems[index] == nil else { continue }
        do {
          let found = try field.entrants[index].run()
          guard round >= warmUp else { continue }
          for (figure, value) in found.enumerated() { values[index][figure].append(value) }
        } catch {
          // Without ours there is nothing to tell; without a peer, the row stands and says why.
          if index == 0 || Interruption.came { throw error }
          problems[index] = "\(error)"
        }
      }
    }
    return figures.indices.flatMap { figure in
      field.entrants.indices.dropFirst().map { peer in
        finding(
          figures[figure], Summary(values[0][figure]), field.entrants[peer].name, isFirst: peer == 1,
          problems[peer] == nil ? Summary(values[peer][figure]) : nil, problems[peer])
      }
    }
  }

  private func finding(
    _ figure: Figure, _ ours: Summary, _ peerName: String, isFirst: Bool, _ peer: Summary?,
    _ problem: String?
  ) -> Finding {
    let isBound = figure.targetPeer.isEmpty ? isFirst : figure.targetPeer == peerName
    return Finding(
      name: figure.name.isEmpty ? name : "\(name), \(figure.name)", unit: figure.unit,
      peerName: problem.map { "\(peerName) (\($0))" } ?? peerName, ours: ours, peer: peer,
      target: isBound ? figure.target : nil)
  }
}
