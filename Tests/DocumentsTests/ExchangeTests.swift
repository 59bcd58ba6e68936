// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import LinuxSystem
import Testing

@testable import Documents

@Suite("Putting a saved file in its place")
struct ExchangeTests {
  let folder = SampleFolder()
  private var path: FilePath { FilePath(bytes: Array(folder.path("plan.md").utf8)) }

  private func temporary(_ text: String) throws -> TemporaryFile {
    let file = try TemporaryFile(
      FilePath(folder.directory).open([.readOnly, .folder]), for: path, mode: 0o600)
    try file.fill(Data(text.utf8))
    return file
  }

  @Test func whatWasExpectedIsReplacedAndGone() throws {
    folder.write("plan.md", "old")
    let stamp = try #require(DocumentFile.stamp(path))
    let replaced = try temporary("new").exchange(expecting: stamp) { DocumentFault.error(path, $0, "saved") }
    #expect(replaced)
    #expect(folder.text("plan.md") == "new")
    #expect(folder.names == ["plan.md"])
  }

  @Test func anotherWritersFileThatCameAtTheLastMomentGoesBack() throws {
    folder.write("plan.md", "old")
    let stamp = try #require(DocumentFile.stamp(path))
    folder.replace("plan.md", "theirs")
    let replaced = try temporary("new").exchange(expecting: stamp) { DocumentFault.error(path, $0, "saved") }
    #expect(!replaced)
    #expect(folder.text("plan.md") == "theirs")
    #expect(folder.names == ["plan.md"])
  }

  @Test func anotherWritersFileThatCameRightAfterDoesNotPassForTheSavedOne() throws {
    folder.write("plan.md", "old")
    let stamp = try #require(DocumentFile.stamp(path))
    let file = try temporary("new")
    #expect(try file.exchange(expecting: stamp) { DocumentFault.error(path, $0, "saved") })
    folder.replace("plan.md", "theirs")
    let saved = try DocumentWriter.reopen(file.file, at: path)
    #expect(try saved.descriptor.readToEnd() == Array("new".utf8))
    #expect(saved.stamp != DocumentFile.stamp(path))
  }

  @Test func whatAnotherWriterPutIntoTheSavedFileDoesNotPassForWhatWasSaved() throws {
    let file = try temporary("new")
    let content = try #require(DocumentFile.stamp(file.file))
    try file.file.overwrite(with: Array("theirs".utf8).span.bytes)
    #expect(throws: ContinuityError.self) {
      try DocumentWriter.reopen(file.file, at: path, holding: content)
    }
  }

  @Test func aFailedWriteInPlacePutsTheOldBytesBack() throws {
    guard folder.becomeDisk(of: "320k") else { return }
    folder.write("plan.md", "old")
    let data = Data(repeating: 120, count: 200_000)
    let temporary = try temporary(String(decoding: data, as: UTF8.self))
    #expect(throws: ContinuityError.self) {
      try InPlaceWrite(path: path, temporary: temporary).write(data, over: path.status())
    }
    #expect(folder.text("plan.md") == "old")
  }

  @Test func aSavedFileHasTheMomentOfItsSaveAndNotThatOfTheKernelsLastTick() throws {
    let now = { () -> Int64 in
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    for number in 0..<16 {
      let place = FilePath(bytes: Array(folder.path("\(number).md").utf8))
      let before = now()
      let saved = try DocumentWriter(path: place, data: Data("new".utf8), expectation: .absent).write()
      #expect(saved.stamp.mark.modified >= before)
      // With a second name it is written in place.
      #expect(link(folder.path("\(number).md"), folder.path("\(number) again.md")) == 0)
      let later = now()
      let again = try DocumentWriter(path: place, data: Data("newer".utf8), expectation: .anything).write()
      #expect(again.stamp.mark.modified >= later)
      #expect(folder.text("\(number) again.md") == "newer")
    }
  }

  @Test func aLongNameStillHasRoomForATemporaryOne() throws {
    let name = String(repeating: "n", count: 252) + ".md"
    folder.write(name, "old")
    let long = FilePath(bytes: Array(folder.path(name).utf8))
    let stamp = try #require(DocumentFile.stamp(long))
    let saved = try DocumentWriter(
      path: long, data: Data("new".utf8), expectation: .known(stamp, Data("old".utf8))
    ).write()
    #expect(saved.stamp == DocumentFile.stamp(long))
    #expect(folder.text(name) == "new" && folder.names == [name])
  }
}
