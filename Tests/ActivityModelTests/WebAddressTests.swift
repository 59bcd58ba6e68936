// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// Addresses of the web, and whose they are.
@Suite struct WebAddressTests {
  @Test(arguments: [
    ("https://example.org", "example.org"), ("HTTP://Example.ORG:8080/a?b#c", "example.org"),
    ("https://example.org?x=@other.org", "example.org"), ("https://a:b@example.org/", "example.org"),
    ("https://example.org@other.org/", "other.org"), ("https://other.org#@example.org", "other.org"),
    ("https://other.org/@example.org", "other.org"),
  ])
  func theHostIsWhatABrowserGoesTo(_ address: String, _ host: String) {
    #expect(WebAddress.host(of: address) == host)
  }

  @Test(arguments: [
    "https://other.org\\@example.org", "https://[::1]/", "https://", "https:///example.org",
    "ftp://example.org",
    "https://exämple.org", "https://a%40example.org", "https://:80",
  ])
  func whatMayBeReadOtherwiseHasNone(_ address: String) {
    #expect(WebAddress.host(of: address) == nil)
  }

  @Test func aDomainIsOneHostOrAllBelowIt() {
    #expect(WebAddress.isHost(of: "https://example.org/a", in: "Example.org"))
    #expect(!WebAddress.isHost(of: "https://www.example.org/a", in: "example.org"))
    #expect(WebAddress.isHost(of: "https://www.example.org/a", in: "*.example.org"))
    #expect(!WebAddress.isHost(of: "https://example.org/a", in: "*.example.org"))
    #expect(!WebAddress.isHost(of: "https://badexample.org/a", in: "*.example.org"))
  }

  @Test func onlyHttpsIsEncrypted() {
    #expect(WebAddress.isEncrypted("HTTPS://example.org") && !WebAddress.isEncrypted("http://example.org"))
  }
}
