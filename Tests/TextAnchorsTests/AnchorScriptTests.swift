// SPDX-License-Identifier: MIT

import Testing
import TextAnchors

@Suite struct AnchorScriptTests {
  @Test func thereAreScriptsOfEveryCertainty() throws {
    let scripts = try AnchorScript.all()
    #expect(scripts.count >= 40)
    for certainty in AnchorResolution.Certainty.allCases {
      #expect(scripts.contains { $0.certainty == certainty })
    }
  }

  @Test(arguments: try AnchorScript.all())
  func anchorLandsWhereTheScriptSays(_ script: AnchorScript) throws {
    let anchor = TextAnchor(at: script.text.place, in: StringLines(script.text.lines))
    let sent = try #require(TextAnchor(userInfoValue: anchor.userInfoValue))
    #expect(sent == anchor)
    let found = sent.resolve(in: StringLines(script.edited.lines))
    #expect(
      found.place == script.edited.place,
      "it landed at \(script.edited.showing(found.place)), confidence \(found.confidence)")
    #expect(found.certainty == script.certainty, "its confidence is \(found.confidence)")
  }

  @Test(arguments: try AnchorScript.all())
  func anchorStaysInTheSameText(_ script: AnchorScript) {
    for text in [script.text, script.edited] {
      let lines = StringLines(text.lines)
      let found = TextAnchor(at: text.place, in: lines).resolve(in: lines)
      #expect(found.place == text.place, "it landed at \(text.showing(found.place))")
      #expect(found.certainty == .sure, "its confidence is \(found.confidence)")
    }
  }
}
