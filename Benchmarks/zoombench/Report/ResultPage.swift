/// The page that shows results to people.
enum ResultPage {
  /// The failure of this build, which has no page yet.
  static let missing = Failure(.fault, "report: no page in this build (use another --format)")
}
