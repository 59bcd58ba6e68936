// SPDX-License-Identifier: MIT

public import Foundation

/// Which files have windows, and where the person is in each: what a start opens again when the last one did
/// not end because its windows were closed.
public struct OpenWindows: Hashable, Sendable, Codable {
  /// One window.
  public struct Entry: Hashable, Sendable, Codable {
    /// The file's URL.
    public var url: String
    /// The cursor, from 1.
    public var line: Int
    /// Unicode scalars before the cursor in its line, plus 1.
    public var column: Int
    /// The first line that is seen, from 1.
    public var topLine: Int

    /// A window of the file at `url`.
    public init(url: String, line: Int, column: Int, topLine: Int) {
      (self.url, self.line, self.column, self.topLine) = (url, line, column, topLine)
    }
  }

  /// The windows, oldest first; each file once.
  public var entries: [Entry] = []

  /// No windows.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The most that are opened again.
  public static let limit = 50

  /// What was written by `data`; none where that cannot be read, and no file twice.
  public init(data: Data) {
    let read = (try? JSONDecoder().decode(Self.self, from: data))?.entries ?? []
    var seen: Set<String> = []
    entries = read.filter { seen.insert($0.url).inserted && URL(string: $0.url)?.isFileURL == true }
      .suffix(Self.limit)
  }

  /// The same for the same windows.
  public var data: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(self)) ?? Data()
  }

  /// Where they are kept, in the editor's folder.
  public static func place(environment: [String: String]) -> URL? {
    folder(environment: environment)?.appending(path: "windows.json")
  }

  /// Where the editor keeps what is not in documents: below `XDG_STATE_HOME`, else below the home folder; nil
  /// where there is neither.
  public static func folder(environment: [String: String]) -> URL? {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ $0 + "/.local/state" }) else {
      return nil
    }
    return URL(filePath: state).appending(path: "continuo-write")
  }
}
