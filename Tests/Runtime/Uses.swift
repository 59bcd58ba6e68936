// SPDX-License-Identifier: MIT
//
// Says what a program gets of the Swift runtime that its linker does not see: types, conformances and
// replacements that are found while it runs, data of locales, encodings, tasks, queues. `run.sh` compares
// what it says.

import Dispatch
import Foundation
import Observation
import Synchronization

protocol Numbered { var number: Int { get } }
extension Int: Numbered { var number: Int { self } }

struct Note: Codable, Hashable {
  var date = Date(timeIntervalSince1970: 1.5e9)
  var url = URL(filePath: "/a b/ü.md")
  var sizes = ["a": Decimal(125) / 100]
}

@Observable final class Counter { var count = 1 }

final class Described: NSObject {
  override var description: String { "described" }
}

actor Turns {
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}

func sayWhatIsFoundByName() {
  print((3 as Any) as? any Numbered as Any, ("x" as Any) as? any Numbered as Any)
  print(Described(), Described() as Any is any CustomStringConvertible, NSStringFromClass(Described.self))
  print(NSClassFromString("Foundation.NSNull") as Any, _typeName(Counter.self), "\(Note.self)")
  print(Mirror(reflecting: Note()).children.map { $0.label ?? "" }, AnyHashable(1) == AnyHashable(1.0))
  print(NSNumber(value: 2.5) as Any as? Double as Any, ([1: [2.5, NSNull()]] as NSDictionary).count)
}

func sayTexts() throws {
  print("a1b22".matches(of: /[a-z](\d+)/).map { $0.1 }, try Regex("x+").firstMatch(in: "axx")?.0 ?? "")
  print("é".decomposedStringWithCanonicalMapping.unicodeScalars.count, "ǆ".capitalized)
  print("Straße".range(of: "STRASSE", options: .caseInsensitive) as Any, CharacterSet.letters.contains("ß"))
  print(["z", "ä", "Z", "a"].sorted { $0.localizedStandardCompare($1) == .orderedAscending })
  let encodings: [String.Encoding] = [
    .isoLatin2, .windowsCP1252, .shiftJIS, .japaneseEUC, .utf16, .macOSRoman,
  ]
  for encoding in encodings {
    let bytes = "aä日".data(using: encoding, allowLossyConversion: true).map { Array($0) }
    print(encoding, bytes as Any, String(data: Data([0x61, 0xe4, 0x83, 0x41]), encoding: encoding) as Any)
  }
  print(String(format: "%05.2f %d", 3.14159, 4), ByteCountFormatter().string(fromByteCount: 12345))
}

func sayLocales() {
  let dates = DateFormatter()
  dates.locale = Locale(identifier: "de_DE")
  dates.timeZone = TimeZone(identifier: "Europe/Berlin")
  dates.dateStyle = .full
  print(dates.string(from: Note().date), 0.5.formatted(.percent.locale(Locale(identifier: "tr"))))
  let style = Date.FormatStyle(
    date: .complete, time: .shortened, locale: Locale(identifier: "ja_JP"),
    calendar: Calendar(identifier: .japanese), timeZone: TimeZone(identifier: "Asia/Tokyo") ?? .gmt)
  print(Note().date.formatted(style), Locale(identifier: "fr").localizedString(forLanguageCode: "de") as Any)
}

func sayFiles() throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  let json = try encoder.encode(Note())
  print(String(decoding: json, as: UTF8.self), try JSONDecoder().decode(Note.self, from: json) == Note())
  let list = Data("<plist version=\"1.0\"><dict><key>k</key><integer>3</integer></dict></plist>".utf8)
  print(try PropertyListSerialization.propertyList(from: list, format: nil))
  do { _ = try Data(contentsOf: URL(filePath: "/none")) } catch {
    print((error as NSError).domain, (error as NSError).code, error.localizedDescription)
  }
  let (echo, pipe) = (Process(), Pipe())
  (echo.executableURL, echo.arguments, echo.standardOutput) = (URL(filePath: "/bin/echo"), ["echoed"], pipe)
  try echo.run()
  echo.waitUntilExit()
  print(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
}

@main struct Uses {
  static func main() async throws {
    sayWhatIsFoundByName()
    try sayTexts()
    sayLocales()
    try sayFiles()
    let turns = Turns()
    await withTaskGroup { group in for _ in 0..<100 { group.addTask { await turns.next() } } }
    let counter = Counter()
    withObservationTracking {
      _ = counter.count
    } onChange: {
      print("changed")
    }
    counter.count = 2
    let queued = await withCheckedContinuation { next in
      DispatchQueue.global().async { next.resume(returning: Mutex("queued").withLock { $0 }) }
    }
    print(await turns.next(), queued)
  }
}
