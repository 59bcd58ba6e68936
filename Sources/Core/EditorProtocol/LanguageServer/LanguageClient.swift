// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

/// What an editor says of itself in `initialize` of the Language Server Protocol, and what is known of it
/// beside that.
struct LanguageClient: Hashable {
  /// How the person is told of an offer.
  enum Prompt: String {
    /// By a question with buttons.
    case ask
    /// By a sentence; the person continues by a code action or a command.
    case tell
    /// Not at all.
    case none
  }

  var name = "an editor"
  var appID = "org.continuo.lsp"
  var version: String?
  var unit = PositionEncoding.utf16
  var prompt = Prompt.tell
  var showsDocuments = false
  var showsProgress = false
  /// Requests for hover follow the mouse there, which is nobody's place.
  var hoversByMouse = false
  /// How the person has the editor read a file again.
  var reload = "read it again"
  /// A range of one character is the cursor itself.
  var isBlockCursor = false

  init() {}

  /// Throws for parameters that are no object.
  init(_ params: JSONValue?) throws(RPCError) {
    let members = try Members(params, of: "initialize")
    let info = members.json["clientInfo"]
    if case .text(let text)? = info?["name"], !text.isEmpty { name = DisplayText.shown(text, byteLimit: 64) }
    if case .text(let text)? = info?["version"] { version = text }
    let capabilities = members.json["capabilities"]
    let window = capabilities?["window"]
    showsDocuments = window?["showDocument"]?["support"] == true
    showsProgress = window?["workDoneProgress"] == true
    unit = Self.agreed(capabilities?["general"]?["positionEncodings"])
    let plain = name.lowercased()
    appID = "org.continuo.lsp." + String(plain.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    func isOne(of names: [String]) -> Bool { names.contains { plain.contains($0) } }
    // A question of theirs takes the keyboard.
    prompt = isOne(of: ["neovim", "helix", "emacs", "eglot", "vim"]) ? .tell : .ask
    hoversByMouse = !isOne(of: ["neovim", "helix", "emacs", "eglot", "vim", "kakoune"])
    if isOne(of: ["helix"]) {
      // It shows documents since before it said so.
      (showsDocuments, isBlockCursor, reload) = (true, true, ":reload reads it again")
    } else if isOne(of: ["neovim", "vim"]) {
      reload = ":checktime or :edit! reads it again"
    } else if isOne(of: ["emacs", "eglot"]) {
      reload = "M-x revert-buffer reads it again"
    }
    try choose(members.optionalObject("initializationOptions"))
  }

  private mutating func choose(_ options: Members?) throws(RPCError) {
    guard let options else { return }
    if let app = try options.optionalText("app") {
      guard (1...255).contains(app.utf8.count) else {
        throw options.fault("app", "a string of 1 to 255 bytes")
      }
      appID = app
    }
    if let text = try options.optionalText("prompt") {
      guard let prompt = Prompt(rawValue: text) else { throw options.fault("prompt", "ask, tell or none") }
      self.prompt = prompt
    }
  }

  /// The first that the editor names and that is known; UTF-16 where it names none.
  private static func agreed(_ offered: JSONValue?) -> PositionEncoding {
    guard case .array(let names)? = offered else { return .utf16 }
    return names.lazy.compactMap { name in
      if case .text(let text) = name { PositionEncoding(rawValue: text) } else { nil }
    }.first ?? .utf16
  }

  /// The same editor as the session knows it. Its places are in scalars: they are counted in the text that
  /// the editor holds, not in the file.
  var introduction: Introduction { Introduction(appID: appID, name: name, version: version) }

  /// The answer to `initialize`.
  func answer(serverVersion: String) -> JSONValue {
    [
      "serverInfo": ["name": "continuo", "version": .text(serverVersion)],
      "capabilities": [
        "positionEncoding": .text(unit.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
        "documentHighlightProvider": true, "hoverProvider": true, "codeActionProvider": true,
        "selectionRangeProvider": true,
        "executeCommandProvider": [
          "commands": .array(LanguageCommand.allCases.map { .text($0.rawValue) })
        ],
      ],
    ]
  }
}

/// What the person can ask for, by `workspace/executeCommand`.
enum LanguageCommand: String, CaseIterable {
  /// Continues an offer by its ID, or the newest one.
  case resume = "continuo.resume"
  /// Puts the offers away for a while.
  case dismiss = "continuo.dismiss"
  /// Lists what is offered.
  case offers = "continuo.offers"
  /// Decides about what is awaited; asks where no choice is given.
  case choose = "continuo.choose"
  /// Opens what is here, for reading.
  case openHere = "continuo.openHere"
  /// Goes on waiting.
  case keepWaiting = "continuo.keepWaiting"
  /// Waits no longer.
  case cancel = "continuo.cancel"
  /// Goes where the other device was.
  case jump = "continuo.jump"
  /// Shows a conflict copy by its URI, or the first one.
  case compare = "continuo.compare"
  /// Keeps the document as it is here, and puts the copies aside.
  case keepMine = "continuo.keepMine"
  /// Keeps a conflict copy by its URI, or the first one.
  case keepCopy = "continuo.keepCopy"
  /// Tells how all stands.
  case status = "continuo.status"
}
