/// The page that shows results to people.
enum ResultPage {
  /// The failure of a build without the page.
  static let missing = Failure(.fault, "no page in this build (use another --format)")

  static func rendered(_ input: ReportInput) throws -> String { throw missing }
}
