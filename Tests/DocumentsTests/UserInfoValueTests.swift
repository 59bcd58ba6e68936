// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Values of userInfo, as another device gets them")
  struct UserInfoValueTests {
    /// Encoded and read back, as a record is.
    private func arrived(_ info: [AnyHashable: Any]) throws -> [AnyHashable: Any] {
      let (portable, faults) = UserInfoBridge.portable(info)
      #expect(faults == [])
      return UserInfoBridge.native(try UserInfo(encoded: portable.cbor.encoded))
    }

    private func check<Value: Hashable>(_ values: Value...) throws {
      for value in values {
        let back = try arrived(["value": value, value: "key", "nested": [["deep": value]]])
        #expect(back["value"] as? Value == value, "\(Value.self): \(back)")
        #expect(back[value] as? String == "key", "\(Value.self): \(back)")
        let nested = (back["nested"] as? [[String: Any]])?.first?["deep"]
        #expect(nested as? Value == value, "\(Value.self): \(back)")
      }
    }

    @Test func s3a_eachTypeArrivesEqualAsValueAsKeyAndNested() throws {
      try check("ü", "")
      try check(3, 0, -1, Int.min, Int.max)
      try check(Int8(-7), Int8.max)
      try check(UInt8(200))
      try check(UInt64(7))
      try check(0.1, -0.5, .greatestFiniteMagnitude)
      try check(Float(1.5))
      try check(true, false)
      try check(Data(), Data([0, 255]))
      try check(Date(timeIntervalSince1970: -0.25))
      try check(try #require(URL(string: "org.example:a/b?c=%20#d")))
      try check(UUID())
      try check(["a", "b"], [])
      try check(["a": 1, "b": 2], [:])
      try check(Set(["x", "y"]), [])
      try check([["k": [1, 2]]])
      #expect(try arrived(["a": NSNull(), NSNull(): 1])["a"] is NSNull)
    }

    @Test func s3a_numbersOfOtherTypesArriveAsTheSameNumber() throws {
      let numbers: [(Any, Double)] = [
        (UInt64(1) << 63, 0x1p63), (Int128(12), 12), (Float16(0.5), 0.5), (Decimal(12), 12),
        (NSNumber(value: 2.5), 2.5), (NSNumber(value: Int8(-3)), -3), (NSNumber(value: UInt8(1)), 1),
        (NSNumber(value: true), 1),
      ]
      for (number, expected) in numbers {
        #expect((try arrived(["a": number])["a"] as? NSNumber)?.doubleValue == expected, "\(number)")
      }
      #expect(UserInfoBridge.portable(["a": NSNumber(value: true)]).info == [.text("a"): .bool(true)])
      #expect(UserInfoBridge.portable(["a": NSNumber(value: UInt8(1))]).info == [.text("a"): .int(1)])
    }

    @Test func s3a_aDecimalArrivesWhenItsNumberReadsTheSame() throws {
      let tenth = try #require(Decimal(string: "0.1"))
      #expect(try arrived(["a": tenth])["a"] as? Double == 0.1)
      #expect(try arrived(["a": NSDecimalNumber(string: "2.50")])["a"] as? Double == 2.5)
    }

    @Test func s4d_numbersArriveAsWhicheverTypeIsAskedFor() throws {
      let back = try arrived(["int": 3, "double": 2.0, "flag": true])
      #expect(back["int"] is NSNumber && back["double"] is NSNumber)
      #expect(back["int"] as? Int == 3 && back["int"] as? Double == 3 && back["int"] as? UInt8 == 3)
      #expect(back["double"] as? Double == 2 && back["double"] as? Int == 2)
      #expect(back["flag"] as? Bool == true)
    }

    static var strangers: [(value: Any, word: String)] {
      let numbers: [(value: Any, word: String)] = [
        (Double.nan, "not finite"), (-Float.infinity, "not finite"),
        (NSNumber(value: Double.nan), "not finite"), (UInt64.max, "as text"),
        (NSNumber(value: UInt64.max), "as text"), (Int128.max, "as text"),
        (Decimal(string: "0.123456789012345678901") as Any, "as text"),
        (Date(timeIntervalSince1970: .infinity), "not finite"),
      ]
      return numbers + [
        ("abc".dropLast(), "Substring"), (Character("a"), "Character"), (NSObject(), "NSObject"),
        (0..<3, "Range"), (NSOrderedSet(), "NSOrderedSet"), (Int?.none as Any, "Optional"),
      ]
    }

    @Test func s3b_s3c_whatIsNoAllowedTypeIsNamedAndTheRestTravels() throws {
      for stranger in Self.strangers {
        let (portable, faults) = UserInfoBridge.portable(["deep": [stranger.value, "rest"], "other": 1])
        #expect(portable == [.text("deep"): .array([.text("rest")]), .text("other"): .int(1)])
        #expect(faults.map(\.subject) == ["deep.0"], "\(stranger.word)")
        let told = faults.first?.description ?? ""
        #expect(told.contains("userInfo.deep.0") && told.contains(stranger.word), "\(told)")
      }
    }

    @Test func s3b_aKeyOfAnotherTypeLeavesItsEntryBehind() {
      let key = Date(timeIntervalSince1970: .nan)
      let (portable, faults) = UserInfoBridge.portable([key: 1, "b": 2])
      #expect(portable == [.text("b"): .int(2)])
      #expect(faults.count == 1)
    }

    @Test func s4c_aContainerChangedAfterwardsChangesNothing() throws {
      let (list, map, text) = (
        NSMutableArray(array: ["a"]), NSMutableDictionary(), NSMutableString(string: "old")
      )
      map["list"] = list
      let data = NSMutableData(data: Data([1]))
      let activity = UserActivity(activityType: "org.example.copying")
      activity.userInfo = ["map": map, "swift": ["inner": list], "text": text, "data": data]
      activity.addUserInfoEntries(from: ["added": list])
      let before = UserInfoBridge.portable(activity.userInfo ?? [:]).info
      list.add("b")
      map["new"] = 1
      text.append("er")
      data.append(Data([2]))
      #expect(UserInfoBridge.portable(activity.userInfo ?? [:]).info == before)
      let one = UserInfoValue.array([.text("a")])
      #expect(
        before == [
          .text("map"): .map([.text("list"): one]), .text("swift"): .map([.text("inner"): one]),
          .text("text"): .text("old"), .text("data"): .bytes([1]), .text("added"): one,
        ])
    }

    @Test func s4e_aCycleEndsAtTheDepthLimitAndIsTold() {
      let (map, list) = (NSMutableDictionary(), NSMutableArray())
      map["self"] = map
      map["kept"] = "here"
      list.add(list)
      let activity = UserActivity(activityType: "org.example.cycle")
      activity.userInfo = ["map": map, "list": list, "rest": 1]
      let (portable, faults) = UserInfoBridge.portable(activity.userInfo ?? [:])
      #expect(portable[.text("rest")] == .int(1))
      #expect(faults.count == 3, "\(faults)")
      #expect(faults.allSatisfy { $0.description.contains("nested too deeply") })
      guard case .map(let inner)? = portable[.text("map")] else {
        Issue.record("the dictionary did not travel")
        return
      }
      #expect(inner[.text("kept")] == .text("here"))
      map.removeAllObjects()
      list.removeAllObjects()
    }

    @Test func s4e_aContainerThatHoldsItselfManyTimesIsNotFollowedForEver() {
      let list = NSMutableArray()
      for _ in 0..<256 { list.add(list) }
      var shared: [Any] = ["leaf", Date()]
      for _ in 0..<7 { shared = Array(repeating: shared, count: 200) }
      let activity = UserActivity(activityType: "org.example.cycle")
      activity.userInfo = ["list": list, "shared": shared]
      let (portable, faults) = UserInfoBridge.portable(activity.userInfo ?? [:])
      #expect(!faults.isEmpty && faults.count < 3000)
      #expect((try? UserInfo(encoded: portable.cbor.encoded)) != nil || portable.cbor.encoded.count > 1)
      list.removeAllObjects()
    }

    @Test func s4e_moreThan2048ValuesAreToldOnce() {
      let rows = (0..<100).map { row in Array(repeating: row, count: 100) }
      let (portable, faults) = UserInfoBridge.portable(["rows": rows])
      #expect(faults.count == 1 && faults.first?.description.contains("2048") == true)
      guard case .array(let kept)? = portable[.text("rows")] else {
        Issue.record("nothing travelled")
        return
      }
      #expect(kept.count < 100 && kept.count > 10)
    }
  }
}
