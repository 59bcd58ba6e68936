// SPDX-License-Identifier: MIT

import ActivityModel
import Agent
import AgentClient
import ArgumentParser
import LinuxSystem

/// What a shell proposes when Tab is pressed. An agent that runs is asked, and none is started; what it does
/// not tell in time is not proposed.
enum Completions {
  /// A person waits for each of them.
  private static let patience = Duration.milliseconds(700)

  static let offers = CompletionKind.custom { _, _, _ in
    guard case .offers(let offers)? = answer(to: .offers) else { return [] }
    return offers.map { String($0.id.description.prefix(8)) }
  }

  static let folders = CompletionKind.custom { _, _, _ in
    guard case .folders(let folders)? = answer(to: .listFolders) else { return [] }
    return folders.map(\.name).filter(isSafe)
  }

  /// A name that a shell could not hold is proposed as the beginning of its ID.
  static let devices = CompletionKind.custom { _, _, _ in
    guard case .devices(let devices)? = answer(to: .devices) else { return [] }
    return devices.filter { $0.removal == nil }.map { device in
      isSafe(device.name) ? device.name : String(device.shownID.prefix { $0 != "-" && $0 != " " })
    }
  }

  static let hosts = CompletionKind.custom { _, _, _ in
    guard case .lan(let status)? = answer(to: .lan(.status)) else { return [] }
    return status.typed.map(\.name).filter(isSafe)
  }

  static let networks = CompletionKind.custom { _, _, _ in LanAnswer.networks().filter(isSafe) }

  static let apps = CompletionKind.custom { _, _, _ in manifests.map(\.appID).filter(isSafe) }

  static let activityTypes = CompletionKind.custom { _, _, _ in
    Set(manifests.flatMap(\.activityTypes)).filter(isSafe).sorted()
  }

  private static var manifests: [AppManifest] {
    InstalledApps(environment: CurrentProcess.environment).all.compactMap { try? $0.checked.get().manifest }
  }

  private static func answer(to command: AgentCommand) -> AgentAnswer? {
    guard let session = try? AgentSession(startsAgent: false) else { return nil }
    return try? session.ask(command, limit: patience)
  }

  /// bash expands what is proposed, also `$(…)` in the name of another device: only what no shell reads
  /// otherwise is proposed.
  static func isSafe(_ word: String) -> Bool {
    !word.isEmpty && !word.hasPrefix("-")
      && word.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "._-+@/,".unicodeScalars.contains(scalar)
      }
  }
}
