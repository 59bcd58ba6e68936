// SPDX-License-Identifier: MIT

public import ActivityModel

/// Names that engines and editors give to what is no document: recorded shapes (rules R7 and R8).
///
/// A shape is a reason to look elsewhere, never to refuse: people own files that look like these. The path of
/// a reference is always taken as it is; only *other* names are judged, when a moved document or a conflict
/// copy is searched.
public enum SyncNames {
  /// The folder that carries records.
  public static let recordFolder = Array(".continuo".utf8)

  /// Whether a file system may take `name` for `recordFolder`: some ignore case, characters that are not
  /// shown (ext4 with case folding), and full stops and spaces at the end (FAT, servers of Windows), and some
  /// know the folder under a short name as well.
  public static func isRecordFolder(_ name: [UInt8]) -> Bool {
    // Most names are told by their length: none of this is short, and what is not shown is long.
    guard name.count >= 8 else { return false }
    if name == recordFolder { return true }
    if name.allSatisfy({ $0 < 0x80 }) { return isPlainRecordFolder(name) }
    guard let text = String(validating: name, as: UTF8.self) else { return false }
    let shown = text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    var plain = shown.map { $0.properties.lowercaseMapping }.joined()
    while plain.last == "." || plain.last == " " { plain.removeLast() }
    return plain == ".continuo" || shortNames.contains(plain)
  }

  private static let shortNames = Set((1...9).map { "contin~\($0)" })

  /// The same for a name in which everything is shown. The length of nearly every other name tells it apart.
  private static func isPlainRecordFolder(_ name: [UInt8]) -> Bool {
    let end = name.lastIndex { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
    guard let end, end == 7 || end == 8 else { return false }
    let plain = name[...end].map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    return plain == recordFolder || shortNames.contains(String(decoding: plain, as: UTF8.self))
  }

  /// Folders in which an engine or a version control keeps things of its own.
  public static func isInternalFolder(_ name: [UInt8]) -> Bool {
    internalFolders.contains(String(decoding: name, as: UTF8.self)) || unisonTemporary.matches(name)
  }

  /// Files of an engine's own: databases, logs, markers.
  public static func isEngineFile(_ name: [UInt8]) -> Bool { engineFiles.contains { $0.matches(name) } }

  /// What a file is called while an engine or editor still writes it, or in an editor's recovery file.
  ///
  /// Shapes that any name might have by chance (six letters at the end) need `isThere`: whether the name that
  /// would be the document's exists beside it.
  public static func isTemporary(_ name: [UInt8], isThere: (_ base: [UInt8]) -> Bool = { _ in false }) -> Bool
  {
    temporaries.contains { $0.matches(name) } || isLongTemporary(name)
      || ambiguousTemporaries.contains { $0.base(of: name).map(isThere) ?? false }
  }

  /// What is put to a long name is put to a part of it, so that nothing of the base's name is there.
  private static func isLongTemporary(_ name: [UInt8]) -> Bool {
    name.count >= 230 && name.first == UInt8(ascii: ".") && ambiguousTemporaries[0].matches(name)
  }

  /// Whether `name` is what an engine calls the unfinished `document`; long names are cut by some engines and
  /// then not recognised.
  public static func isTemporary(_ name: [UInt8], of document: [UInt8]) -> Bool {
    (namedTemporaries + ambiguousTemporaries).contains { $0.base(of: name) == document }
  }

  /// What an editor keeps of the state before a save.
  public static func isBackup(_ name: [UInt8]) -> Bool { backup.matches(name) }

  /// An earlier version that an engine put aside in its own folder.
  public static func isStoredVersion(_ path: RelativePath) -> Bool {
    path.components.dropLast().contains(Array(".stversions".utf8))
  }

  /// The document's name when `name` is a conflict copy of it; nil else.
  public static func original(ofConflictCopy name: [UInt8]) -> [UInt8]? {
    for pattern in conflictInfixes {
      guard let base = pattern.base(of: name) else { continue }
      return base + Self.extension(of: name.dropFirst(base.count + 1))
    }
    return conflictSuffixes.lazy.compactMap { $0.base(of: name) }.first
  }

  /// What to call a file that keeps an earlier text of `document` beside it, so that everybody here takes it
  /// for a conflict copy: as Nextcloud calls them. `date` as `2026-11-22 040000`; `mark` tells two of one
  /// second apart. A name that would be too long is cut, keeping the extension.
  public static func conflictCopyName(of document: [UInt8], date: String, mark: String = "") -> [UInt8] {
    let (stem, end) = parts(of: document)
    let what = Array(" (conflicted copy \(date))\(mark)".utf8)
    return fitted(stem, mark: Self.mark(of: document), tail: what + end)
  }

  /// Whether a document that moved may have moved here (R6): no internal folder, no temporary, backup,
  /// conflict or version name.
  public static func isPlausibleDocument(
    _ path: RelativePath, isThere: (_ base: [UInt8]) -> Bool = { _ in false }
  ) -> Bool {
    let folders = path.components.dropLast()
    return !folders.contains(where: isRecordFolder) && !folders.contains(where: isInternalFolder)
      && !isEngineFile(path.name) && !isTemporary(path.name, isThere: isThere) && !isBackup(path.name)
      && original(ofConflictCopy: path.name) == nil
  }

  /// Whether two names are one text in different normalisation forms (R10). Equal bytes are, too; names that
  /// are not UTF-8 only then.
  public static func areNormalisedAlike(_ left: [UInt8], and right: [UInt8]) -> Bool {
    if left == right { return true }
    guard let left = String(validating: left, as: UTF8.self),
      let right = String(validating: right, as: UTF8.self)
    else { return false }
    return left == right  // Swift compares strings by canonical equivalence.
  }

  /// From the last dot on; empty without one.
  private static func `extension`(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return [] }
    return name[dot...]
  }
}

