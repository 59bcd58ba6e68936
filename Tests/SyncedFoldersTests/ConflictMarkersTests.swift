// SPDX-License-Identifier: MIT

import SyncedFolders
import Testing

@Suite struct ConflictMarkersTests {
  private func isFound(_ text: String, inPiecesOf size: Int = .max) -> Bool {
    var markers = ConflictMarkers()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      markers.scan(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    markers.finish()
    return markers.isFound
  }

  private static let merged = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> origin/main\nb\n"

  @Test(
    "what git, diff3 and Mercurial write is found, whatever the line breaks and the labels",
    arguments: [
      merged, merged.replacing("\n", with: "\r\n"), "<<<<<<<\n=======\n>>>>>>>",
      "<<<<<<< mine\nx\n||||||| base\ny\n=======\nz\n>>>>>>> theirs\n",
      "<<<<<<< local\n<<<<<<< inner\n=======\n>>>>>>> other\n", "\n\n" + merged + merged,
    ])
  func found(text: String) {
    #expect(isFound(text))
    for size in [1, 2, 7, 13] { #expect(isFound(text, inPiecesOf: size), "in pieces of \(size)") }
  }

  @Test(
    "one marker, the wrong order, another length or another place in the line is none",
    arguments: [
      "", "Title\n=======\ntext\n", ">>>>>>> mail\n=======\n<<<<<<< mail\n",
      "<<<<<<< a\ntext\n>>>>>>> b\n", "<<<<<<< a\n=======\nno end\n",
      " <<<<<<< a\n =======\n >>>>>>> b\n", "<<<<<<<a\n=======b\n>>>>>>>c\n",
      "<<<<<<<< a\n========\n>>>>>>>> b\n", "<<<<<< a\n======\n>>>>>> b\n",
    ])
  func none(text: String) {
    #expect(!isFound(text))
    for size in [1, 3, 8] { #expect(!isFound(text, inPiecesOf: size), "in pieces of \(size)") }
  }
}
