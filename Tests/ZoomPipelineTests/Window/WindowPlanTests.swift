import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct WindowPlanTests {
  /// For chroma at half the width and height, and at full size.
  @Test(arguments: [
    (JPEGEncoding.Sampling.yCbCr420, 18, 12, 1..<2),
    (JPEGEncoding.Sampling.yCbCr420, 17, 13, 0..<2),
    (JPEGEncoding.Sampling.yCbCr420, 18, 13, 1..<3),
    (JPEGEncoding.Sampling.yCbCr444, 16, 8, 2..<3),
  ])
  func `a region beside an MCU's border takes the MCU behind it where chroma is smoothed`(
    _ sampling: [JPEGEncoding.Sampling], _ start: Int, _ side: Int, _ mcus: Range<Int>
  ) throws {
    let made = try MadeJPEG(JPEGEncoding(sampling: sampling), 161, 90)
    let region = try PixelRegion(x: start, y: start, width: side, height: side)
    let window = MCUWindow(try JPEGStructure(of: made.path), region: region)
    #expect(window.columns == mcus)
    #expect(window.rows == mcus)
  }

  @Test func `at the picture's edges a window has the parts of MCUs that exist`() throws {
    let made = try MadeJPEG(JPEGEncoding(), 161, 90)
    let jpeg = try JPEGStructure(of: made.path)
    let corner = MCUWindow(jpeg, region: try PixelRegion(x: 160, y: 89, width: 1, height: 1))
    // One more MCU on the left: a single chroma column would be interpolated differently.
    #expect(corner.columns == 9..<11 && corner.rows == 5..<6)
    #expect(try corner.part == PixelRegion(x: 144, y: 80, width: 17, height: 10))
    #expect(corner.span.upperBound == jpeg.mcuCount)
    #expect(corner.count == 2)
  }

  private func planned(
    _ region: PixelRegion, _ width: Int = 1000, _ height: Int = 130
  ) throws -> WindowPlan {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), width, height)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    let growing = GrowingIndex(file, jpeg, try ScanTables(jpeg, of: file.path))
    try growing.complete()
    let window = MCUWindow(jpeg, region: region)
    return try #require(try growing.plan([window]).plans?.first)
  }

  /// This happens if a file is overwritten while it is open.
  @Test func `points that contradict each other leave something to read`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 1000, 130)
    let jpeg = try JPEGParser.parse(FileReader(made.path))
    let window = MCUWindow(jpeg, region: try PixelRegion(x: 300, y: 40, width: 90, height: 50))
    let plan = WindowPlan(
      window, jpeg, spacing: 8, mean: 20,
      entry: { EntryPoint(mcu: $0 - $0 % 8, bit: 8 << 20, predictors: .zero) },
      point: { EntryPoint(mcu: $0 * 8, bit: 8 * $0, predictors: .zero) })
    #expect(try #require(plan).runs.allSatisfy { $0.byteCount > 0 })
  }

  @Test func `most of a wide row is copied without being walked`() throws {
    let plan = try planned(PixelRegion(x: 100, y: 50, width: 800, height: 4))
    let run = try #require(plan.runs.first)
    #expect(run.mcus.upperBound - (try #require(run.jump).mcu) < 8)
    #expect(plan.mcusWalked < 8)
  }

  @Test func `whole rows are one run, and so are those of a narrow picture`() throws {
    let plan = try planned(PixelRegion(x: 0, y: 0, width: 16, height: 600), 16, 640)
    #expect(plan.runs.count == 1)
    #expect(plan.mcusWalked == 0)
  }
}
