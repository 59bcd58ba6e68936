// SPDX-License-Identifier: MIT

import CDesktopGLib

/// A value on the bus, as far as this program says or reads such.
indirect enum BusValue {
  case text(String)
  case flag(Bool)
  case byte(UInt8)
  case number(UInt32)
  case integer(Int32)
  case texts([String])
  case numbers([UInt32])
  /// `a{sv}`
  case dictionary([(String, BusValue)])
  /// `a(sv)`
  case properties([(String, BusValue)])
  case tuple([BusValue])
  case real(Double)
  /// An array of elements of that type.
  case array(of: String, [BusValue])
  /// Of a type that nobody here asks for.
  case other

  /// What GLib sends; its reference is floating.
  func variant() -> OpaquePointer {
    switch self {
    case .text(let text): g_variant_new_string(text)
    case .flag(let flag): g_variant_new_boolean(flag ? 1 : 0)
    case .byte(let byte): g_variant_new_byte(byte)
    case .number(let number): g_variant_new_uint32(number)
    case .integer(let number): g_variant_new_int32(number)
    case .texts(let texts): Self.array(of: "s", texts.map { g_variant_new_string($0) })
    case .numbers(let numbers): Self.array(of: "u", numbers.map { g_variant_new_uint32($0) })
    case .dictionary(let entries):
      Self.array(
        of: "{sv}",
        entries.map {
          g_variant_new_dict_entry(g_variant_new_string($0.0), g_variant_new_variant($0.1.variant()))
        })
    case .properties(let entries):
      Self.array(
        of: "(sv)",
        entries.map { Self.tuple([g_variant_new_string($0.0), g_variant_new_variant($0.1.variant())]) })
    case .tuple(let values): Self.tuple(values.map { $0.variant() })
    case .real(let number): g_variant_new_double(number)
    case .array(let type, let values): Self.array(of: type, values.map { $0.variant() })
    case .other: Self.tuple([])
    }
  }

  private static func tuple(_ children: [OpaquePointer?]) -> OpaquePointer {
    g_variant_new_tuple(children, gsize(children.count))
  }

  private static func array(of type: String, _ children: [OpaquePointer?]) -> OpaquePointer {
    let element: OpaquePointer = g_variant_type_new(type)
    defer { g_variant_type_free(element) }
    return g_variant_new_array(element, children, gsize(children.count))
  }

  /// Borrows `variant`.
  init(_ variant: OpaquePointer) {
    switch String(cString: g_variant_get_type_string(variant)) {
    case "s", "o": self = .text(String(cString: g_variant_get_string(variant, nil)))
    case "b": self = .flag(g_variant_get_boolean(variant) != 0)
    case "u": self = .number(g_variant_get_uint32(variant))
    case "i": self = .integer(g_variant_get_int32(variant))
    case "as": self = .texts(Self.children(of: variant).compactMap(\.text))
    case "v": self = Self.children(of: variant).first ?? .other
    case let type where type.hasPrefix("("): self = .tuple(Self.children(of: variant))
    default: self = .other
    }
  }

  private static func children(of variant: OpaquePointer) -> [BusValue] {
    (0..<g_variant_n_children(variant)).compactMap { index in
      guard let child = g_variant_get_child_value(variant, index) else { return nil }
      defer { g_variant_unref(child) }
      return BusValue(child)
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }

  var number: UInt32? { if case .number(let number) = self { number } else { nil } }

  /// That of a tuple's places; `other` where there is none.
  subscript(place: Int) -> BusValue {
    guard case .tuple(let values) = self, values.indices.contains(place) else { return .other }
    return values[place]
  }
}
