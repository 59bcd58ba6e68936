// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// Bytes of any kind end in a manifest or in a sentence; nothing crashes and nothing hangs.
@Suite("An Info.plist that somebody broke")
struct ManifestHostileTests {
  private static let sound = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <!-- <key> --><key>CFBundleIdentifier</key><string>org.example.app</string>
    <key>NSUserActivityTypes</key><array><string>org.example.a&#46;b&amp;</string></array>
    <key>CFBundleDocumentTypes</key><array><dict><key>CFBundleTypeName</key><string><![CDATA[<T>]]></string>
    <key>CFBundleTypeExtensions</key><array><string>*</string></array><key>Extra</key><true/></dict></array>
    </dict></plist>
    """

  /// Nil when accepted.
  private func fault(_ bytes: some Sequence<UInt8>) -> ContinuityError? {
    do throws(ContinuityError) {
      _ = try ManifestReader.check(Array(bytes), file: "Info.plist")
      return nil
    } catch {
      return error
    }
  }

  private func isSentence(_ error: ContinuityError) -> Bool {
    error.code == .invalidManifest && error.description.hasPrefix("Info.plist")
      && error.description.count < 400
      && error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 }
  }

  @Test func everyPrefixIsRefusedWithASentence() {
    let sound = Array(Self.sound.utf8)
    #expect(fault(sound) == nil)
    for count in sound.indices {
      let error = fault(sound.prefix(count))
      #expect(error.map(isSentence) == true, "\(count): \(error?.description ?? "accepted")")
    }
  }

  @Test(.timeLimit(.minutes(10))) func tenThousandMutationsEndInAManifestOrASentence() {
    var dice = Dice(state: 0x5eed)
    let sound = Array(Self.sound.utf8)
    let pieces = [
      "<", ">", "/", "&", ";", "]]>", "<!--", "<![CDATA[", "<dict>", "</array>", "\u{0}", "[", "\"",
    ]
    var accepted = 0
    for _ in 0..<10_000 {
      var bytes = sound
      for _ in 0...dice.below(3) {
        let place = dice.below(bytes.count)
        switch dice.below(5) {
        case 0: bytes[place] = UInt8(dice.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: Array(pieces[dice.below(pieces.count)].utf8), at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + dice.below(40)))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + dice.below(40))], at: 0)
        }
      }
      if let error = fault(bytes) {
        #expect(isSentence(error), "\(error.description)")
      } else {
        accepted += 1
      }
    }
    // Text was hit, or structure: both happened, or the dice are no good.
    #expect(accepted > 500 && accepted < 9500, "\(accepted)")
  }

  /// What is long in one direction takes no longer than its size.
  @Test(
    .timeLimit(.minutes(10)), arguments: ["<!--", "<?", "<![CDATA[", "&", "<a ", "<key>", "\r", "-->", "\""])
  func theLargestFileOfOnePieceEnds(piece: String) {
    let head = "<plist><dict><key>a</key><string>"
    let count = (ManifestReader.sizeLimit - head.utf8.count) / piece.utf8.count
    let error = fault((head + String(repeating: piece, count: count)).utf8)
    #expect(error.map(isSentence) == true, "\(error?.description ?? "accepted")")
  }
}

/// Numbers that are the same in each run.
private struct Dice {
  var state: UInt64

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, count)))
  }
}
