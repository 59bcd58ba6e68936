// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import GTKContinuo
import TextEditing

/// Starts the editor in a window. GTK has the loop, so nothing here is asynchronous.
@main struct ContinuoWrite {
  @MainActor static func main() {
    guard gtk_init_check() != 0 else {
      fail("there is no display to open a window on: start it in a desktop session, or use continuo-edit.")
    }
    do {
      let application = try Application(
        manifest: nil, embeddedManifest: PackageResources.continuo_write_Info_plist)
      DocumentController.shared.register(WindowDocument.self, name: "TextDocument")
      DocumentController.shared.offersOpenDocuments = true
      exit(run(application))
    } catch {
      fail(error.sentence)
    }
  }

  @MainActor private static func run(_ application: Application) -> Int32 {
    guard let gtk = write_application_new(application.manifest.appID) else { return 1 }
    let session = WriteSession(application, gtk: gtk)
    write_application_describe(
      gtk, "[FILE…]",
      "Edits text files in windows, and continues what was left on another device of the circle.")
    var isFirst = false
    Signals.connect(gtk, to: "startup") {
      isFirst = true
      session.start()
    }
    Signals.connect(gtk, to: "activate") { session.activate() }
    Signals.connect(opening: gtk) { session.open(addresses: $0) }
    MainQueue.join { session.noteQueue() }
    MainQueue.onEnding { session.end() }
    let status = write_application_run(gtk, CommandLine.argc, CommandLine.unsafeArgv)
    // One that found the program running has handed its files over, and has nothing to end.
    if isFirst { session.finish() }
    return status
  }

  private static func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("continuo-write: \(DisplayText.shown(sentence))\n".utf8))
    exit(1)
  }
}
