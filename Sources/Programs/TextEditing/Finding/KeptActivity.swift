// SPDX-License-Identifier: MIT

import Continuo
import Dispatch
import Foundation
import LinuxSystem

/// What an app kept for search, on this device or on another one, as the command line lists it: an editor
/// shows what all apps have, where an app's own search tells of its own alone.
public struct KeptActivity: Hashable, Sendable, Decodable {
  /// What `continuo recent --open` knows it by.
  public var id: String
  /// Cleaned for display, as all of these texts are.
  public var title: String
  var app: String
  var changedAt: String
  var path: String?
  var webpageURL: String?
  var device: String?

  /// What it is, in one row.
  var row: String {
    let place = path ?? webpageURL ?? app
    return "\(title)  \(changedAt.prefix(10))  \(place)\(device.map { "  on \($0)" } ?? "")"
  }

  /// As many as keys that choose one.
  private static let limit = 9

  /// Those with all of these words, best first; those that were kept last for none. Waits for the command
  /// line on another thread. Throws its sentence.
  fileprivate static func find(_ words: String) async throws -> [KeptActivity] {
    let words = words.split(separator: " ").map(String.init)
    let asked = words.isEmpty ? ["recent"] : ["search"]
    let printed = try await Command.run(
      asked + ["--json", "--count", "\(limit)"] + (words.isEmpty ? [] : ["--"] + words))
    do {
      return try JSONDecoder().decode([KeptActivity].self, from: printed)
    } catch {
      throw Command.failure("the command line lists it in another form: install one release of all")
    }
  }

  /// Goes on with it where the agent finds best: here, if this app takes it. Waits for the command line on
  /// another thread. Returns what it says; throws its sentence.
  fileprivate func open() async throws -> String {
    let printed = try await Command.run(["recent", "--open", "--json", "--id", id])
    return (try? JSONDecoder().decode(Opened.self, from: printed))?.message ?? ""
  }

  private struct Opened: Decodable {
    var message: String
  }

  /// The command line, asked for JSON.
  private enum Command {
    private static let patience = Duration.seconds(20)
    private static let printedOnly: CInt = 3

    static func run(_ words: [String]) async throws -> Data {
      try await withCheckedThrowingContinuation { answer in
        DispatchQueue.global(qos: .userInitiated).async {
          answer.resume(with: Result { Data(try runHere(words)) })
        }
      }
    }

    private static func runHere(_ words: [String]) throws(ContinuityError) -> [UInt8] {
      guard let program = InstalledProgram.path(of: "continuo") else {
        throw failure("the program continuo is missing: install all of Continuo")
      }
      let (printed, told) = try answer(of: program, words)
      guard printed.isEmpty else { return printed }
      let sentence = String(decoding: told, as: UTF8.self).split(separator: "\n").first.map(String.init)
      throw failure(DisplayText.shown((sentence ?? "it did not answer").replacing("Error: ", with: "")))
    }

    /// What it printed, nothing where it failed, and what it told of that.
    private static func answer(
      of program: String, _ words: [String]
    ) throws(ContinuityError) -> (printed: [UInt8], told: [UInt8]) {
      do throws(Errno) {
        let nowhere = try FilePath("/dev/null").open([.readWrite])
        let (output, errors) = (try Descriptor.memory(holding: []), try Descriptor.memory(holding: []))
        var start = ChildProcess.Start(program, arguments: words)
        start.standard = [nowhere.number, output.number, errors.number]
        let command = try ChildProcess(start)
        let isDone = [.code(0), .code(printedOnly)].contains(try command.wait(atMost: patience))
        return (isDone ? try contents(of: output) : [], try contents(of: errors))
      } catch {
        throw failure("too many files are open, or too many programs run")
      }
    }

    private static func contents(of file: Descriptor) throws(Errno) -> [UInt8] {
      let limit = 1 << 20
      var bytes = [UInt8](repeating: 0, count: min(limit, Int(try file.status().size)))
      _ = try file.read(into: &bytes, at: 0)
      return bytes
    }

    static func failure(_ why: String) -> ContinuityError {
      ContinuityError(
        .invalidRequest, subject: "continuo", description: "What was kept cannot be listed: \(why).")
    }
  }
}

extension EditorEvent {
  /// What comes of looking for what apps kept for search: what was found, or why nothing could be.
  public static func finding(_ words: String) async -> EditorEvent {
    do { return .found(try await KeptActivity.find(words), words: words) } catch {
      return .notice(error.sentence)
    }
  }

  /// What comes of going on with one of them: what took it, or why nothing did.
  public static func opening(_ kept: KeptActivity) async -> EditorEvent {
    do { return .notice(try await kept.open()) } catch { return .notice(error.sentence) }
  }
}
