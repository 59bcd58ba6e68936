// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Glibc
import Testing

@testable import fixtures

/// Editors that listen, and answer, while any of them waits; and the engine between their devices.
final class ServedTable {
  struct Seat { weak var editor: ServedEditor? }
  var seats: [Seat] = []
  var flow: RecordFlow?

  private var editors: [ServedEditor] { seats.compactMap(\.editor) }

  var descriptors: [Int32] { editors.compactMap(\.descriptor) + [flow?.descriptor].compactMap(\.self) }

  func takeNews() throws {
    try flow?.takeNews()
    for editor in editors { try editor.takeNews() }
  }
}

/// Two paired devices whose editors speak the protocol; all ends with it.
final class ServedCircle {
  let player: Player
  let desktop: Device
  let laptop: Device
  private let table = ServedTable()

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    player = try Player()
    try player.setUp(["desktop", "laptop"])
    desktop = try player.device("desktop").device
    laptop = try player.device("laptop").device
    player.flow?.isOn = true
    table.flow = player.flow
  }

  deinit {
    for device in [desktop, laptop] { device.killAgent() }
    player.sandbox.close(keepingFiles: false, endingProcesses: false)
  }

  func editor(on device: Device) throws -> ServedEditor { try ServedEditor(on: device, at: table) }

  /// One that speaks the Language Server Protocol.
  func languageEditor(on device: Device) throws -> ServedEditor {
    try ServedEditor(on: device, at: table, by: ["lsp", "--stdio", "--clientProcessId=1"])
  }

  /// The same file on both devices.
  func write(_ name: String, _ text: String) throws {
    try Files.replace(desktop.folder + "/" + name, with: Array(text.utf8))
    try player.carrying().deliverEverything()
  }

  func carry() throws { try player.carrying().deliverEverything() }
}

extension Device {
  /// Kills the agent and what it started, if it runs.
  func killAgent() {
    guard let connection = try? WireConnection(socketPath: socket), let agent = connection.agentProcess
    else { return }
    for process in [agent] + Descendants.all(of: agent) { kill(process, SIGKILL) }
  }
}

/// What editors and servers said, checked against `docs/authors/stdio-protocol.schema.json` by Python's
/// jsonschema.
enum TrafficSchema {
  /// Members that the schema does not name are refused here, though readers have to take them.
  private static let program = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1])); traffic = json.load(open(sys.argv[2]))
    def close(node):
        if isinstance(node, dict):
            if "properties" in node and node.get("type") == "object" and "additionalProperties" not in node:
                node["additionalProperties"] = False
            for inner in node.values(): close(inner)
        elif isinstance(node, list):
            for inner in node: close(inner)
    close(schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    wrong = []
    def check(part, what, name):
        for error in jsonschema.Draft202012Validator(part).iter_errors(what):
            wrong.append("%s: %s at %s" % (name, error.message, list(error.absolute_path)))
    for each in traffic:
        message = each["message"]
        check(schema, message, message.get("method", "answer"))
        method = each.get("answers")
        if method and "result" in message:
            name = (method + "#result").replace("~", "~0").replace("/", "~1")
            part = {"$ref": "#/$defs/" + name, "$defs": schema["$defs"]}
            check(part, message["result"], method + " result")
    print("\\n".join(wrong[:5]) or "%d messages of %d methods" % (
        len(traffic), len({each["message"].get("method") or each.get("answers") for each in traffic})))
    sys.exit(1 if wrong else 0)
    """

  /// How many methods took part. Throws what does not fit.
  @discardableResult
  static func check(_ editors: ServedEditor..., on device: Device) throws -> String {
    let traffic = JSONValue.array(editors.flatMap(\.traffic))
    let path = device.root + "/traffic.json"
    try Files.replace(path, with: traffic.encoded)
    // From the file of this test to the root of the package.
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(
      separator: "/")
    return try ChildProcess.run(
      "/usr/bin/python3", ["-c", program, root + "/docs/authors/stdio-protocol.schema.json", path],
      environment: device.environment)
  }
}
