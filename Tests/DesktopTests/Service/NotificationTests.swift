// SPDX-License-Identifier: MIT

import ActivityWire
import Glibc
import TestSupport
import Testing

@testable import continuo_desktop

@Suite("Notifications on a real bus", .serialized) struct NotificationTests {
  let desktop: ServedDesktop

  init() throws { desktop = try ServedDesktop() }

  /// The fields of `show`.
  private func shown(
    _ number: Int, _ summary: String, _ body: String = "", silent: Bool = false, percent: String = "",
    actions: [String] = []
  ) -> [String] {
    ["show", "\(number)", summary, body, "org.example.Trails", silent ? "1" : "0", percent]
      + ["\(actions.count / 2)"] + actions
  }

  @Test func oneIsShownReplacedAndWithdrawn() throws {
    let (service, stage) = try desktop.notifying()
    try service.send([shown(7, "Plan", "on desk", actions: ["default", "Open", "resume", "Continue"])])
    #expect(
      try stage.next("Notify") == [
        "Notify", "Continuo", "0", "", "Plan", "on desk", "default|Open|resume|Continue",
        "desktop-entry=org.example.Trails;urgency=1", "-1",
      ])
    #expect(try service.next() == ["shown", "7"])
    try service.send([shown(7, "Plan 2", silent: true, percent: "40")])
    #expect(
      try stage.next("Notify") == [
        "Notify", "Continuo", "1", "", "Plan 2", "", "",
        "desktop-entry=org.example.Trails;suppress-sound=true;urgency=0;value=40", "-1",
      ])
    #expect(try service.next() == ["shown", "7"])
    try service.send("withdraw", "7")
    #expect(try stage.next("CloseNotification") == ["CloseNotification", "1"])
    // What the server says of it then is not for the agent, who hears of the next one.
    try desktop.order("signal", "NotificationClosed", "1", "3")
    try service.send([shown(8, "Other")])
    #expect(try service.next() == ["shown", "8"])
  }

  @Test func whatComesWhileAnAnswerIsAwaitedReplacesAndOnlyTheNewest() throws {
    let (service, stage) = try desktop.notifying()
    try service.send([shown(1, "a"), shown(1, "b"), shown(1, "c"), shown(2, "x"), ["withdraw", "2"]])
    #expect(try stage.next("Notify")[2...4] == ["0", "", "a"])
    #expect(try stage.next("Notify")[2...4] == ["0", "", "x"])
    #expect(try stage.next()[2...4] == ["1", "", "c"])
    #expect(try stage.next() == ["CloseNotification", "2"])
    #expect(try service.next() == ["shown", "1"])
    #expect(try service.next() == ["shown", "1"])
  }

  @Test func anActionAndTheEndAreTold() throws {
    let (service, stage) = try desktop.notifying()
    for number in 1...5 {
      try service.send([shown(number, "Plan", actions: ["resume", "Continue"])])
      _ = try stage.next("Notify")
      #expect(try service.next() == ["shown", "\(number)"])
    }
    try desktop.order("signal", "ActivationToken", "2", "token-2")
    try desktop.order("signal", "ActionInvoked", "2", "resume")
    #expect(try service.next() == ["action", "2", "resume"])
    try desktop.order("signal", "ActionInvoked", "99", "resume")
    for (id, reason) in [(1, "expired"), (2, "dismissed"), (3, "closed"), (4, "unknown")] {
      try desktop.order("signal", "NotificationClosed", "\(id)", "\(id)")
      #expect(try service.next() == ["closed", "\(id)", reason])
    }
    // What is closed is not replaced; what a server may still list is.
    try service.send([shown(2, "Again")])
    #expect(try stage.next("Notify")[2] == "0")
    try desktop.order("signal", "ActionInvoked", "1", "resume")
    while try service.next() != ["action", "1", "resume"] {}
    try service.send([shown(1, "Again")])
    #expect(try stage.next("Notify")[2] == "1")
  }

  @Test func aServerWithoutButtonsShowsWhatToType() throws {
    let (service, stage) = try desktop.notifying(["body"])
    try service.send([shown(1, "Plan", "<b>on desk</b>", actions: ["resume", "Continue"])])
    let call = try stage.next("Notify")
    #expect(call[5] == "<b>on desk</b>\nTo continue: `continuo resume`" && call[6] == "")
    try service.send([shown(2, "Plan")])
    #expect(try stage.next("Notify")[5] == "")
  }

  @Test func whatToTypeIsSaidInTheLanguageOfTheAgent() throws {
    let (service, stage) = try desktop.notifying(["body"], in: "de")
    try service.send([shown(1, "Plan", "auf desk", actions: ["resume", "Fortsetzen"])])
    #expect(try stage.next("Notify")[5] == "auf desk\nZum Fortsetzen: `continuo resume`")
  }

  @Test func noTextBecomesMarkupOrBreaksTheBus() throws {
    let (service, stage) = try desktop.notifying()
    try service.send([
      shown(1, "<b>a & b</b>\nc\u{1b}[31m", "<a href=\"x\">b</a> &amp;\u{1}\u{85}\nnext\tcell")
    ])
    var call = try stage.next("Notify")
    #expect(call[4] == "<b>a & b</b> c\u{fffd}[31m")
    #expect(
      call[5] == "&lt;a href=&quot;x&quot;&gt;b&lt;/a&gt; &amp;amp;\u{fffd}\u{fffd}\nnext cell")
    try service.send(
      bytes: DesktopFrame.bytes(
        of: [
          [0x73, 0x68, 0x6f, 0x77], [0x32], [0xff, 0x61], [0xc3], [0xed, 0xa0, 0x80], [0x30], [], [0x30],
        ]))
    call = try stage.next("Notify")
    #expect(call[4] == "\u{fffd}a" && call[5] == "\u{fffd}")
    #expect(call[7].hasPrefix("desktop-entry=\u{fffd}"))
    #expect(try service.next() == ["shown", "1"])
    #expect(try service.next() == ["shown", "2"])
  }

  @Test func aServerThatRefusesIsToldOf() throws {
    let (service, _) = try desktop.notifying(mode: "refusing")
    try service.send([shown(1, "Plan")])
    #expect(try service.next() == ["unshown", "1", "The notification was not shown: no room."])
  }

  @Test func ofAHundredSixtyFourAreShown() throws {
    let (service, stage) = try desktop.notifying()
    try service.send((1...100).map { shown($0, "Plan \($0)") })
    var shownOnes: Set<String> = []
    var refused: Set<String> = []
    for _ in 1...100 {
      let event = try service.next()
      if event[0] == "shown" { shownOnes.insert(event[1]) }
      if event[0] == "unshown" { refused.insert(event[1]) }
    }
    #expect(shownOnes.count == 64 && refused.count == 36)
    service.closeInput()
    var closed: Set<String> = []
    while closed.count < 64 { closed.insert(try stage.next("CloseNotification")[1]) }
    #expect(try service.exitStatus() == 0)
  }

  @Test func aServerThatVanishesAndReturnsStartsAnew() throws {
    let (service, stage) = try desktop.notifying()
    try service.send([shown(1, "Plan")])
    #expect(try service.next() == ["shown", "1"])
    try desktop.order("leave", NotificationServer.name)
    #expect(try service.next() == ["server", "absent"])
    try service.send([shown(1, "Plan")])
    let answer = try service.next()
    #expect(answer[...1] == ["unshown", "1"] && answer[2].contains("start a program"))
    try desktop.order("notifications", "willing", "body")
    #expect(try service.next() == ["server", "present", "body"])
    _ = try? stage.next("GetCapabilities")
    try service.send([shown(1, "Plan")])
    #expect(try stage.next("Notify")[2] == "0")
    #expect(try service.next() == ["shown", "1"])
  }

  @Test func withoutAServerNobodyIsPresent() throws {
    try desktop.startBus()
    #expect(try desktop.service().next() == ["server", "absent"])
  }

  @Test func aServerThatTheBusCanStartIsStarted() throws {
    let folder = try desktop.scratch.folder("services")
    try Scratch.write(
      """
      [D-BUS Service]
      Name=org.freedesktop.Notifications
      Exec=/usr/bin/python3 -m dbusmock --template notification_daemon -l /dev/null
      """, to: folder + "/notifications.service")
    try desktop.startBus(services: "<servicedir>\(folder)</servicedir>")
    let service = try desktop.service()
    var event = try service.next()
    // A slow start is told as it is.
    if event == ["server", "absent"] { event = try service.next() }
    #expect(event[...1] == ["server", "present"] && event.contains("body-markup"))
    try service.send([shown(1, "Plan")])
    #expect(try service.next() == ["shown", "1"])
  }

  @Test func aBusThatDoesNotAnswerHoldsNobodyUp() throws {
    // A socket that nobody accepts at.
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: desktop.socket.utf8) }
    let isListening = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 8) == 0
      }
    }
    try #require(isListening)
    let service = try desktop.service()
    #expect(try service.next() == ["server", "absent"])
    try service.send("default", "1", "plan.md", "x-nothing/at-all")
    #expect(try service.next("failed")[1] == "1")
    #expect(try service.next()[0] == "problem")
    service.closeInput()
    #expect(try service.exitStatus() == 0)
  }

  @Test func withoutABusTheServiceLivesAndFindsItLater() throws {
    let service = try desktop.service()
    let problem = try service.next()
    #expect(problem[0] == "problem" && problem[1].contains("The session bus cannot be reached"))
    #expect(try service.next() == ["server", "absent"])
    try service.send([shown(1, "Plan")])
    #expect(try service.next()[...1] == ["unshown", "1"])
    try desktop.startBus()
    try desktop.order("notifications", "willing", "actions")
    #expect(try service.next() == ["server", "present", "actions"])
    try service.send([shown(1, "Plan")])
    #expect(try service.next() == ["shown", "1"])
    try desktop.stopBus()
    #expect(try service.next() == ["server", "absent"])
    #expect(try service.next()[0] == "problem")
    service.closeInput()
    #expect(try service.exitStatus() == 0)
  }

  @Test(arguments: [
    "nonsense", "999999\n", "3\nab\u{0}", "8\nnothing\u{0}", "9\nshow\u{0}one\u{0}",
    "12\nwithdraw\u{0}-1\u{0}",
    "10\nwithdraw\u{0}1",
  ])
  func aBrokenFrameEndsTheService(_ text: String) throws {
    let (service, stage) = try desktop.notifying()
    try service.send([shown(1, "Plan")])
    #expect(try service.next() == ["shown", "1"])
    try service.send(bytes: Array(text.utf8))
    service.closeInput()
    #expect(try stage.next("CloseNotification") == ["CloseNotification", "1"])
    #expect(try service.exitStatus() == 1)
    #expect(
      service.errorText() == "continuo-desktop: The request of the agent is cut; update continuo.\n")
  }
}
