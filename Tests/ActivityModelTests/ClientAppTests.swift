// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// What the files of sandboxes say (threat T22); the programs themselves are asked in `ConnectedAppsTests`.
@Suite struct ClientAppTests {
  @Test(arguments: [
    (
      "[Application]\nname=org.gnome.gedit\nruntime=runtime/org.gnome.Platform/x86_64/45\n", "org.gnome.gedit"
    ),
    ("# made by flatpak\n[Instance]\nname=other\n\n[Application]\r\nname = org.a_b-c\r\n", "org.a_b-c"),
    ("[Application]\nname=org.first\nname=org.second\n", "org.first"),
    ("[Instance]\nname=org.gnome.gedit\n", nil), ("[Runtime]\nname=org.gnome.Sdk\n", nil), ("", nil),
    ("[Application]\nname=\n", nil), ("[Application]\nname=org.a\u{1}\n", nil),
    ("[Application]\nname=" + String(repeating: "n", count: 256) + "\n", nil),
    ("[Application]\nname=org.\u{430}pp\n", nil), ("[Application]\nnames=org.a\n", nil),
  ]) func aFlatpakHasTheNameOfItsFile(_ file: String, _ name: String?) {
    #expect(AppSandbox(flatpakInfo: Array(file.utf8)) == .flatpak(name))
  }

  @Test(arguments: [
    ("snap.firefox.firefox (enforce)\n", "firefox"), ("snap.code_2.hook.configure (enforce)", "code_2"),
    // One that is only looked at is not confined.
    ("snap.code.code (complain)\n", nil), ("unconfined\n", nil), ("", nil), ("snap.firefox (enforce)\n", nil),
    ("snap..firefox (enforce)\n", nil), ("snap.fire\u{1b}fox.firefox (enforce)\n", nil),
    ("/usr/bin/snap.a.b (enforce)\n", nil), ("docker-default (enforce)\n", nil),
  ]) func aSnapHasTheNameOfItsLabel(_ label: String, _ name: String?) {
    #expect(AppSandbox(securityLabel: Array(label.utf8)) == name.map(AppSandbox.snap))
  }

  @Test func bytesThatAreNoTextNameNothing() {
    #expect(AppSandbox(flatpakInfo: [0xff, 0xfe, 0]) == .flatpak(nil))
    #expect(AppSandbox(securityLabel: [0xff, 0x20, 0xfe]) == nil)
  }
}
