internal import Foundation
internal import ZoomGeometry
internal import ZoomPipeline

/// One thing that region decoders get wrong.
struct ConformanceTrap: Decodable, Sendable {
  /// The name in tables, in lower case with hyphens.
  let name: String
  /// The side of the blocks that the file is coded in, 16 without a value; regions begin and end
  /// beside their edges.
  let unit: Int?
  /// Whether regions are added that test each side of a block.
  let isThorough: Bool?
  let pictures: [ConformanceRecipe]

  /// The traps of the embedded `traps.json`, which also has their reasons and what decoders may do.
  static let all: [ConformanceTrap] = {
    struct Contents: Decodable {
      let traps: [ConformanceTrap]
    }
    do {
      return try JSONDecoder().decode(Contents.self, from: Data(PackageResources.traps_json)).traps
    } catch {
      preconditionFailure("the embedded traps cannot be read: \(error)")
    }
  }()

  /// Returns the regions that are asked of a picture or of a level, the whole one first.
  func regions(of size: PixelSize) -> [PixelRegion] {
    let (width, height, unit) = (size.width, size.height, self.unit ?? 16)
    var corners = [
      // From the last column and row of a block, over a whole one, into the next.
      (unit - 1, 2 * unit - 1, 2 * unit + 1, 3 * unit + 1),
      // The last columns and rows, whose blocks may be partial.
      (width - 19, height - 9, width, height),
    ]
    if isThorough == true {
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
  let file: String
  var bytes: [UInt8]
  /// The whole upright picture; of inks, 0 is bare paper.
  let expected: Pixels
  var orientation = Orientation.up
  /// The smaller copies in the file, each half as large as the one before.
  var levels: [Pixels] = []
}
