// SPDX-License-Identifier: MIT

/// A tag as it was met: its name, its form and its line.
package struct XMLTag: Hashable {
  package enum Form: Hashable { case open, close, empty }

  package var name: String
  package var form: Form
  package var line: Int
  /// What stands behind the name.
  fileprivate var attributes: [UInt8] = []

  /// The value of an attribute, with its characters written out; nil where the tag has none of that name.
  package func attribute(_ name: String) -> String? {
    var cursor = XMLCursor(attributes)
    return cursor.value(ofAttribute: name)
  }

  /// The tag without its attributes.
  var shown: String {
    let name = XMLCursor.shown(name)
    return switch form {
    case .open: "<\(name)>"
    case .close: "</\(name)>"
    case .empty: "<\(name)/>"
    }
  }
}

/// A place in an XML text that moves forward only and counts lines. Entities that a text declares itself are
/// refused; nothing is ever expanded but one character.
package struct XMLCursor {
  package typealias Fault = PropertyListReader.Fault

  private let bytes: [UInt8]
  private var position = 0
  private(set) var line = 1

  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    if starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// A name or a value for a sentence: short, and without what would steer a terminal.
  static func shown(_ text: some StringProtocol) -> String {
    let short = text.unicodeScalars.prefix(60).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: "?"
      default: Character(scalar)
      }
    }
    return String(short) + (text.unicodeScalars.count > 60 ? "…" : "")
  }

  // MARK: Tags

  /// The next tag, behind white space, comments and declarations. `opened` is the element that it is to end.
  /// Throws what is wrong where no tag begins.
  package mutating func tag(expecting wanted: String, for opened: XMLTag? = nil) throws(Fault) -> XMLTag {
    try passOver()
    guard let byte = current else {
      let whose = opened.map { ", for the \($0.shown) of line \($0.line)" } ?? ""
      throw fault("the file ends where \(wanted) is expected\(whose)")
    }
    guard byte == UInt8(ascii: "<") else { throw fault("text stands where \(wanted) is expected") }
    let line = line
    advance()
    let isClosing = consume(UInt8(ascii: "/"))
    let name = takeName()
    guard !name.isEmpty else { throw Fault(line: line, description: "a tag has no name") }
    let start = position
    let isEmpty = try passOverAttributes(of: name, from: line)
    let attributes = Array(bytes[start..<position])
    if isClosing, isEmpty { throw Fault(line: line, description: "a closing tag ends with />") }
    let form: XMLTag.Form = isClosing ? .close : isEmpty ? .empty : .open
    return XMLTag(name: name, form: form, line: line, attributes: attributes)
  }

  /// Throws when something other than white space and comments follows.
  mutating func expectEnd() throws(Fault) {
    try passOver()
    if current != nil { throw fault("something follows </plist>") }
  }

  private mutating func takeName() -> String {
    take {
      !Self.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "<")
    }
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = current, isWanted(byte) { advance() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Of a cursor over what stands in a tag behind its name.
  fileprivate mutating func value(ofAttribute wanted: String) -> String? {
    while current != nil {
      _ = take { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
      let name = take { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
      _ = take(while: Self.isBlank)
      guard consume(UInt8(ascii: "=")) else { return nil }
      _ = take(while: Self.isBlank)
      guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      advance()
      var value: [UInt8] = []
      while let byte = current, byte != quote {
        do throws(Fault) {
          value += byte == UInt8(ascii: "&") ? Array(try character().utf8) : [try plain(byte)]
        } catch {
          return nil
        }
      }
      guard consume(quote) else { return nil }
      if name == wanted { return String(decoding: value, as: UTF8.self) }
    }
    return nil
  }

  /// Passes over all that an element holds, and its end; what nests deeper than `depth` is a fault. Throws
  /// what is wrong with a tag in it.
  package mutating func passOver(_ opened: XMLTag, depth: Int) throws(Fault) {
    var open = opened.form == .open ? [opened] : []
    while let last = open.last {
      while let byte = current, byte != UInt8(ascii: "<") || starts(with: Array("<![CDATA[".utf8)) {
        if byte == UInt8(ascii: "<") {
          try pass(over: "<![CDATA[", to: "]]>", "CDATA section")
        } else {
          advance()
        }
      }
      let tag = try tag(expecting: "</\(last.name)>", for: last)
      switch tag.form {
      case .empty: break
      case .open where open.count < depth: open.append(tag)
      case .open: throw Fault(line: tag.line, description: "nested deeper than \(depth) levels")
      case .close:
        guard tag.name == last.name else {
          throw Fault(
            line: tag.line,
            description: "\(tag.shown) stands where </\(last.name)> is expected, for the "
              + "\(last.shown) of line \(last.line)")
        }
        open.removeLast()
      }
    }
  }

  /// True when the tag ends with `/>`.
  private mutating func passOverAttributes(of name: String, from line: Int) throws(Fault) -> Bool {
    var quote: UInt8?
    while let byte = current {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        break
      } else if byte == UInt8(ascii: ">") {
        advance()
        return false
      } else if starts(with: Array("/>".utf8)) {
        advance(by: 2)
        return true
      }
      advance()
    }
    throw Fault(line: line, description: "the tag <\(Self.shown(name))> does not end; > is expected")
  }

  private mutating func passOver() throws(Fault) {
    while let byte = current {
      if Self.isBlank(byte) {
        advance()
      } else if starts(with: Array("<!--".utf8)) {
        try pass(over: "<!--", to: "-->", "comment")
      } else if starts(with: Array("<?".utf8)) {
        try pass(over: "<?", to: "?>", "declaration")
      } else if starts(with: Array("<!DOCTYPE".utf8)) {
        try passOverDocumentType()
      } else {
        return
      }
    }
  }

  private mutating func passOverDocumentType() throws(Fault) {
    let line = line
    while let byte = current {
      if byte == UInt8(ascii: "[") {
        throw fault("the document type declares entities of its own; remove what stands in [ ]")
      }
      advance()
      if byte == UInt8(ascii: ">") { return }
    }
    throw Fault(line: line, description: "<!DOCTYPE does not end; > is expected")
  }

  private mutating func pass(over begin: StaticString, to end: String, _ what: String) throws(Fault) {
    let line = line
    advance(by: begin.utf8CodeUnitCount)
    let end = Array(end.utf8)
    while current != nil {
      if starts(with: end) { return advance(by: end.count) }
      advance()
    }
    let wanted = String(decoding: end, as: UTF8.self)
    throw Fault(line: line, description: "the \(what) does not end; \(wanted) is expected")
  }

  // MARK: Text

  /// The text of an element up to its closing tag, which is passed over too. Throws what is wrong there.
  package mutating func text(of opened: XMLTag) throws(Fault) -> String {
    var text: [UInt8] = []
    while let byte = current {
      if byte == UInt8(ascii: "<") {
        if starts(with: Array("<!--".utf8)) {
          try pass(over: "<!--", to: "-->", "comment")
        } else if starts(with: Array("<![CDATA[".utf8)) {
          let start = position + 9
          try pass(over: "<![CDATA[", to: "]]>", "CDATA section")
          text += bytes[start..<position - 3]
        } else {
          let tag = try tag(expecting: "</\(opened.name)>", for: opened)
          guard tag.form == .close, tag.name == opened.name else {
            throw Fault(
              line: tag.line,
              description: "\(tag.shown) stands where </\(opened.name)> is expected, for the "
                + "\(opened.shown) of line \(opened.line)")
          }
          return String(decoding: text, as: UTF8.self)
        }
      } else if byte == UInt8(ascii: "&") {
        text += try character().utf8
      } else {
        text.append(try plain(byte))
      }
    }
    throw fault(
      "the file ends where </\(opened.name)> is expected, for the \(opened.shown) of line \(opened.line)")
  }

  /// A byte of text; each line break becomes a line feed.
  private mutating func plain(_ byte: UInt8) throws(Fault) -> UInt8 {
    if byte < 0x20, !Self.isBlank(byte) { throw fault("a control character stands in the text") }
    advance()
    guard byte == 0x0d else { return byte }
    if current == 0x0a { advance() }
    return 0x0a
  }

  /// `&amp;` and its like; the longest is `&#x10FFFF;`.
  private mutating func character() throws(Fault) -> String {
    let window = bytes[(position + 1)..<min(bytes.count, position + 12)]
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
      throw fault("& stands alone; write &amp;")
    }
    let name = String(decoding: window[..<end], as: UTF8.self)
    guard let character = Self.named[name] ?? Self.numbered(name) else {
      throw fault("&\(Self.shown(name)); is not known; write the character itself")
    }
    advance(by: end + 1 - position)
    return character
  }

  private static let named = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

  private static func numbered(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x")
    guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number), number >= 0x20 || [0x09, 0x0a, 0x0d].contains(number)
    else { return nil }
    return String(Character(scalar))
  }

  // MARK: Moving

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private func starts(with text: [UInt8]) -> Bool {
    position + text.count <= bytes.count && bytes[position..<position + text.count].elementsEqual(text)
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    advance()
    return true
  }

  private mutating func advance(by count: Int) { for _ in 0..<count { advance() } }

  /// A line ends with a line feed, a carriage return, or both.
  private mutating func advance() {
    let byte = bytes[position]
    position += 1
    if byte == 0x0a || byte == 0x0d && current != 0x0a { line += 1 }
  }

  private func fault(_ description: String) -> Fault { Fault(line: line, description: description) }
}
