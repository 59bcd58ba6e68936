// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders
import TestSupport
import Testing

@testable import VersionHistory

/// A disk that takes nothing for a while. Real ones, where this user may mount them.
@Suite(.serialized) struct RefusingDiskTests {
  @Test func onAFullDiskEverythingWaitsAndIsToldAndIsWrittenOnceThereIsRoom() throws {
    let scratch = try Scratch()
    let place = try scratch.folder("disk", mode: 0o700)
    guard mount("tmpfs", place, "tmpfs", 0, "size=1m,mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs of 1 MiB is refused here (errno \(errno))")
    }
    defer { umount(place) }
    let histories = try DocumentHistories(directory: place)
    histories.save(1, at: Samples.place(1))
    try histories.save()
    try fill(place)
    for number in 2...400 { histories.save(number, at: Samples.place(number % 7)) }
    #expect(throws: ContinuityError.self) { try histories.save() }
    _ = histories[Samples.place(50)]
    #expect(histories.problem?.contains("free some space") == true, "reading does not take it back")
    #expect(histories.losses.isEmpty)
    let known = (0..<7).map { histories[Samples.place($0)] }
    unlink(place + "/ballast")
    try histories.save()
    #expect(histories.problem == nil)
    #expect((0..<7).map { histories[Samples.place($0)] } == known)
    withExtendedLifetime(histories) {}
  }

  @Test func aDiskThatIsFullFromTheStartIsTriedAgain() throws {
    let scratch = try Scratch()
    let place = try scratch.folder("disk", mode: 0o700)
    guard mount("tmpfs", place, "tmpfs", 0, "size=1m,mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs of 1 MiB is refused here (errno \(errno))")
    }
    defer { umount(place) }
    try fill(place)
    let histories = try DocumentHistories(directory: place)
    histories.save(1, at: Samples.place(1))
    #expect(histories.problem?.contains("free some space") == true)
    #expect(histories[Samples.place(1)].versions.count == 1, "it is remembered all the same")
    unlink(place + "/ballast")
    try histories.save()
    #expect(histories.problem == nil && histories.losses.isEmpty)
    #expect(histories[Samples.place(1)].versions.count == 1)
  }

  @Test func aReadOnlyDirectoryIsToldAndNothingIsSetAside() throws {
    let scratch = try Scratch()
    let place = try scratch.folder("disk", mode: 0o700)
    guard mount("tmpfs", place, "tmpfs", 0, "size=4m,mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs is refused here (errno \(errno))")
    }
    defer { umount(place) }
    do {
      let histories = try DocumentHistories(directory: place)
      histories.save(1, at: Samples.place(1))
      try histories.save()
    }
    // A process that another test starts has this one's open files for a moment.
    let deadline = ContinuousClock.now + .seconds(30)
    while mount("tmpfs", place, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
      try #require(ContinuousClock.now < deadline, "it is still written to (errno \(errno))")
    }
    let names = Scratch.names(in: place)
    let histories = try DocumentHistories(directory: place)
    histories.save(2, at: Samples.place(1))
    #expect(throws: ContinuityError.self) { try histories.save() }
    #expect(histories.problem?.contains("writable") == true, "\(histories.problem ?? "no problem")")
    #expect(histories.losses.isEmpty && Scratch.names(in: place) == names)
    #expect(mount("tmpfs", place, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
    try histories.save()
    #expect(histories.problem == nil)
    #expect(histories[Samples.place(1)].versions == [2, 1].map { Samples.digest($0).prefix })
  }

  /// Takes all room that is left.
  private func fill(_ place: String) throws {
    let file = Glibc.open(place + "/ballast", O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    let piece = [UInt8](repeating: 7, count: 4096)
    while write(file, piece, piece.count) > 0 {}
    #expect(errno == ENOSPC)
  }
}
