internal import PropertyTesting
public import ZoomLaws

/// The laws of regions of one opened picture; see `PictureLaws` for those of generated pictures.
///
/// Sources named "verifier" are the merged list of what pipeline verifiers check, those with a number
/// the reports of real bugs.
public enum RegionLaws {
  /// All of them.
  public static let all: [Law<PixelSubject>] =
    [comparator] + exactness + consistency + shaping + refusals + costs

  /// The comparator sees what it must: without that no other law means anything.
  static let comparator = Law<PixelSubject>(
    "PX-1", "The comparator sees one pixel, one level, a shift of 0.1 px and an empty picture.",
    source: "swift-snapshot-testing#710",
    for: Gens.zip(.allCases, .allCases), inWords: { "probe \($0) at \($1) bits" }
  ) { subject, input, _ in
    try ComparatorSelfTest(subject.comparator).run(input.0, input.1)
  }
}
