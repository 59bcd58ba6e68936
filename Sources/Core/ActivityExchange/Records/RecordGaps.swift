// SPDX-License-Identifier: MIT

public import ActivityModel

/// Concludes from what each record says of the others that an engine leaves records out (threat T43): a
/// device that goes on speaking does not read this one, or what one reads of another does not come here.
///
/// Doubt lasts from record to record, and a pause between two of them counts for two minutes at most: a
/// device that is off, asleep or without a network, here or there, says nothing new meanwhile. No clock of
/// another device is asked. So a rare writer is doubted late, and nobody is because of one record.
public struct RecordGaps: Hashable, Sendable {
  /// Records of one device that do not come to another.
  public enum Gap: Hashable, Sendable {
    /// The device reads none of what this one says.
    case unread(by: DeviceID)
    /// What the device says does not come here, and the other one has read it.
    case missing(from: DeviceID, readBy: DeviceID)
  }

  /// For so long others have to go on saying so.
  public static let patience = Duration.seconds(600)
  private static let longestPause = Duration.seconds(120)

  private struct Doubt: Hashable {
    /// The number whose arrival ends it.
    let number: UInt64
    private(set) var lasted = Duration.zero
    private var confirmedAt: Instant

    init(about number: UInt64, at now: Instant) { (self.number, confirmedAt) = (number, now) }

    mutating func confirm(at now: Instant) {
      lasted += min(now - confirmedAt, RecordGaps.longestPause)
      confirmedAt = now
    }

    var isCertain: Bool { lasted > RecordGaps.patience }
  }

  /// Doubt about what a device says, with the highest number that another one has read.
  private struct Absence: Hashable {
    var doubt: Doubt
    var read: UInt64
    var reader: DeviceID
  }

  private let own: DeviceID
  private var said: UInt64?
  /// The highest number that was read here of each device in this run.
  private var heard: [DeviceID: UInt64] = [:]
  private var unread: [DeviceID: Doubt] = [:]
  private var absences: [DeviceID: Absence] = [:]

  /// Nothing was said or heard yet, as the device of that ID.
  public init(own: DeviceID) { self.own = own }

  /// This device said something.
  public mutating func said(_ number: UInt64) { said = number }

  /// A record of another device was read, perhaps not for the first time.
  public mutating func heard(
    _ device: DeviceID, saying number: UInt64, reading: [DeviceID: UInt64], at now: Instant
  ) {
    guard number > heard[device] ?? 0 else { return }
    heard[device] = number
    if let absence = absences[device], number >= absence.doubt.number { absences[device] = nil }
    judgeReading(by: device, of: reading[own] ?? 0, at: now)
    for (author, read) in reading where author != own && author != device {
      judgeAbsence(of: author, read, by: device, at: now)
    }
  }

  private mutating func judgeReading(by device: DeviceID, of read: UInt64, at now: Instant) {
    guard let said else { return }
    if let doubt = unread[device], read < doubt.number {
      unread[device]?.confirm(at: now)
    } else {
      unread[device] = read < said ? Doubt(about: said, at: now) : nil
    }
  }

  /// Of a device that was never heard here it is not known whether it has a folder with this one. And one
  /// that says nothing new may have been switched off before it had told this device what it told another.
  private mutating func judgeAbsence(
    of author: DeviceID, _ read: UInt64, by reader: DeviceID, at now: Instant
  ) {
    guard let known = heard[author], read > known, read > absences[author]?.read ?? 0 else { return }
    absences[author, default: Absence(doubt: Doubt(about: read, at: now), read: read, reader: reader)]
      .doubt.confirm(at: now)
    absences[author]?.read = read
    absences[author]?.reader = reader
  }

  /// What is certain of the devices that belong, in the order of their IDs.
  public func gaps(among members: Set<DeviceID>) -> [Gap] {
    members.sorted().flatMap { device -> [Gap] in
      let absence = absences[device].flatMap { $0.doubt.isCertain ? $0 : nil }
      return (unread[device]?.isCertain == true ? [.unread(by: device)] : [])
        + (absence.map { [.missing(from: device, readBy: $0.reader)] } ?? [])
    }
  }
}
