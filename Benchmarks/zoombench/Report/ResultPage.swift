internal import Foundation
internal import ZoomPipeline

/// The page that shows results to people: one file that loads nothing and opens in any browser.
///
/// The files of `Page` read the data in the page, and only put them into it as text.
enum ResultPage {
  /// The most bytes of a page, which may be opened from mail or artifacts, also on phones.
  static let limit = 2_000_000

  /// Returns a page of less than `limit` bytes for any input.
  static func rendered(_ input: ReportInput) throws -> String {
    var page = text(PackageResources.page_html)
    func replace(_ part: String, with content: String) {
      page = page.replacing(part, with: content, maxReplacements: 1)
    }
    let files: [(String, [UInt8])] = [
      ("numbers", PackageResources.numbers_js), ("drawings", PackageResources.drawings_js),
      ("charts", PackageResources.charts_js), ("parts", PackageResources.parts_js),
      ("bench", PackageResources.bench_js), ("compare", PackageResources.compare_js),
      ("checks", PackageResources.checks_js), ("page", PackageResources.page_js),
    ]
    let scripts = files.map { name, bytes in
      (tag: "<script src=\"\(name).js\"></script>", text: text(bytes))
    }
    for script in scripts { replace(script.tag, with: "<script>\(script.text)</script>") }
    replace(
      "<link rel=\"stylesheet\" href=\"page.css\">",
      with: "<style>\(text(PackageResources.page_css))</style>")
    // Only these scripts may run, so that no name in the data can become one.
    let digests = scripts.map { script in
      let digest = Data(SHA256.digest(of: Array(script.text.utf8))).base64EncodedString()
      return "'sha256-\(digest)'"
    }
    replace(
      "<!-- policy -->",
      with: "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        + "style-src 'unsafe-inline'; script-src \(digests.joined(separator: " ")); "
        + "img-src data:\">")
    let data = try PageData.json(input, limit: limit - page.utf8.count)
    replace(">null</script>", with: ">\(data)</script>")
    return page
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
