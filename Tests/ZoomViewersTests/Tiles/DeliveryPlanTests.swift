import Testing
import ZoomGeometry
import ZoomLaws

@testable import ZoomViewers

struct DeliveryPlanTests {
  /// Returns the fates of requests for tiles with their ordinals and times.
  private static func fates(
    _ faults: [Delivery], _ asked: [(tile: Int, ordinal: Int, time: Double)]
  ) throws -> [Fate] {
    var plan = DeliveryPlan(faults)
    return try asked.map { tile, ordinal, time in
      let region = try PixelRegion(x: tile * 10, y: 0, width: 10, height: 10)
      let question = TileQuestion.tile(level: 0, region: region, size: region.size)
      return plan.fate(of: question, ordinal: ordinal, at: time)
    }
  }

  @Test func `a delayed answer comes after its delay, and others at once`() throws {
    let fates = try Self.fates(
      [Delivery(ordinal: 1, .delay(0.5))], [(0, 0, 3), (1, 1, 3), (1, 1, 3.25), (1, 1, 3.5)])
    #expect(fates == [.answer, .wait, .wait, .answer])
  }

  @Test func `a held answer waits for later ones, but not for ever`() throws {
    let faults = [Delivery(ordinal: 0, .hold(until: 2))]
    let joined = try Self.fates(
      faults, [(0, 0, 0), (1, 1, 0), (0, 0, 0.25), (2, 2, 0.25), (0, 0, 0.25)])
    #expect(joined == [.wait, .answer, .wait, .answer, .answer])
    let alone = try Self.fates(faults, [(0, 0, 0), (0, 0, DeliveryPlan.longestHold)])
    #expect(alone == [.wait, .answer])
  }

  @Test(arguments: [false, true])
  func `a tile fails once or always`(_ isAlways: Bool) throws {
    let fates = try Self.fates(
      [Delivery(.fail(status: 503, isAlways: isAlways))], [(0, 0, 0), (1, 1, 0), (0, 2, 1)])
    #expect(fates == [.status(503), .answer, isAlways ? .status(503) : .answer])
  }
}
