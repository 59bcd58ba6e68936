// SPDX-License-Identifier: MIT

extension ReasonLanguage {
  /// What the socket carries and the command line prints.
  public static let english = ReasonLanguage(
    code: "en", units: Units(bytes: "bytes", kilo: "kB", mega: "MB", giga: "GB", point: "."),
    quotes: Quotes(open: "“", close: "”", separator: ", "),
    templates: arrivals.merging(activities) { first, _ in first }
      .merging(explanations) { first, _ in first }.merging(links) { first, _ in first },
    phrases: [
      .continueTitle: "Continue {document} from {device}", .continueHidden: "Continue from {device}",
      .opening: "Opening {document} from {device}", .openingHidden: "Opening a document from {device}",
      .origin: "{app}, {time}", .several: "{count} documents can be continued here",
      .continueButton: "Continue", .continueAllButton: "Continue all {count}",
      .openWithButton: "Open with {app}", .openPageButton: "Open in browser",
      .notNowButton: "Not now", .pageQuestion: "Open this page without encryption?",
      .pageWarning: "Others on the way can read and change what it shows.",
      .withoutButtons: "To continue: `continuo resume`",
    ])

  private static let way = "is still on its way through folder {folder}"
  private static let partly = "\(way): {here} of {size} are here"
  private static let asCopy = "arrived as the conflict copy “{copy}”"
  private static let apart = "{document} was changed here apart from the version from {device}"
  private static let addFolder = "add its local copy with `continuo folder add`."
  private static let identity =
    "Folder {folder} at {path} is not used, because it has the same identity as folder {other}"
  private static let copiedOver =
    ": one was copied over the other. To make {copy} a folder of its own, run "
    + "`continuo folder add --new-identity` with the path {otherPath}; to forget {folder}, run "
    + "`continuo folder remove`."
  private static let anyApp = "The app"
  private static let late = "The version of {document} from {device} did not come within {seconds} s. "
  private static let checkSync =
    "Check that folder {folder} is being synced on both devices and that the sync engine does not "
    + "skip this file, then keep waiting"

  /// How a document stands to the version that is meant.
  private static let arrivals: [Reason.Kind: [String]] = [
    .looking: ["Which version of the document is here is being looked at."],
    .behind: [way, partly, asCopy].map {
      "An older version of {document} is here; the version from {device} \($0)."
    },
    .missing: [way, partly, asCopy].map { "{document} is not here; the version from {device} \($0)." },
    .ahead: [
      "This device has a newer version of {document} than the one from {device}. "
        + "If you continue, the newer version is opened."
    ],
    .diverged: [
      "\(apart); choose to open what is here, or keep waiting for that version.",
      "\(apart), and conflict copies lie beside it ({copies}); choose which to open.",
      "\(apart), which \(asCopy); choose which to open.",
      "\(apart), and a merge put both into it, between conflict markers (<<<<<<<){markers}; "
        + "solve the conflict there, open it as it is, or keep waiting for that version.",
    ],
    .unreadable: [
      "{document} cannot be read; it is looked at again as soon as it changes.",
      "{document} is here but cannot be read: {why}; it is looked at again as soon as it changes.",
    ],
    .replaced: ["{document} is just being replaced in folder {folder}; the new file is awaited."],
    .written: ["", ": {here} of {size} are here"].map {
      "{document} is just being written in folder {folder}\($0); it counts once it is the version "
        + "from {device}."
    },
    .otherSize: [
      "{document} is here with {size}, and the version from {device} has {expected}; "
        + "it is read once it lies still."
    ],
    .reading: ["{document} ({size}) is here and is being read: {here} of {size}."],
    .moved: ["{document} is now at “{path}” in folder {folder}."],
    .folderUnknown: [
      "{document} lies in a synced folder that this device does not have; \(addFolder)",
      "{document} lies in folder {folder}, which this device does not have; \(addFolder)",
    ],
    .folderAway: ["Folder {folder} is not there now; {document} is looked at as soon as the folder is back."],
    .folderReplaced: [
      "Folder {folder} is not used: what lies at {path} has the identity of another folder. Bring the "
        + "right folder back; or, if this is the right one, run `continuo folder add` with this path."
    ],
    .folderShared: [
      "\(identity)\(copiedOver)", "\(identity){isFirst}, which was registered first\(copiedOver)",
    ],
    .absent: ["The document is not here."],
    .folderGone: ["The folder went away."],
    .changedWhileOpened: ["{document} changed while it was opened; it is looked at again."],
    .overtaken: ["Another version was announced while this one was opened."],
    .unopenable: ["{document} could not be opened: {why}."],
    .othersLeftOut: [
      "Another file that it names is not in its folder here, and is left out.",
      "{count} other files that it names are not in their folders here, and are left out.",
    ],
    .overdue: ["", "{state} "].map {
      "\($0)It did not come in time: keep waiting, open what is here, or give up."
    },
    .neverArrived: [late, "\(late){state} "].flatMap { begin in
      [
        "\(begin)\(checkSync){canOpen}, open what is here, or give up.", "\(begin)\(checkSync) or give up.",
        "\(begin)Make it readable{makeReadable}, keep waiting, or give up.",
        "\(begin)Keep waiting or give up.",
      ]
    },
  ]

