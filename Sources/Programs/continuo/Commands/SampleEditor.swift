// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import Glibc

/// The editor that comes with the package, for offers of its type.
enum SampleEditor {
  private static let type = "public.text-editing"

  /// Becomes the editor when there is a terminal to run it on; else prints where the document is, and exits
  /// with 3.
  static func continueOrPrint(
    _ offer: Offer, _ path: [UInt8]?, _ places: OfferPlaces
  ) throws(ContinuityError) {
    if offer.type == type, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
      for program in candidates() {
        let arguments: [UnsafeMutablePointer<CChar>?] = [
          strdup(program), strdup("--offer"), strdup(offer.id.description), nil,
        ]
        execv(program, arguments)
      }
    }
    Terminal.hint("No connected app declares \(offer.type).")
    Terminal.hint("\(offer.appID) on \(offer.deviceName) has \(places.shown(offer)).")
    Terminal.say(path.map(Terminal.shown) ?? offer.displayTitle)
    Terminal.say(offer.version.map { "\($0.digest)" } ?? "no document")
    _exit(Failure.printedOnly.rawValue)
  }

  private static func candidates() -> [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let beside = own.lastIndex(of: "/").map { String(own[...$0]) } ?? "/"
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return ([beside] + path.split(separator: ":").map { "\($0)/" }).map { $0 + "continuo-edit" }
      .filter { access($0, X_OK) == 0 }
  }
}
