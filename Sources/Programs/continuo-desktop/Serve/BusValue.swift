// SPDX-License-Identifier: MIT

import CDesktopGLib

/// Values as the bus carries them. Each is floating: the call that takes it owns it.
enum BusValue {
  static func string(_ text: String) -> OpaquePointer? { g_variant_new_string(text) }
  static func boolean(_ value: Bool) -> OpaquePointer? { g_variant_new_boolean(value ? 1 : 0) }
  static func byte(_ value: UInt8) -> OpaquePointer? { g_variant_new_byte(value) }
  static func int32(_ value: Int32) -> OpaquePointer? { g_variant_new_int32(value) }
  static func uint32(_ value: UInt32) -> OpaquePointer? { g_variant_new_uint32(value) }

  static func tuple(_ values: [OpaquePointer?]) -> OpaquePointer? {
    var values = values
    return g_variant_new_tuple(&values, gsize(values.count))
  }

  /// An array whose elements have that type.
  static func array(_ type: String, _ values: [OpaquePointer?]) -> OpaquePointer? {
    var values = values
    let element = g_variant_type_new(type)
    defer { g_variant_type_free(element) }
    return g_variant_new_array(element, &values, gsize(values.count))
  }

  static func strings(_ texts: [String]) -> OpaquePointer? { array("s", texts.map(string)) }

  /// `a{sv}`.
  static func dictionary(_ entries: [(String, OpaquePointer?)]) -> OpaquePointer? {
    array("{sv}", entries.map { g_variant_new_dict_entry(string($0.0), g_variant_new_variant($0.1)) })
  }

  /// The texts of an array of strings, or of a tuple's or variant's only member that is one.
  static func texts(in value: OpaquePointer?) -> [String] {
    guard let value else { return [] }
    if String(cString: g_variant_get_type_string(value)) == "as" {
      return (0..<g_variant_n_children(value)).compactMap { index in
        let child = g_variant_get_child_value(value, index)
        defer { g_variant_unref(child) }
        return text(of: child)
      }
    }
    guard g_variant_is_container(value) != 0, g_variant_n_children(value) == 1 else { return [] }
    let child = g_variant_get_child_value(value, 0)
    defer { g_variant_unref(child) }
    return texts(in: child)
  }

  /// The member of a tuple, by its index, as text or number.
  static func text(in tuple: OpaquePointer?, at index: Int) -> String? {
    member(of: tuple, at: index, type: "s") { text(of: $0) }
  }

  static func number(in tuple: OpaquePointer?, at index: Int) -> UInt32? {
    member(of: tuple, at: index, type: "u") { g_variant_get_uint32($0) }
  }

  private static func text(of value: OpaquePointer?) -> String? {
    g_variant_get_string(value, nil).map { String(cString: $0) }
  }

  private static func member<Member>(
    of tuple: OpaquePointer?, at index: Int, type: String, _ read: (OpaquePointer?) -> Member?
  ) -> Member? {
    guard let tuple, g_variant_is_container(tuple) != 0, index < Int(g_variant_n_children(tuple)) else {
      return nil
    }
    let child = g_variant_get_child_value(tuple, gsize(index))
    defer { g_variant_unref(child) }
    guard String(cString: g_variant_get_type_string(child)) == type else { return nil }
    return read(child)
  }
}
