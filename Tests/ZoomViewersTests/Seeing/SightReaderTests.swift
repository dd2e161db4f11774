import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

@Suite struct SightReaderTests {
  @Test func `a reading is kept for an equal digest, and a screenshot that is no picture fails`()
    throws
  {
    let reader = SightReader(ViewerPicture(card: TileService.size(240, 320)))
    func read(_ png: [UInt8], as digest: UInt64) throws(ViewerFailure) -> SightReader.Reading {
      try reader.read(png, digest: digest, isSettled: true, ratio: 1)
    }
    let reading = try read(try Image(reader.picture.levels.levels[0]).pngBytes(), as: 1)
    #expect(reading.sight.place != nil && reading.checks != nil)
    let again = try read([], as: 1)
    #expect(again.sight == reading.sight && again.checks == reading.checks)
    #expect(throws: ViewerFailure.self) { try read([], as: 2) }
  }

  @Test func `screenshots that are read at once are read as one after the other`() async throws {
    let picture = ViewerPicture(card: Cards.wide.size)
    let shots = try [0.4, 0.8].map { scale in
      try Image(SyntheticView(scale: scale, point: (450, 300)).pixels()).pngBytes()
    }
    @Sendable func read(_ index: Int, with reader: SightReader) throws -> SightReader.Reading {
      try reader.read(shots[index], digest: UInt64(index), isSettled: true, ratio: 1)
    }
    let (alone, shared) = (SightReader(picture), SightReader(picture))
    async let first = read(0, with: shared)
    async let second = read(1, with: shared)
    for (index, reading) in try await [first, second].enumerated() {
      let expected = try read(index, with: alone)
      #expect(reading.sight == expected.sight && reading.checks == expected.checks)
      #expect(reading.sight.place != nil && reading.checks != nil)
    }
  }

  private static let page: SIMD4<Float> = [221, 221, 200, 0]

  /// The readings of a half transparent card at some scales in turn, with an alpha, over a colour that may not be the
  /// page's.
  private static func readings(
    at scales: [Double], alpha: Float, over colour: SIMD4<Float>
  ) throws -> [SightReader.Reading] {
    let picture = ViewerPicture(card: Cards.wide.size, alpha: 128)
    let reader = SightReader(picture)
    return try scales.enumerated().map { index, scale in
      var view = SyntheticView(picture.levels, scale: scale, point: (450, 300))
      view.background = page
      let whole = try view.pixels()
      let shot = try whole.changed { x, y, band, old in
        let isPage = whole.colour(y * 240 + x) == page
        return isPage ? old : UInt8((colour[band] + (Float(old) - colour[band]) * alpha).rounded())
      }
      return try reader.read(
        try Image(shot).pngBytes(), digest: UInt64(index), isSettled: true, ratio: 1)
    }
  }

  private static func reading(
    alpha: Float, over colour: SIMD4<Float>
  ) throws -> SightReader.Reading {
    try #require(try readings(at: [0.25], alpha: alpha, over: colour).first)
  }

  @Test func `a half transparent picture is seen over the page, but not over black or drawn twice`()
    throws
  {
    let alpha: Float = 128.0 / 255
    let sound = try #require(try Self.reading(alpha: alpha, over: Self.page).checks)
    #expect(sound.mean < 3)
    let black = try Self.reading(alpha: alpha, over: .zero)
    let twice = try Self.reading(alpha: 1 - (1 - alpha) * (1 - alpha), over: Self.page)
    for faulty in [black, twice] {
      #expect(faulty.checks.map { $0.mean > 6 } ?? (faulty.sight.place == nil))
    }
  }

  @Test func `a first view that covers the page does not give its colour`() throws {
    // At 1:1 the card covers the screen.
    let readings = try Self.readings(at: [1, 0.25], alpha: 128.0 / 255, over: Self.page)
    #expect(try #require(readings.last?.checks).mean < 3)
  }
}
