// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Foundation
import Testing

@testable import EditorProtocol

@Suite("The page, its schema, and the code")
struct SchemaTests {
  private let schema: JSONValue
  private let page: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let docs = root.appending(path: "docs/authors")
    schema = try JSONValue(
      decoding: Array(Data(contentsOf: docs.appending(path: "stdio-protocol.schema.json"))))
    page = try String(contentsOf: docs.appending(path: "stdio-protocol.md"), encoding: .utf8)
  }

  private var methods: Set<String> {
    Set(ClientMethod.allCases.map(\.rawValue) + ServerMethod.allCases.map(\.rawValue))
  }

  @Test("The schema has the methods of the code, and no others")
  func schemaMethods() throws {
    guard case .object(let definitions)? = schema["$defs"], case .array(let rules)? = schema["allOf"] else {

      Issue.record("no $defs")
      return
    }
    // Types begin with a capital.
    let names = definitions.keys.filter { $0.first?.isUppercase == false }
    #expect(Set(names.filter { !$0.hasSuffix("#result") }) == methods)
    let answered =
      ClientMethod.allCases.filter { !$0.isNotification }.map(\.rawValue)
      + ServerMethod.allCases.filter(\.isRequest).map(\.rawValue)
    #expect(Set(names.filter { $0.hasSuffix("#result") }) == Set(answered.map { $0 + "#result" }))
    #expect(rules.count == methods.count)
    for rule in rules {
      guard case .text(let method)? = rule["if"]?["properties"]?["method"]?["const"],
        case .text(let reference)? = rule["then"]?["properties"]?["params"]?["$ref"]
      else {
        Issue.record("\(rule)")
        return
      }
      #expect(reference == "#/$defs/" + method.replacing("/", with: "~1"))
    }
  }

  @Test("The page has a row for each method, and none for others")
  func pageMethods() {
    let rows = page.matches(of: /(?m)^\| `([a-zA-Z$\/]+)` \|/).map { String($0.1) }
    let named = rows.filter { $0.contains("/") || ["initialize", "shutdown", "exit"].contains($0) }
    #expect(Set(named) == methods)
    #expect(named.count == Set(named).count, "Each has one row.")
  }

  @Test("The page names each error and each member of the types that the schema has")
  func pageNames() {
    for name in ContinuityError.Code.names.values { #expect(page.contains("`\(name)`"), "\(name)") }
    guard case .object(let definitions)? = schema["$defs"] else {
      Issue.record("no $defs")
      return
    }
    for (name, definition) in definitions {
      guard case .object(let members)? = definition["properties"] else { continue }
      for member in members.keys { #expect(page.contains(member), "\(name): \(member)") }
    }
    for form in UserInfoValue.JSONForm.allCases { #expect(page.contains(form.rawValue), "\(form)") }
  }

  @Test("The sample of each method is taken, and refused without any member that the schema requires")
  func required() throws {
    for method in ClientMethod.allCases {
      let sample = Samples.params[method] ?? [:]
      _ = try ClientCall(method, sample)
      for path in paths(method, sample) {
        let error = #expect(throws: RPCError.self, "\(method) without \(path)") {
          try ClientCall(method, sample.removing(path[...]))
        }
        #expect(error?.code == RPCError.Code.invalidParams)
        #expect(path.last.map { error?.message.contains($0) == true } == true, "\(error?.message ?? "")")
      }
    }
  }

  @Test("A member of a wrong type is refused, and its name told")
  func wrongTypes() throws {
    for method in ClientMethod.allCases {
      guard case .object(let members) = Samples.params[method] ?? [:] else { continue }
      for name in members.keys {
        var wrong = members
        wrong[name] = members[name]?.kind == "a number" ? ["x"] : 7
        if method == .cancelRequest { wrong[name] = [:] }
        let error = #expect(throws: RPCError.self, "\(method) \(name)") {
          try ClientCall(method, .object(wrong))
        }
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
      }
    }
  }

  /// The members that a method's schema requires, as far as the sample has them: each as the way to it.
  private func paths(_ method: ClientMethod, _ sample: JSONValue) -> [[String]] {
    schema["$defs"]?[method.rawValue].map { paths($0, sample) } ?? []
  }

  private func paths(_ node: JSONValue, _ sample: JSONValue) -> [[String]] {
    if case .text(let reference)? = node["$ref"] {
      let name = reference.replacing("#/$defs/", with: "").replacing("~1", with: "/")
      return schema["$defs"]?[name].map { paths($0, sample) } ?? []
    }
    guard case .object(let members)? = node["properties"] else { return [] }
    var found: [[String]] = []
    if case .array(let required)? = node["required"] {
      for case .text(let name) in required { found.append([name]) }
    }
    for (name, member) in members {
      if let inner = sample[name] { found += paths(member, inner).map { [name] + $0 } }
      if case .array(let elements)? = sample[name], let items = member["items"], let first = elements.first {
        found += paths(items, first).map { [name] + $0 }
      }
    }
    return found
  }
}

