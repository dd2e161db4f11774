internal import Foundation

/// The page in one file with its style and script; its policy allows connections only to this server.
struct PlayPage: Sendable {
  let bytes: [UInt8]
  let policy: String

  init() {
    // Scripts and styles without this nonce do not run, so that no displayed text can become a script.
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
