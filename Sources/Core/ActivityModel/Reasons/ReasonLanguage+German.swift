// SPDX-License-Identifier: MIT

extension ReasonLanguage {
  /// What the desktop shows to people whose session speaks German.
  public static let german = ReasonLanguage(
    code: "de", units: Units(bytes: "Byte", kilo: "kB", mega: "MB", giga: "GB", point: ","),
    quotes: Quotes(open: "„", close: "“", separator: ", "),
    templates: arrivals.merging(activities) { first, _ in first }
      .merging(explanations) { first, _ in first }.merging(links) { first, _ in first },
    phrases: [
      .continueTitle: "{document} von {device} fortsetzen",
      .continueHidden: "Dokument von {device} fortsetzen",
      .opening: "{document} von {device} wird geöffnet",
      .openingHidden: "Ein Dokument von {device} wird geöffnet",
      .origin: "{app}, {time} Uhr", .several: "{count} Dokumente lassen sich auf diesem Gerät fortsetzen",
      .continueButton: "Fortsetzen", .continueAllButton: "Alle {count} fortsetzen",
      .openWithButton: "Mit {app} öffnen",
      .openPageButton: "Im Browser öffnen", .notNowButton: "Jetzt nicht",
      .pageQuestion: "Diese Seite unverschlüsselt öffnen?",
      .pageWarning: "Andere können unterwegs mitlesen und ändern, was sie zeigt.",
      .withoutButtons: "Zum Fortsetzen: `continuo resume`",
    ])

  private static let way = "ist noch unterwegs durch den Ordner {folder}"
  private static let partly = "\(way): {here} von {size} sind da"
  private static let asCopy = "ist als Konfliktkopie „{copy}“ angekommen"
  private static let apart = "{document} wurde hier unabhängig von der Version von {device} geändert"
  private static let choose = "bitte auswählen, was geöffnet werden soll."
  private static let addFolder = "die örtliche Kopie des Ordners mit `continuo folder add` hinzufügen."
  private static let identity =
    "Der Ordner {folder} unter {path} wird nicht verwendet, denn er hat dieselbe Kennung wie der "
    + "Ordner {other}"
  private static let copiedOver =
    ": Einer wurde über den anderen kopiert. Um aus {copy} einen eigenständigen Ordner zu machen, "
    + "`continuo folder add --new-identity` mit dem Pfad {otherPath} ausführen; um {folder} zu vergessen, "
    + "`continuo folder remove` ausführen."
  private static let anyApp = "Die App"
  private static let late = "{document}: Die Version von {device} kam nicht innerhalb von {seconds} s an. "
  private static let checkSync =
    "Prüfen, ob der Ordner {folder} auf beiden Geräten synchronisiert und diese Datei dabei nicht "
    + "ausgelassen wird; dann weiter warten"

