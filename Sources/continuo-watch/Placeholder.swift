// SPDX-License-Identifier: MIT

@main
struct Placeholder {
  static func main() {}
}