  /// Why an activity is not offered, what is said beside it, and how a continuation ends.
  private static let activities: [Reason.Kind: [String]] = [
    .untyped: ["It has no type; declare one under NSUserActivityTypes in Info.plist."],
    .notEligible: ["Its isEligibleForHandoff is false."],
    .requiredKeyMissing: ["The required key {key} is missing from its userInfo; add it."],
    .expired: ["Its expirationDate has passed."],
    .unchanged: ["Nothing changed in it for seven days."],
    .outsideFolders: [
      "{path} is in no synced folder; move it into one, or register its folder with `continuo folder add`."
    ],
    .tooMany: ["{count} newer ones are offered, the most that a device can; end one of those."],
    .removed: ["", " by {device}"].map {
      "This device was removed from its circle\($0): it offers nothing and is offered nothing. To use it "
        + "again, pair it again: run `continuo pair` on a device of the circle, and `continuo join` here."
    },
    .copied: [
      "Another computer uses this device's identity, as after copying a home directory; neither offers "
        + "anything now. Run `continuo reset` on the copy: it becomes a device of its own, and the other "
        + "one goes on."
    ],
    .addressesLeftOut: ["{key} is", "{key} and {secondKey} are"].map {
      "Its \($0) not handed over: only addresses that begin with http:// or https:// are."
    },
    .filesLeftOut: ["A file URL of its userInfo is", "{count} file URLs of its userInfo are"].map {
      "\($0) not handed over: only files in a synced folder are."
    },
    .continued: ["", " at {time}", " on {date} at {time}"].map { "Continued on {device}\($0)." },
    .notTaken: ["No app on {device} took it."],
    .notShownThere: ["It could not be shown on {device}.", "It was not opened on {device}: {message}"],
    .appEnded: ["{app} ended before it had shown it; continue it again."],
    .notStarted: ["{app} could not be started.", "{app} could not be started: {message}"],
    .neverConnected: [
      "{app} was started and did not ask for it; look whether it shows an error, and continue again."
    ],
    .appSilent: ["{app}", anyApp].map { "\($0) has it and does not answer; end it, and continue again." },
    .declined: ["{app}", anyApp].map { "\($0) declined it." },
    .notShown: ["{app}", anyApp].flatMap {
      ["\($0) could not show it.", "\($0) did not open it: {message}"]
    },
    .moreOffers: ["{count} older offers are not listed: the list is full."],
    .moreActivities: ["{count} older activities are not listed: the list is full."],
    .offerGone: ["This activity is no longer offered: `continuo offers` lists those that are."],
    .cancelled: ["The continuation was cancelled."],
    .givenUp: ["The person gave up waiting."],
    .deviceRemoved: ["{device} was removed from your devices: it is not continued."],
    .ended: ["The other device ended this activity before its document was here."],
    .superseded: ["Another continuation was started."],
    .agentUnreachable: [
      "The continuo agent cannot be reached; start it with `continuo agent` and try again."
    ],
  ]

  private static let largest = ", largest are {largest}"
  private static let carryLess = ": carry less, or use continuation streams."
  private static let asItIs = "run `continuo resume` to open its document or its page as it is."
  private static let notBelieved =
    "not by your devices, or not as they wrote it, and not believed: bring a device of your own in with "
    + "`continuo pair`; what belongs to other people may stay."

