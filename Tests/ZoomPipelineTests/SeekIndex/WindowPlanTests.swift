import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct WindowPlanTests {
  private func planned(
    _ restart: JPEGEncoding.Restart, _ region: PixelRegion, _ width: Int = 1000,
    _ height: Int = 130
  ) throws -> (plan: WindowPlan, jpeg: JPEGStructure) {
    var options = JPEGEncoding(quality: 80)
    options.restart = restart
    let made = try MadeJPEG(options, width, height)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: .max)
    let window = MCUWindow(jpeg, region: region)
    return (try #require(WindowPlan(window, jpeg, pass.index, reach: 0)), jpeg)
  }

  @Test(arguments: [JPEGEncoding.Restart.none, .rows(1), .mcus(1), .mcus(7), .mcus(40)])
  func `its runs are the window's MCUs, each once and in order`(
    restart: JPEGEncoding.Restart
  ) throws {
    for region in try [
      PixelRegion(x: 0, y: 0, width: 1000, height: 130),
      PixelRegion(x: 333, y: 40, width: 370, height: 50),
      PixelRegion(x: 999, y: 129, width: 1, height: 1),
    ] {
      let (plan, jpeg) = try planned(restart, region)
      let mcus = plan.stretches.flatMap { $0.runs.flatMap { Array($0.mcus) } }
      let expected = plan.window.rows.flatMap { Array(plan.window.mcus(ofRow: $0, jpeg)) }
      #expect(mcus == expected)
      let interval = jpeg.restartInterval
      for run in plan.stretches.flatMap(\.runs) {
        // Nothing is copied over a restart marker.
        #expect(
          interval == 0 || run.mcus.lowerBound / interval == (run.mcus.upperBound - 1) / interval)
        guard let jump = run.jump else { continue }
        #expect(jump.mcu > run.mcus.lowerBound + 1 && jump.mcu <= run.mcus.upperBound)
        #expect(interval == 0 || jump.mcu % interval != 0 || jump.mcu < run.mcus.upperBound)
      }
      for stretch in plan.stretches {
        #expect(stretch.entry.mcu <= stretch.runs[0].mcus.lowerBound)
        #expect(stretch.bytes.lowerBound == stretch.entry.bit >> 3)
      }
    }
  }

  @Test func `most of a wide row is copied without being read`() throws {
    let (plan, _) = try planned(.none, PixelRegion(x: 100, y: 50, width: 800, height: 4))
    let run = try #require(plan.stretches.first?.runs.first)
    #expect(run.mcus.upperBound - (try #require(run.jump).mcu) < 16)
    #expect(plan.mcusWalked < 16)
  }

  @Test func `rows of a narrow picture share an entry`() throws {
    let (plan, _) = try planned(.none, PixelRegion(x: 0, y: 0, width: 16, height: 600), 16, 640)
    // 38 rows of one MCU, 16 MCUs from a point to the next.
    #expect(plan.stretches.count == 3)
    #expect(plan.mcusWalked == 0)
  }

  @Test func `what lies near in the file is read at once, and what lies far is not`() throws {
    let region = try PixelRegion(x: 480, y: 10, width: 16, height: 100)
    #expect(try planned(.none, region).plan.reads.count == 1)
    let wide = try planned(.none, region, 30_000, 64).plan
    #expect(wide.reads.count == wide.stretches.count)
    #expect(wide.reads.reduce(0) { $0 + $1.stretches.count } == wide.stretches.count)
  }

  @Test func `an index that does not reach so far gives no plan`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 400, 200)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: 50)
    let low = MCUWindow(jpeg, region: try PixelRegion(x: 0, y: 150, width: 9, height: 9))
    #expect(WindowPlan(low, jpeg, pass.index, reach: pass.bit >> 3 + 1) == nil)
    let high = MCUWindow(jpeg, region: try PixelRegion(x: 0, y: 0, width: 9, height: 9))
    #expect(WindowPlan(high, jpeg, pass.index, reach: pass.bit >> 3 + 1) != nil)
  }
}
