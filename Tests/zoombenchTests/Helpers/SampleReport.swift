import Foundation
import Measurement
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

/// Constructs reports, so that writers can be tested on known numbers.
enum SampleReport {
  static let digest = PixelDigest(rawValue: String(repeating: "a", count: 64))
  static let otherDigest = PixelDigest(rawValue: String(repeating: "b", count: 64))

  /// Returns an arm with the same time in each round.
  static func arm(
    _ source: String, nanoseconds: UInt64, rounds: Int, disagreeingIn disagreeing: [Int] = []
  ) -> BenchReport.Arm {
    BenchReport.Arm(
      source: source, wallNanoseconds: Array(repeating: nanoseconds, count: rounds),
      cpuNanoseconds: Array(repeating: nanoseconds / 2, count: rounds),
      agreed: rounds - disagreeing.count,
      disagreements: Dictionary(uniqueKeysWithValues: disagreeing.map { ($0, otherDigest) }),
      work: Work(bytesRead: nil, pixelsDecoded: 600 * rounds, pixelsDelivered: 100 * rounds),
      state: .openFile, peakMemoryBytes: 12_345_678, isExact: true)
  }

  /// Returns a report of one warm peek: naive in 8 ms, a second source in 2 ms, and perhaps a floor.
  static func make(
    picture: String = "forest", rounds: Int = 3, disagreeingIn disagreements: [Int] = [],
    refusals: [BenchReport.Refusal] = [], floor: UInt64? = nil,
    build: MachineDescription.BuildConfiguration = .release
  ) throws -> BenchReport {
    var machine = MachineDescription()
    machine.buildConfiguration = build
    let region = try PixelRegion(x: 4, y: 5, width: 10, height: 10)
    let round = BenchReport.Round(touchX: 1.5, touchY: 2.25, region: region, digest: digest)
    return BenchReport(
      command: ["zoombench", "--seed", "7"], startedAt: "2027-01-15T08:00:00Z",
      seed: 7, viewportWidth: 375, viewportHeight: 667,
      environment: BenchReport.Environment(
        machine: machine, zoombench: "0", libvips: "8", libvipsHeaders: "8", libvipsThreads: 2,
        timerOverheadNanoseconds: 25),
      pictures: [
        BenchReport.PictureFacts(
          name: picture, path: "\(picture).jpg", width: 1600, height: 1200, byteCount: 9,
          facts: ["1600x1200"])
      ],
      groups: [
        BenchReport.Group(
          picture: picture, peek: BenchPlan.PeekKind(side: 375, scale: 2), state: .warm,
          rounds: Array(repeating: round, count: rounds),
          arms: [
            arm("naive", nanoseconds: 8_000_000, rounds: rounds),
            arm("other", nanoseconds: 2_000_000, rounds: rounds, disagreeingIn: disagreements),
          ] + (floor.map { [arm("floor", nanoseconds: $0, rounds: rounds)] } ?? []),
          refusals: refusals, failures: [])
      ],
      unmeasured: [])
  }
}