/// Parameters that are right, one set a method.
enum Samples {
  private static let file: JSONValue = ["uri": "file:///home/me/plan%20a.md"]
  private static let id = JSONValue.text(String(repeating: "0a", count: 16))

  static let params: [ClientMethod: JSONValue] = [
    .initialize: [
      "protocolVersion": 1, "app": ["id": "org.example.ed", "name": "Ed", "version": "1"],
      "positionEncoding": "utf-16",
      "documentTypes": [["extensions": ["md"], "activityType": "public.text-editing"]],
      "activityTypes": ["org.example.page"],
      "capabilities": [
        "continueActivity": true, "drafts": true, "openDocuments": true,
      ],
    ],
    .open: ["uri": "file:///a", "edited": true], .close: file, .otherEditors: file,
    .accept: ["offer": id, "openDocuments": true],
    .versions: file, .resolve: ["uri": "file:///a", "keep": "file:///b"],
    .cancel: ["request": id], .extend: ["request": id, "seconds": 60],
    .choose: ["request": id, "choice": "openHere"],
    .create: [
      "type": "org.example.page", "title": "Page", "userInfo": ["page": 3],
      "webpageURL": "https://example.org",
      "requiredUserInfoKeys": ["page"], "expiresAt": 1_800_000_000_000, "eligibleForHandoff": true,
      "draft": true, "eligibleForSearch": true, "persistentIdentifier": "page-3", "keywords": ["page"],
      "contentDescription": "Of three",
    ],
    .deleteSaved: ["persistentIdentifiers": ["page-3"]],
    .set: ["activity": id, "title": "Page"], .becomeCurrent: ["activity": id], .resignCurrent: file,
    .invalidate: ["activity": id], .didChange: ["uri": "file:///a", "edited": false], .didSave: file,
    .cursorDidMove: ["uri": "file:///a", "line": 3],
    .didMove: ["uri": "file:///a", "newUri": "file:///b"], .documentBecameCurrent: file,
    .documentResignedCurrent: file, .cancelRequest: ["id": 3],
    .openStreams: ["request": id], .readStreams: ["streams": id, "length": 7],
    .writeStreams: ["streams": id, "data": ["$data": "AP8Q"]],
    .closeStreams: ["streams": id, "direction": "writing"],
  ]
}

extension JSONValue {
  /// Without the member at the end of the way; of arrays the first element is meant.
  func removing(_ path: ArraySlice<String>) -> JSONValue {
    switch self {
    case .array(let elements):
      return .array(elements.prefix(1).map { $0.removing(path) } + elements.dropFirst())
    case .object(var members):
      guard let name = path.first else { return self }
      members[name] = path.count == 1 ? nil : members[name]?.removing(path.dropFirst())
      return .object(members)
    default: return self
    }
  }
}