  /// How a document stands to the version that is meant.
  private static let arrivals: [Reason.Kind: [String]] = [
    .looking: ["Es wird nachgesehen, welche Version des Dokuments hier liegt."],
    .behind: [way, partly, asCopy].map {
      "Hier liegt eine ältere Version von {document}; die Version von {device} \($0)."
    },
    .missing: [way, partly, asCopy].map { "{document} ist nicht hier; die Version von {device} \($0)." },
    .ahead: [
      "Auf diesem Gerät liegt eine neuere Version von {document} als die von {device}. "
        + "Beim Fortsetzen wird die neuere geöffnet."
    ],
    .diverged: [
      "\(apart); das Dokument von hier öffnen oder weiter auf die andere Version warten.",
      "\(apart), und daneben liegen Konfliktkopien ({copies}); \(choose)",
      "\(apart), die als Konfliktkopie „{copy}“ angekommen ist; \(choose)",
      "\(apart), und beim Zusammenführen kamen beide Versionen hinein, zwischen Konfliktmarkierungen "
        + "(<<<<<<<){markers}; den Konflikt dort auflösen, das Dokument unverändert öffnen oder weiter auf "
        + "die andere Version warten.",
    ],
    .unreadable: [
      "{document} kann nicht gelesen werden; sobald sich die Datei ändert, wird wieder nachgesehen.",
      "{document} ist hier, kann aber nicht gelesen werden: {why}; sobald sich die Datei ändert, wird "
        + "wieder nachgesehen.",
    ],
    .replaced: ["{document} wird gerade im Ordner {folder} ersetzt; die neue Datei wird erwartet."],
    .written: ["", ": {here} von {size} sind da"].map {
      "{document} wird gerade in den Ordner {folder} geschrieben\($0); die Datei zählt, sobald sie die "
        + "Version von {device} ist."
    },
    .otherSize: [
      "{document} ist hier {size} groß, die Version von {device} hat {expected}; die Datei wird gelesen, "
        + "sobald sie sich nicht mehr ändert."
    ],
    .reading: ["{document} ({size}) ist hier und wird gelesen: {here} von {size}."],
    .moved: ["{document} liegt jetzt unter „{path}“ im Ordner {folder}."],
    .folderUnknown: [
      "{document} liegt in einem synchronisierten Ordner, den dieses Gerät nicht hat; \(addFolder)",
      "{document} liegt im Ordner {folder}, den dieses Gerät nicht hat; \(addFolder)",
    ],
    .folderAway: [
      "Der Ordner {folder} ist zurzeit nicht da; sobald er wieder da ist, wird nach {document} gesehen."
    ],
    .folderReplaced: [
      "Der Ordner {folder} wird nicht verwendet: Was unter {path} liegt, hat die Kennung eines anderen "
        + "Ordners. Den richtigen Ordner zurückbringen; ist es der richtige, `continuo folder add` mit "
        + "diesem Pfad ausführen."
    ],
    .folderShared: [
      "\(identity)\(copiedOver)", "\(identity){isFirst}, der zuerst hinzugefügt wurde\(copiedOver)",
    ],
    .absent: ["Das Dokument ist nicht hier."],
    .folderGone: ["Der Ordner ist verschwunden."],
    .changedWhileOpened: [
      "{document} hat sich beim Öffnen geändert; es wird noch einmal nachgesehen."
    ],
    .overtaken: ["Während diese Version geöffnet wurde, wurde eine andere angekündigt."],
    .unopenable: ["{document} konnte nicht geöffnet werden: {why}."],
    .othersLeftOut: [
      "Eine weitere genannte Datei liegt hier nicht in ihrem Ordner und wird ausgelassen.",
      "{count} weitere genannte Dateien liegen hier nicht in ihren Ordnern und werden ausgelassen.",
    ],
    .overdue: ["", "{state} "].map {
      "\($0)Die Version kam nicht rechtzeitig an: weiter warten, öffnen, was hier liegt, oder aufgeben."
    },
    .neverArrived: [late, "\(late){state} "].flatMap { begin in
      [
        "\(begin)\(checkSync){canOpen}, öffnen, was hier liegt, oder aufgeben.",
        "\(begin)\(checkSync) oder aufgeben.",
        "\(begin)Die Datei lesbar machen{makeReadable}, weiter warten oder aufgeben.",
        "\(begin)Weiter warten oder aufgeben.",
      ]
    },
  ]

