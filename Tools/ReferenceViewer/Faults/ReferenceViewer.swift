/// The reference viewer: one page that reads every scheme of tiles and keeps every law of viewers.
package enum ReferenceViewer {
  /// The text of the page.
  package static let page = String(decoding: PackageResources.reference_html, as: UTF8.self)
}
