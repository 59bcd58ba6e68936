// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo
import Embedding
import TextAnchors

// Values of the rooms below as the header's structs. Their texts are borrowed.
extension HostSession {
  func info(of offer: Offer) -> continuo_offer_info {
    var info = continuo_offer_info()
    info.size = MemoryLayout<continuo_offer_info>.size
    info.offer = offers.handle(of: offer.id)
    info.device = borrowed.text(offer.deviceName)
    info.activity_type = borrowed.text(offer.type)
    info.app = borrowed.text(offer.appID)
    info.title = borrowed.text(offer.displayTitle)
    info.folder = borrowed.text(offer.folderName)
    info.path = borrowed.text(offer.path?.bytes ?? [])
    info.changed_at = offer.changedAt.milliseconds
    info.has_unsaved_changes = offer.flags.contains(.unsavedChanges) ? 1 : 0
    info.was_left_open = offer.flags.contains(.leftOpen) ? 1 : 0
    info.arrival = borrowed.value(arrival(offer.status))
    info.remark = borrowed.text(offer.remark)
    info.open_beside = embedded?.openedBeside(offer.id).count ?? 0
    return info
  }

  func arrival(_ status: ArrivalStatus) -> continuo_arrival {
    var told = continuo_arrival()
    told.size = MemoryLayout<continuo_arrival>.size
    told.state = continuo_arrival_state(status.arrival.rawValue)
    told.reason = borrowed.text(status.reason)
    told.received = status.received
    told.expected = status.expected
    return told
  }

  func place(_ place: TextPlace, _ certainty: AnchorResolution.Certainty?) -> continuo_place {
    var told = continuo_place()
    told.size = MemoryLayout<continuo_place>.size
    told.line = Int64(place.cursor.line)
    told.column = Int64(place.cursor.column)
    if let selection = place.selection {
      told.parts |= UInt32(CONTINUO_PLACE_SELECTION)
      told.selection_line = Int64(selection.line)
      told.selection_column = Int64(selection.column)
    }
    if let topLine = place.topLine {
      told.parts |= UInt32(CONTINUO_PLACE_TOP_LINE)
      told.top_line = Int64(topLine)
    }
    told.certainty = Self.certainty(certainty)
    return told
  }

  private static func certainty(_ certainty: AnchorResolution.Certainty?) -> continuo_certainty {
    let told =
      switch certainty {
      case nil: CONTINUO_CERTAINTY_NONE
      case .sure: CONTINUO_CERTAINTY_SURE
      case .likely: CONTINUO_CERTAINTY_LIKELY
      case .unsure: CONTINUO_CERTAINTY_UNSURE
      }
    return continuo_certainty(told)
  }

  func textPlace(_ given: continuo_place) -> TextPlace {
    func position(_ line: Int64, _ column: Int64) -> TextPlace.Position {
      TextPlace.Position(line: Arguments.index(line), column: Arguments.index(column))
    }
    let parts = Int(given.parts)
    return TextPlace(
      cursor: position(given.line, given.column),
      selection: parts & CONTINUO_PLACE_SELECTION != 0
        ? position(given.selection_line, given.selection_column) : nil,
      topLine: parts & CONTINUO_PLACE_TOP_LINE != 0 ? Arguments.index(given.top_line) : nil, unit: unit)
  }
}
