// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import fixtures

/// What finds a lost word in random sequences, and the engine between two folders.
@Suite struct SequenceTests {
  @Test func aWordThatIsNowhereIsLostUnlessSomebodyGaveItUp() {
    var model = EditingModel()
    let words = (0..<3).map { _ in model.type() }
    #expect(model.lost(from: [[words[0]], [words[2]]]) == [words[1]])
    model.giveUp([words[1]])
    #expect(model.lost(from: [[words[0]], [words[2]]]) == [])
  }

  @Test func wordsAreFoundWhereverTheyStand() {
    var model = WordModel()
    let words = (0..<12).map { _ in model.type() }
    #expect(model.lost(from: [["a" + words[1...].joined(separator: "b")]]) == ["word-1"])
    model.giveUp(in: "x" + words[0])
    #expect(model.lost(from: [[words[1...].joined()]]) == [])
  }

  @Test func theEngineCarriesChangesAndKeepsBothOfAConflict() throws {
    let scratch = try Scratch("sequences")
    let folders = try ["one", "two"].map { URL(filePath: try scratch.folder($0)) }
    let files = { folders.map { FolderPair.files(in: $0).mapValues { String(decoding: $0, as: UTF8.self) } } }
    var pair = FolderPair(folders)
    try Scratch.write("a", to: folders[0].path + "/note.txt")
    try pair.run()
    #expect(files() == [["note.txt": "a"], ["note.txt": "a"]])
    try Scratch.write("b", to: folders[0].path + "/note.txt")
    try Scratch.write("c", to: folders[1].path + "/note.txt")
    try pair.run()
    let both = ["note.txt": "c", "note.sync-conflict-20260101-000001-ABCDEFG.txt": "b"]
    #expect(files() == [both, both])
    try FileManager.default.removeItem(at: folders[0].appending(path: "note.txt"))
    try Scratch.write("d", to: folders[1].path + "/note.txt")
    try pair.run()
    #expect(files().map { $0["note.txt"] } == ["d", "d"], "a change is stronger than a deletion")
    try FileManager.default.removeItem(at: folders[1].appending(path: "note.txt"))
    try pair.run()
    #expect(files().map { $0["note.txt"] } == [nil, nil])
  }
}
