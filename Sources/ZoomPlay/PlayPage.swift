internal import Foundation

/// The page: one file, its style and script in it, and no other address that it may speak to.
struct PlayPage: Sendable {
  let bytes: [UInt8]
  /// Its Content-Security-Policy.
  let policy: String

  init() {
    // What has not this word does not run, so that nothing that is shown can become a script.
    let nonce = UUID().uuidString
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let page = text(PackageResources.page_html)
      .replacing("/*style*/", with: text(PackageResources.page_css), maxReplacements: 1)
      .replacing("/*script*/", with: text(PackageResources.page_js), maxReplacements: 1)
      .replacing("<style>", with: "<style nonce=\"\(nonce)\">", maxReplacements: 1)
      .replacing("<script>", with: "<script nonce=\"\(nonce)\">", maxReplacements: 1)
    bytes = Array(page.utf8)
    policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
      + "connect-src 'self'; img-src blob: data:; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'"
  }
}
