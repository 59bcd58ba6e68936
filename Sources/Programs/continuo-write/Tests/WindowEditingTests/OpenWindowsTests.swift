// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WindowEditing

/// The list of open windows on the disk.
@Suite struct OpenWindowsTests {
  private func entry(_ url: String) -> OpenWindows.Entry {
    OpenWindows.Entry(url: url, line: 3, column: 4, topLine: 2)
  }

  @Test func whatIsWrittenIsRead() {
    let windows = OpenWindows([entry("file:///a/plan.md"), entry("file:///a/%C3%A9.txt")])
    #expect(OpenWindows(data: windows.data) == windows)
  }

  @Test(arguments: ["", "{", "[]", "{\"entries\": 3}", "{\"entries\": [{\"url\": \"x\"}]}"])
  func whatCannotBeReadOpensNothing(text: String) {
    #expect(OpenWindows(data: Data(text.utf8)) == OpenWindows())
  }

  @Test func noFileIsOpenedTwiceAndNoOtherAddressAtAll() {
    let windows = OpenWindows([
      entry("file:///a"), entry("https://a.example/"), entry("file:///a"), entry(""),
    ])
    #expect(OpenWindows(data: windows.data) == OpenWindows([entry("file:///a")]))
    let many = OpenWindows((0..<99).map { entry("file:///\($0)") })
    #expect(OpenWindows(data: many.data).entries.count == OpenWindows.limit)
  }

  @Test func theyAreKeptBelowTheStateFolderElseTheHomeFolder() {
    let end = "continuo-write/windows.json"
    for (environment, path) in [
      (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/\(end)"), (["HOME": "/h"], "/h/.local/state/\(end)"),
      (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/\(end)"), (["HOME": "h"], nil), ([:], nil),
    ] as [([String: String], String?)] {
      #expect(OpenWindows.place(environment: environment)?.path == path)
    }
  }
}
