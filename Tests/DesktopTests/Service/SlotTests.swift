// SPDX-License-Identifier: MIT

import Testing

@testable import continuo_desktop

@Suite("Which notification waits") struct SlotTests {
  private var slots = NotificationSlots<String>()

  /// A step in words.
  private func words(_ step: NotificationSlots<String>.Step?) -> String {
    switch step {
    case .notify(let number, let ticket, let id, let text): "\(number) as \(ticket) replaces \(id): \(text)"
    case .close(let id): "close \(id)"
    case nil: "nothing"
    }
  }

  @Test mutating func theNewestOfThoseThatWaitReplaces() {
    #expect(words(slots.show(1, "a")) == "1 as 1 replaces 0: a")
    #expect(words(slots.show(1, "b")) == "nothing" && words(slots.show(1, "c")) == "nothing")
    let answer = slots.answered(1, ticket: 1, id: 9)
    #expect(answer.isNews && words(answer.step) == "1 as 2 replaces 9: c")
    let last = slots.answered(1, ticket: 2, id: 9)
    #expect(last.isNews && last.step == nil && slots.number(of: 9) == 1)
  }

  @Test mutating func whatIsWithdrawnBeforeItsAnswerIsClosedWithIt() {
    _ = slots.show(1, "a")
    #expect(words(slots.withdraw(1)) == "nothing" && !slots.isEmpty)
    let answer = slots.answered(1, ticket: 1, id: 9)
    #expect(!answer.isNews && words(answer.step) == "close 9" && slots.isEmpty)
    #expect(words(slots.withdraw(1)) == "nothing")
  }

  @Test mutating func whatIsShownAgainAfterThatStays() {
    _ = slots.show(1, "a")
    _ = slots.withdraw(1)
    #expect(words(slots.show(1, "b")) == "nothing")
    #expect(words(slots.answered(1, ticket: 1, id: 9).step) == "1 as 2 replaces 9: b")
  }

  @Test mutating func anAnswerOfAServerThatIsGoneChangesNothing() {
    _ = slots.show(1, "a")
    slots.forget()
    #expect(words(slots.show(1, "b")) == "1 as 2 replaces 0: b")
    let stale = slots.answered(1, ticket: 1, id: 9)
    #expect(!stale.isNews && stale.step == nil && slots.number(of: 9) == nil)
    #expect(slots.answered(1, ticket: 2, id: 3).isNews && slots.number(of: 3) == 1)
  }

  @Test mutating func anErrorFreesTheRoomUnlessSomethingStands() {
    _ = slots.show(1, "a")
    #expect(slots.answered(1, ticket: 1, id: nil).isNews && slots.isEmpty)
    _ = slots.show(1, "a")
    _ = slots.answered(1, ticket: 2, id: 9)
    _ = slots.show(1, "b")
    #expect(slots.answered(1, ticket: 3, id: nil).isNews && slots.number(of: 9) == 1)
  }

  @Test mutating func whatIsClosedWhileItIsReplacedIsNoEnd() {
    _ = slots.show(1, "a")
    _ = slots.answered(1, ticket: 1, id: 9)
    _ = slots.show(1, "b")
    #expect(slots.closed(9) == nil && slots.holds(1))
    _ = slots.answered(1, ticket: 2, id: 10)
    #expect(slots.closed(10) == 1 && slots.isEmpty)
    #expect(slots.closed(10) == nil && slots.number(of: 0) == nil)
  }

  @Test mutating func thereIsRoomForSoMany() {
    for number in 0..<NotificationSlots<String>.limit { _ = slots.show(number, "") }
    #expect(slots.takes(0) && !slots.takes(1000))
  }
}

@Suite("The environment of a started program") struct LaunchEnvironmentTests {
  private func variables(_ pairs: [String]) -> Variables {
    LaunchEnvironment.variables(pairs.map { Array($0.utf8) })
  }

  @Test func theBusIsLookedForInTheRuntimeFolderBeforeOurOwn() {
    let bus = Array("DBUS_SESSION_BUS_ADDRESS".utf8)
    var environment = LaunchEnvironment(own: variables(["DBUS_SESSION_BUS_ADDRESS=own"]))
    #expect(environment.variables[bus] == Array("own".utf8))
    environment.runtimeBus = Array("folder".utf8)
    #expect(environment.variables[bus] == Array("folder".utf8))
    environment.client = variables(["DBUS_SESSION_BUS_ADDRESS=client", "DBUS_SESSION_BUS_ADDRESS=second"])
    #expect(environment.variables[bus] == Array("client".utf8))
    environment.manager = variables(["DBUS_SESSION_BUS_ADDRESS=manager"])
    #expect(environment.variables[bus] == Array("manager".utf8))
  }

  @Test func onlyWhatTellsOfTheSessionIsTakenFromOthers() {
    let own = variables(["HOME=/home/a", "PATH=/bin", "XDG_DATA_HOME=/data", "odd==", "NOTIFY_SOCKET=@1"])
    let other = variables([
      "HOME=/b", "PATH=/b", "XDG_DATA_HOME=/b", "LD_PRELOAD=b", "XDG_ACTIVATION_TOKEN=b",
    ])
    let environment = LaunchEnvironment(own: own, manager: other, client: other)
    #expect(
      environment.variables == variables(["HOME=/home/a", "PATH=/bin", "XDG_DATA_HOME=/data", "odd=="]))
  }

  @Test func aScopeIsNamedAsPortalsReadIt() {
    #expect(AppScope.name(of: "org.example.App", random: 0xbeef) == "app-continuo-org.example.App-beef.scope")
    #expect(AppScope.name(of: "-é/", random: 1) == "app-continuo-\\x2d\\xc3\\xa9\\x2f-1.scope")
    #expect(AppScope.name(of: "", random: 1) == "app-continuo-program-1.scope")
  }
}