extension SyncNames {
  private static let internalFolders: Set = [".stfolder", ".stversions", ".~tmp~", ".git", ".owncloudsync"]

  private static let engineFiles = [
    NamePattern(.literal(".sync_"), .anything(atLeast: 1), .literal(".db"), .anything(atLeast: 0)),
    NamePattern(.literal("._sync_"), .anything(atLeast: 1), .literal(".db"), .anything(atLeast: 0)),
    NamePattern(.literal(".stfolder")),
    NamePattern(.literal(".stignore")),
    NamePattern(.literal(".owncloudsync.log"), .anything(atLeast: 0)),
  ]

  private static let unisonTemporary = NamePattern(
    .literal(".unison."), .base, .literal("."), .run(.hexadecimal, 32...32), .literal(".unison.tmp"))

  /// Temporary names that hold the document's name.
  private static let namedTemporaries = [
    NamePattern(.literal(".syncthing."), .base, .literal(".tmp")),
    NamePattern(.literal("~syncthing~"), .base, .literal(".tmp")),
    NamePattern(.literal("."), .base, .literal(".~"), .run(.hexadecimal, 1...8)),
    unisonTemporary,
    NamePattern(.base, .literal("."), .run(.hexadecimal, 8...8), .literal(".partial")),
    NamePattern(.base, .literal(".partial")),
  ]

  private static let ambiguousTemporaries = [
    NamePattern(.literal("."), .base, .literal("."), .run(.alphanumeric, 6...6)),
    NamePattern(.base, .literal("."), .run(.alphanumeric, 6...6)),
  ]

  private static let temporaries =
    namedTemporaries + [
      NamePattern(.literal(".unison."), .anything(atLeast: 1), .literal(".unison.tmp")),
      NamePattern(.literal("4913")),
      NamePattern(.anything(atLeast: 1), .literal(".swp")),
      NamePattern(.anything(atLeast: 1), .literal(".swx")),
      NamePattern(.anything(atLeast: 1), .literal(".swo")),
      NamePattern(.literal(".#"), .anything(atLeast: 1)),
      NamePattern(.literal("#"), .anything(atLeast: 1), .literal("#")),
      NamePattern(.literal("sed"), .run(.alphanumeric, 6...6)),
      NamePattern(.literal(".goutputstream-"), .anything(atLeast: 1)),
    ]

  private static let backup = NamePattern(.base, .literal("~"))

  static let conflictInfixes = [
    NamePattern(
      .base, .literal(".sync-conflict-"), .run(.digit, 8...8), .literal("-"), .run(.digit, 6...6),
      .literal("-"), .run(.upperBase32, 7...7), .anything(atLeast: 0)),
    NamePattern(
      .base, .literal(" (conflicted copy "), .run(.digit, 4...4), .literal("-"), .run(.digit, 2...2),
      .literal("-"), .run(.digit, 2...2), .literal(" "), .run(.digit, 6...6), .literal(")"),
      .anything(atLeast: 0)),
    NamePattern(
      .base, .literal(" (conflict_on_"), .run(.digit, 4...4), .literal("-"), .run(.digit, 2...2),
      .literal("-"), .run(.digit, 2...2), .anything(atLeast: 0), .literal(")"), .anything(atLeast: 0)),
    dropboxConflict("'"), dropboxConflict("’"),
  ]

  /// `plan (desktop's conflicted copy 2026-11-22).md`; of one day's second copy ` (1)` follows the date.
  private static func dropboxConflict(_ apostrophe: String) -> NamePattern {
    NamePattern(
      .base, .literal(" ("), .anything(atLeast: 1), .literal("\(apostrophe)s conflicted copy "),
      .run(.digit, 4...4), .literal("-"), .run(.digit, 2...2), .literal("-"), .run(.digit, 2...2),
      .anything(atLeast: 0), .literal(")"), .anything(atLeast: 0))
  }

  private static let conflictSuffixes = [
    NamePattern(.base, .literal("..path1")), NamePattern(.base, .literal("..path2")),
  ]
}
