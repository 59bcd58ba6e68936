// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import fixtures

/// How a terminal's screen becomes a drawing.
@Suite(.waiting) struct PictureTests {
  private func rows(_ captured: String...) -> [StyledRow] {
    var style = StyledRow.Style()
    return captured.map { StyledRow(captured: $0[...], continuing: &style) }
  }

  @Test func attributesSplitARowIntoPiecesThatKnowTheirColumn() {
    let row = rows("ab\u{1b}[1;34mcd\u{1b}[0;7mef\u{1b}[mg")[0]
    #expect(row.text == "abcdefg")
    #expect(row.pieces.map(\.column) == [0, 2, 4, 6])
    #expect(row.pieces[1].style == StyledRow.Style(isBold: true, foreground: 4))
    #expect(row.pieces[2].style == StyledRow.Style(isReversed: true))
    #expect(row.pieces[3].style == StyledRow.Style())
  }

  @Test func attributesGoOnInTheNextRow() {
    #expect(rows("a\u{1b}[2m", "b")[1].pieces[0].style.isDim)
  }

  @Test func numbersOfExtendedColoursAreNotTakenForAttributes() {
    let row = rows("\u{1b}[38;5;7mx\u{1b}[48;2;1;1;1my")[0]
    #expect(row.pieces[0].style == StyledRow.Style(foreground: 7))
    #expect(row.pieces[1].style == StyledRow.Style(foreground: 7))
  }

  @Test(arguments: [(4, "#61afef"), (24, "#005f87"), (231, "#ffffff"), (232, "#080808"), (256, "#d7dce2")])
  func coloursAreThoseOfTheTerminalsPalette(number: Int, colour: String) {
    #expect(HandoffPicture.colour(number) == colour)
  }

  @Test func textIsEscapedAndTheLastMomentIsTheOneThatStays() {
    let shot = HandoffPicture.Shot(rows: rows("<a & \"b\">"), cursorRow: 0, cursorColumn: 3)
    let moments = ["one", "two"].map { HandoffPicture.Moment(caption: $0, left: shot, right: shot) }
    let svg = HandoffPicture(moments: moments, columns: 10, rows: 2).svg
    #expect(svg.contains("&lt;a &amp; &quot;b&quot;&gt;</text>"))
    #expect(svg.contains(".m{opacity:0}.m1{opacity:1}"))
  }

  @Test func thePictureOfThisPackageIsSmallPlainAndOfAHandOff() throws {
    let root = URL(filePath: #filePath + "/../../..").standardized.path
    let svg = try #require(Files.text(root + "/docs/picture.svg"))
    #expect(svg.utf8.count < 60_000)
    for part in ["<script", "@import", "url(", "href"] { #expect(!svg.contains(part)) }
    let places = svg.matches(of: /plan\.md  (Ln \d+, Col \d+)/).map(\.1)
    #expect(places.count == 4 && places.suffix(2).first == places.last)
    #expect(svg.contains("Continue plan.md from desktop"))
  }
}
