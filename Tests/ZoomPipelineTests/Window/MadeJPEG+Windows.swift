import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

extension JPEGStructure {
  /// The MCUs of the windows that a stored region is decoded from: of one, or of two where it is worth
  /// cutting.
  func windowedMCUs(_ stored: PixelRegion) -> Int {
    let window = MCUWindow(self, region: stored)
    guard window.count >= 4096 else { return window.count }
    let middle = (window.rows.lowerBound + window.rows.upperBound) / 2 * mcuSize.height
    return [stored.rows(stored.y..<middle), stored.rows(middle..<stored.maxY)]
      .reduce(0) { $0 + MCUWindow(self, region: $1).count }
  }
}

extension MadeJPEG {
  /// Expects that regions have the pixels of a full decode and come out of windows of just their MCUs,
  /// never by way of a pass from the top, which would be exact as well.
  /// - Parameters:
  ///   - regions: of the upright picture; one at least.
  ///   - comment: says which picture failed.
  ///   - sourceLocation: where it is asked for.
  /// - Throws: what opening and reading does.
  func expectWindows(
    _ regions: [PixelRegion], _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(!regions.isEmpty, sourceLocation: sourceLocation)
    let reference = try Reference(path)
    let picture = try Picture(path)
    let jpeg = try JPEGStructure(of: path)
    let source = try IndexedPipeline().open(path)
    for region in regions {
      let answer = try source.read(RegionRequest(region))
      #expect(
        answer.pixels.difference(from: reference.crop(region)) == nil, "\(comment) \(region)",
        sourceLocation: sourceLocation)
      let wanted = jpeg.windowedMCUs(try picture.storedRegion(for: region))
      #expect(
        answer.work.unitsDecoded == wanted, "\(comment) \(region) is of no window",
        sourceLocation: sourceLocation)
    }
  }
}
