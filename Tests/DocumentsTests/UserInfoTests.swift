// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("userInfo")
  struct UserInfoTests {
    @Test func s3a_s4d_everyAllowedTypeTravelsAndComesBackNested() throws {
      let uuid = UUID()
      let date = Date(timeIntervalSince1970: 1_700_000_000.25)
      let info: [AnyHashable: Any] = [
        "text": "ü", "int": 3, "double": 1.5, "bool": true, "null": NSNull(), "data": Data([1, 2]),
        "date": date,
        "uuid": uuid, "array": ["a", 1] as [Any], "map": ["inner": [7: "seven"]],
        "set": Set(["x", "y"]), 9: "nine",
        "url": URL(string: "https://example.org/a?b=c#d") as Any, "number": NSNumber(value: 4.25),
      ]
      let (portable, faults) = UserInfoBridge.portable(info)
      #expect(faults == [])
      let back = UserInfoBridge.native(portable)
      #expect(back.count == info.count)
      #expect(back["text"] as? String == "ü" && back[9] as? String == "nine")
      #expect(back["int"] as? Int == 3 && back["int"] as? Double == 3)
      #expect(back["double"] as? Double == 1.5 && back["number"] as? Double == 4.25)
      #expect(back["bool"] as? Bool == true && back["null"] is NSNull)
      #expect(
        back["data"] as? Data == Data([1, 2]) && back["date"] as? Date == date
          && back["uuid"] as? UUID == uuid)
      #expect(back["set"] as? Set<String> == ["x", "y"])
      #expect((back["map"] as? [AnyHashable: Any])?["inner"] as? [Int: String] == [7: "seven"])
      #expect((back["url"] as? URL)?.absoluteString == "https://example.org/a?b=c#d")
      #expect(UserInfoBridge.portable(back).info == portable)
    }

    @Test func s3b_anEntryOfAnotherTypeStaysBehindAndIsNamed() {
      struct Private {}
      let (portable, faults) = UserInfoBridge.portable(["a": ["b": Private(), "c": 1] as [String: Any]])
      #expect(portable == [.text("a"): .map([.text("c"): .int(1)])])
      #expect(faults.map(\.subject) == ["a.b"])
      #expect(faults.first?.description.contains("Private") == true)
    }

    @Test func s4e_depthAndSizeAreLimited() {
      var deep: Any = 1
      for _ in 0..<20 { deep = [deep] }
      #expect(UserInfoBridge.portable(["deep": deep]).faults.count == 1)
      let many = Dictionary(uniqueKeysWithValues: (0..<257).map { (AnyHashable($0), $0 as Any) })
      #expect(UserInfoBridge.portable(["many": many]).faults.map(\.subject) == ["many"])
    }

    @Test func s4a_s4b_addingMergesAndAssigningReplaces() {
      let activity = UserActivity(activityType: "a")
      activity.addUserInfoEntries(from: ["a": 1, "b": 1])
      activity.addUserInfoEntries(from: ["b": 2])
      #expect(activity.userInfo?["a"] as? Int == 1 && activity.userInfo?["b"] as? Int == 2)
      activity.userInfo = ["c": 3]
      #expect(activity.userInfo?.count == 1)
    }
  }
}