  /// What `continuo why` says besides.
  private static let explanations: [Reason.Kind: [String]] = [
    .offered: ["It is offered to your other devices.", "It is offered, and has reached {devices}."],
    .notCurrent: [
      "{app} has {document} open, and something else is current there: go on working in {document}, and "
        + "it is offered."
    ],
    .notOpen: ["No app here has {document} open: open it in one that offers what it shows."],
    .tooLarge: [
      "The activity's payload takes {count} bytes and may take {limit}\(largest)\(carryLess)",
      "The user info takes {count} bytes and may take {limit}{ofUserInfo}\(largest)\(carryLess)",
      "The user info takes {count} bytes and may take {limit}{ofUserInfo}\(carryLess)",
      "The activity is not offered: newer ones fill the record, which holds 8 activities and 48 KiB.",
    ],
    .noApp: ["No app here continues {type}: install {other}, which made it, or \(asItIs)"],
    .otherTeam: [
      "{app} continues activities of this type, and is of another team than {other}, which made it: "
        + "install {other}, or \(asItIs)"
    ],
    .continuable: ["{app} can continue it here: run `continuo resume` with its ID."],
    .continuedHere: ["It was continued on this device; it is offered again once it changes there."],
    .silent: [
      "{device} has said nothing new for so long that what it offered is void: switch it on, and check "
        + "that its folders are synced."
    ],
    .untrusted: [
      "A record in folder {folder} is \(notBelieved)",
      "{count} records in folder {folder} are \(notBelieved)",
    ],
    .newerFormat: [
      "Another device of the circle runs a newer Continuo: what it says is not understood; update."
    ],
    .deviceCopied: ["one device:", "{device}, and its offers are not shown:"].map {
      "Two computers use the identity of \($0) run `continuo reset` on the one that is the copy."
    },
    .recordsLeftOut: [
      "No record of another device has come through folder {folder}: register the folder there, too; where "
        + "it is, have its sync engine carry the hidden folder `.continuo`."
    ],
    .recordsUnread: [
      "{device} goes on writing records, and has not read this device's for more than ten minutes: check "
        + "that the sync engine uploads here and downloads there, and carries the hidden folder `.continuo`."
    ],
    .recordsMissing: [
      "{other} has read records of {device} that have not come here for more than ten minutes: check that "
        + "the sync engine downloads here, and carries the hidden folder `.continuo`."
    ],
    .keptBack: [
      "{document} belongs to the sync engine or to Continuo itself, and is not handed over: name a document."
    ],
    .nested: ["{document} lies in folder {folder}, and that in folder {other}: the inner one counts."],
    .since: ["{state} It has stood so since {time}."],
  ]

  private static let byFolders = "until then folders alone carry what is offered."

  /// Why there is no link to another device on the network.
  private static let links: [Reason.Kind: [String]] = [
    .noNetwork: [
      "This computer is on no network that is switched on: connect it, or look at what `continuo lan status` "
        + "says is off; \(byFolders)"
    ],
    .linkOff: ["{device} says of no network that it is there: run `continuo lan on` there, or connect it."],
    .linkUnanswered: [
      "{device} is on, and does not answer at TCP port {port}: let its firewall open that port; \(byFolders)"
    ],
    .linkOutdated: [
      "{device} has said nothing new for a while, and does not answer where it was then: it may be off, or "
        + "elsewhere; \(byFolders)"
    ],
    .linkApart: [
      "{device} and this device are on no common network, as far as their addresses tell: connect both to "
        + "one, or by a VPN; \(byFolders)"
    ],
    .linkRefused: [
      "Whoever answers where {device} was is another computer, or has not heard that this device belongs to "
        + "its circle: wait until a folder was carried both ways."
    ],
    .sentOverLink: [
      "{document} came from {device} over the link: what is saved goes into a copy of its own, and from "
        + "there into folder {folder} once its sync engine has brought this version."
    ],
    .beingSaved: ["{device} is asked to save {document} first."],
    .notSaved: [
      "{device} did not save {document}: what was typed there since its last save is not in it.",
      "{device} did not save {document}, so what was typed there since its last save is not in it: {message}",
    ],
    .draftOutOfReach: [
      "The text of {document} is in no file, and did not come from {device}: "
        + "link the devices (`continuo lan on`), or save it there."
    ],
    .savedBefore: ["{device} saved {document}: what was typed there after that is not in it."],
    .changedSinceKept: ["{document} has changed since then; this is the newest version here."],
  ]
}
