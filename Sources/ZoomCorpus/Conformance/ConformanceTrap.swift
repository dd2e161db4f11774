internal import ZoomGeometry
internal import ZoomPipeline

/// One thing that region decoders get wrong, and the pictures that show it.
struct ConformanceTrap: Sendable {
  /// The name in tables, in lower case with hyphens.
  let name: String
  /// The reason for the trap, in one sentence.
  let why: String
  var differences: [ConformanceDifference] = []
  /// The side of the blocks that the file is coded in; regions begin and end beside their edges.
  var unit = 16
  /// Whether regions are added that test each side of a block.
  var isThorough = false
  let pictures: [ConformancePicture]

  /// Returns the regions that are asked of a picture or of a level, the whole one first.
  func regions(of size: PixelSize) -> [PixelRegion] {
    let (width, height) = (size.width, size.height)
    var corners = [
      // From the last column and row of a block, over a whole one, into the next.
      (unit - 1, 2 * unit - 1, 2 * unit + 1, 3 * unit + 1),
      // The last columns and rows, whose blocks may be partial.
      (width - 19, height - 9, width, height),
    ]
    if isThorough {
      corners += [
        // Exactly a block, and one column and row less.
        (unit, unit, 2 * unit, 2 * unit), (unit + 1, unit + 1, 2 * unit - 1, 2 * unit - 1),
        (2 * unit - 2, 0, 2 * unit + 2, height), (0, unit - 2, width, unit + 2),
        (width - 1, height - 1, width, height),
      ]
    }
    var regions = [PixelRegion(whole: size)]
    for (left, top, right, bottom) in corners {
      let (x, y) = (max(0, min(left, width - 1)), max(0, min(top, height - 1)))
      let region = PixelRegion(
        uncheckedX: x, y: y, width: max(1, min(right, width) - x),
        height: max(1, min(bottom, height) - y))
      if !regions.contains(region) { regions.append(region) }
    }
    return regions
  }
}

/// A picture of the set with the pixels that it decodes to.
struct ConformancePicture: Sendable {
  /// The file's name.
  let file: String
  let bytes: [UInt8]
  /// The whole upright picture.
  let expected: Raster
  var orientation = Orientation.up
  /// The smaller copies in the file, each half as large as the one before.
  var levels: [Raster] = []
  /// Whether the four bands are amounts of ink; 0 is bare paper.
  var isInks = false
}

/// A way in which a family of decoders may differ from the expected samples.
///
/// Differences are in levels of 8 bits, whatever the depth.
struct ConformanceDifference: Sendable, Encodable {
  /// The decoders, as the end of "allowed for …".
  let family: String
  /// The change that run.py makes to the expected samples before it compares; nil for none.
  var view: String?
  /// The largest difference of a sample.
  let largest: Int
  /// The largest mean difference over a region.
  let mean: Double
  /// The largest mean difference of the luma of RGB; nil if it has no bound.
  var luma: Double?

  /// T.81 leaves the precision of the inverse DCT open, within bounds.
  static let otherDCT = ConformanceDifference(
    family: "another inverse DCT than libjpeg's accurate one", largest: 8, mean: 1.2)
  /// T.81 does not say how subsampled chroma is enlarged, which hardly changes the luma: replication
  /// and the DCT of the IJG's libjpeg 9 differ by up to 74 levels, and the luma by 0.3 on average.
  static let otherUpsampling = ConformanceDifference(
    family: "chroma enlarged in another way than by libjpeg-turbo's triangle filter",
    largest: 128, mean: 16, luma: 1)
  static let unturned = ConformanceDifference(
    family: "orientation left to the caller", view: "unturned", largest: 0, mean: 0)
  static let eightBits = ConformanceDifference(
    family: "16 bits reduced to 8", view: "eight-bits", largest: 1, mean: 1)
  static let withoutAlpha = [
    ConformanceDifference(family: "alpha dropped", view: "no-alpha", largest: 0, mean: 0),
    ConformanceDifference(family: "blended over black", view: "over-black", largest: 1, mean: 1),
    ConformanceDifference(family: "blended over white", view: "over-white", largest: 1, mean: 1),
  ]
  /// Without a profile, nothing says what colour an ink has; a profile of offset printing that a
  /// decoder brings along is far from the plain product.
  static let otherInks = [
    ConformanceDifference(
      family: "inks converted to RGB", view: "rgb-of-inks", largest: 255, mean: 64)
  ]
}
