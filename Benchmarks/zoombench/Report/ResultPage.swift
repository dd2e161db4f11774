internal import Foundation
internal import ZoomPipeline

/// The page that shows results to people: one file that loads nothing and opens in any browser.
///
/// The scripts in `Page` read the data in the page, and add them to it only as text.
enum ResultPage {
  /// The most bytes of a page, which may be opened from mail or artifacts, also on phones.
  static let limit = 2_000_000

  /// Returns a page of less than `limit` bytes for any input.
  static func rendered(_ input: ReportInput) throws -> String {
    let script = [
      PackageResources.numbers_js, PackageResources.drawings_js, PackageResources.charts_js,
      PackageResources.parts_js, PackageResources.bench_js, PackageResources.compare_js,
      PackageResources.checks_js, PackageResources.load_js, PackageResources.page_js,
    ].map(text).joined(separator: "\n")
    // Only this script may run, so that no name in the data can become one.
    let digest = Data(SHA256.digest(of: Array(script.utf8))).base64EncodedString()
    let policy =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      + "style-src 'unsafe-inline'; script-src 'sha256-\(digest)'; img-src data:\">"
    var page = text(PackageResources.page_html)
    func replace(_ part: String, with content: String) {
      page = page.replacing(part, with: content, maxReplacements: 1)
    }
    replace("<!-- policy -->", with: policy)
    replace(
      "<link rel=\"stylesheet\" href=\"page.css\">",
      with: "<style>\(text(PackageResources.page_css))</style>")
    // page.html itself, without data, loads the scripts one by one.
    page.replace(#/(<script src="[^"]+"></script>\n)+/#, with: "<script>\(script)</script>\n")
    let data = try PageData.json(input, limit: limit - page.utf8.count)
    replace(">null</script>", with: ">\(data)</script>")
    return page
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