  /// Why an activity is not offered, what is said beside it, and how a continuation ends.
  private static let activities: [Reason.Kind: [String]] = [
    .untyped: ["Die Aktivität hat keinen Typ; in Info.plist unter NSUserActivityTypes einen angeben."],
    .notEligible: ["Ihr isEligibleForHandoff ist false."],
    .requiredKeyMissing: ["In ihrer userInfo fehlt der verlangte Schlüssel {key}; ihn hinzufügen."],
    .expired: ["Ihr expirationDate ist vorbei."],
    .unchanged: ["Sieben Tage lang hat sich nichts daran geändert."],
    .outsideFolders: [
      "{path} liegt in keinem synchronisierten Ordner; die Datei in einen verschieben oder ihren Ordner mit "
        + "`continuo folder add` hinzufügen."
    ],
    .tooMany: [
      "{count} neuere Aktivitäten werden angeboten, mehr kann ein Gerät nicht; eine davon beenden."
    ],
    .removed: ["", " von {device}"].map {
      "Dieses Gerät wurde\($0) aus seinem Kreis entfernt: Es bietet nichts an und bekommt nichts angeboten. "
        + "Um es wieder zu verwenden, neu koppeln: `continuo pair` auf einem Gerät des Kreises ausführen "
        + "und `continuo join` hier."
    },
    .copied: [
      "Ein anderer Computer verwendet die Kennung dieses Geräts, wie nach dem Kopieren eines "
        + "Home-Verzeichnisses; beide bieten jetzt nichts an. Auf der Kopie `continuo reset` ausführen: Sie "
        + "wird ein eigenes Gerät, und das andere macht weiter."
    ],
    .addressesLeftOut: ["{key} wird", "{key} und {secondKey} werden"].map {
      "\($0) nicht übergeben: Nur Adressen, die mit http:// oder https:// beginnen, werden übergeben."
    },
    .filesLeftOut: ["Eine Datei-URL der userInfo wird", "{count} Datei-URLs der userInfo werden"].map {
      "\($0) nicht übergeben: Nur Dateien in einem synchronisierten Ordner werden übergeben."
    },
    .continued: ["", " um {time} Uhr", " am {date} um {time} Uhr"].map { "Fortgesetzt auf {device}\($0)." },
    .notTaken: ["Auf {device} hat keine App das Dokument angenommen."],
    .notShownThere: [
      "Auf {device} konnte das Dokument nicht gezeigt werden.",
      "Auf {device} wurde das Dokument nicht geöffnet: {message}",
    ],
    .appEnded: ["{app} wurde beendet, bevor das Dokument zu sehen war; bitte noch einmal fortsetzen."],
    .notStarted: [
      "{app} konnte nicht gestartet werden.", "{app} konnte nicht gestartet werden: {message}",
    ],
    .neverConnected: [
      "{app} wurde gestartet und hat das Dokument nicht abgeholt; nachsehen, ob die App einen Fehler "
        + "meldet, und noch einmal fortsetzen."
    ],
    .appSilent: ["{app}", anyApp].map {
      "\($0) hat das Dokument und antwortet nicht; die App beenden und noch einmal fortsetzen."
    },
    .declined: ["{app}", anyApp].map { "\($0) hat das Dokument abgelehnt." },
    .notShown: ["{app}", anyApp].flatMap {
      ["\($0) konnte das Dokument nicht zeigen.", "\($0) hat das Dokument nicht geöffnet: {message}"]
    },
    .moreOffers: ["Angebote, die nicht in die volle Liste passen: {count} ältere."],
    .moreActivities: ["Aktivitäten, die nicht in die volle Liste passen: {count} ältere."],
    .offerGone: ["Das wird nicht mehr angeboten: `continuo offers` zeigt, was angeboten wird."],
    .cancelled: ["Das Fortsetzen wurde abgebrochen."],
    .givenUp: ["Das Warten wurde aufgegeben."],
    .deviceRemoved: ["{device} gehört nicht mehr zu den eigenen Geräten: Es wird nichts fortgesetzt."],
    .ended: ["Auf dem anderen Gerät wurde das Dokument geschlossen, bevor es hier angekommen war."],
    .superseded: ["Inzwischen wird etwas anderes fortgesetzt."],
    .agentUnreachable: [
      "Der Agent von Continuo ist nicht erreichbar; ihn mit `continuo agent` starten und es noch einmal "
        + "versuchen."
    ],
  ]

  private static let largest = ", am größten sind {largest}"
  private static let carryLess = ": weniger mitgeben oder Continuation Streams verwenden."
  private static let asItIs =
    "`continuo resume` ausführen, das ihr Dokument oder ihre Seite öffnet, wie sie sind."
  private static let notBelieved =
    "nicht von den eigenen Geräten oder nicht so, wie sie ihn schrieben, und gilt nicht: ein eigenes Gerät "
    + "mit `continuo pair` hinzunehmen; was anderen Leuten gehört, darf bleiben."

  /// What `continuo why` says besides.
  private static let explanations: [Reason.Kind: [String]] = [
    .offered: [
      "Die Aktivität wird den anderen Geräten angeboten.",
      "Die Aktivität wird angeboten und ist angekommen bei {devices}.",
    ],
    .notCurrent: [
      "{app} hat {document} geöffnet, und etwas anderes ist dort aktuell: in {document} weiterarbeiten, dann "
        + "wird es angeboten."
    ],
    .notOpen: [
      "Keine App hat {document} hier geöffnet: in einer öffnen, die anbietet, was sie zeigt."
    ],
    .tooLarge: [
      "Die Nutzlast der Aktivität hat {count} Byte, erlaubt sind {limit}\(largest)\(carryLess)",
      "Die userInfo hat {count} Byte, erlaubt sind {limit}{ofUserInfo}\(largest)\(carryLess)",
      "Die userInfo hat {count} Byte, erlaubt sind {limit}{ofUserInfo}\(carryLess)",
      "Die Aktivität wird nicht angeboten: Neuere füllen den Datensatz, der 8 Aktivitäten und 48 KiB fasst.",
    ],
    .noApp: [
      "Keine App setzt hier {type} fort: {other} installieren, womit es gemacht wurde, oder \(asItIs)"
    ],
    .otherTeam: [
      "{app} setzt Aktivitäten dieser Art fort, gehört aber zu einem anderen Team als {other}, womit es "
        + "gemacht wurde: {other} installieren oder \(asItIs)"
    ],
    .continuable: ["{app} kann es hier fortsetzen: `continuo resume` mit der ID ausführen."],
    .continuedHere: [
      "Das wurde auf diesem Gerät fortgesetzt; sobald es sich dort ändert, wird es wieder angeboten."
    ],
    .silent: [
      "{device} hat so lange nichts Neues gesagt, dass nicht mehr gilt, was es anbot: das Gerät einschalten "
        + "und prüfen, ob seine Ordner synchronisiert werden."
    ],
    .untrusted: ["Ein Datensatz", "Mancher der {count} Datensätze"].map {
      "\($0) im Ordner {folder} ist \(notBelieved)"
    },
    .newerFormat: [
      "Auf einem anderen Gerät des Kreises läuft ein neueres Continuo: Was es sagt, wird nicht verstanden; "
        + "hier aktualisieren."
    ],
    .deviceCopied: ["eines Geräts:", "von {device}, dessen Angebote nicht gezeigt werden:"].map {
      "Zwei Computer verwenden die Kennung \($0) `continuo reset` auf der Kopie ausführen."
    },
    .recordsLeftOut: [
      "Durch den Ordner {folder} kam noch kein Datensatz eines anderen Geräts: den Ordner auch dort "
        + "hinzufügen; ist er es schon, muss seine Synchronisierung den versteckten Ordner `.continuo` "
        + "mitnehmen."
    ],
    .recordsUnread: [
      "{device} schreibt weiter Datensätze und hat die dieses Geräts seit mehr als zehn Minuten nicht "
        + "gelesen: prüfen, ob die Synchronisierung hier hochlädt und dort herunterlädt und den versteckten "
        + "Ordner `.continuo` mitnimmt."
    ],
    .recordsMissing: [
      "{other} hat Datensätze von {device} gelesen, die seit mehr als zehn Minuten nicht hier sind: prüfen, "
        + "ob die Synchronisierung hier herunterlädt und den versteckten Ordner `.continuo` mitnimmt."
    ],
    .keptBack: [
      "{document} gehört der Synchronisierung oder Continuo selbst und wird nicht übergeben: ein Dokument "
        + "nennen."
    ],
    .nested: [
      "{document} liegt im Ordner {folder}, und der im Ordner {other}: Der innere zählt."
    ],
    .since: ["{state} So steht es seit {time}."],
  ]

  private static let byFolders = "bis dahin tragen allein Ordner, was angeboten wird."

  /// Why there is no link to another device on the network.
  private static let links: [Reason.Kind: [String]] = [
    .noNetwork: [
      "Dieser Computer ist in keinem Netz, das eingeschaltet ist: ihn verbinden oder nachsehen, was laut "
        + "`continuo lan status` aus ist; \(byFolders)"
    ],
    .linkOff: [
      "{device} nennt kein Netz, in dem es zu finden ist: dort `continuo lan on` ausführen oder es verbinden."
    ],
    .linkUnanswered: [
      "{device} ist eingeschaltet und antwortet nicht am TCP-Port {port}: diesen Port in seiner Firewall "
        + "öffnen; \(byFolders)"
    ],
    .linkOutdated: [
      "{device} hat eine Weile nichts Neues gesagt und antwortet nicht, wo es zuletzt war: Es ist wohl aus "
        + "oder woanders; \(byFolders)"
    ],
    .linkApart: [
      "{device} und dieses Gerät sind in keinem gemeinsamen Netz, soweit ihre Adressen es zeigen: beide mit "
        + "einem verbinden oder durch ein VPN; \(byFolders)"
    ],
    .linkRefused: [
      "Wo {device} zuletzt war, antwortet ein anderer Computer, oder dort ist noch nicht bekannt, dass "
        + "dieses Gerät zum Kreis gehört: warten, bis ein Ordner in beide Richtungen übertragen ist."
    ],
    .sentOverLink: [
      "{document} kam von {device} über die Verbindung: Gespeichert wird in eine eigene Kopie und von dort "
        + "in Ordner {folder}, sobald sein Synchronisationsprogramm diese Version gebracht hat."
    ],
    .beingSaved: ["{device} soll {document} zuerst speichern."],
    .notSaved: [
      "{device} hat {document} nicht gespeichert: Was dort zuletzt geschrieben wurde, fehlt.",
      "{device} hat {document} nicht gespeichert, und was dort zuletzt geschrieben wurde, fehlt: {message}",
    ],
    .draftOutOfReach: [
      "Der Text von {document} liegt in keiner Datei und kam von {device} nicht an: "
        + "die Geräte verbinden (`continuo lan on`) oder ihn dort speichern."
    ],
    .savedBefore: ["{device} hat {document} gespeichert; was dort danach geschrieben wurde, fehlt."],
    .changedSinceKept: ["{document} wurde seither geändert; das ist die neueste Fassung hier."],
  ]
}
