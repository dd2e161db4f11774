internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// Everything a benchmark of replays found, with every raw sample.
struct ReplayBenchReport: Codable {
  /// Names this format; the number goes up when a reader must change.
  static let currentSchema = "zoombench.replays/1"

  /// The time between two frames at 60 and at 120 frames a second, in nanoseconds.
  static let budgets: [UInt64] = [16_666_667, 8_333_333]

  /// One source's frames of a replay.
  struct Arm: Codable {
    var source: String
    /// The first frame of each replay, which opens the picture and has nothing in memory.
    var firstWallNanoseconds: [UInt64]
    /// All other frames, in order; of naive only those at `sampledFrames`.
    var wallNanoseconds: [UInt64]
    var cpuNanoseconds: [UInt64]
    /// The work of all frames together, the first ones included.
    var work: Work
    /// The pixels of the screen in all frames together.
    var pixelsShown: Int
    /// Mean absolute difference of samples from naive's frame, the worst of the sampled frames.
    var largestMeanDifference: Double?

    /// The share of frames, the first ones aside, that were ready within a time.
    func share(within nanoseconds: UInt64) -> Double {
      let inside = wallNanoseconds.count { $0 <= nanoseconds }
      return Double(inside) / Double(max(1, wallNanoseconds.count))
    }
  }

  /// One gesture over one picture.
  struct Group: Codable {
    var picture: String
    var gesture: String
    var system: ZoomSystem
    var screen: Screen
    /// Frames a replay.
    var frames: Int
    var repeats: Int
    /// The frames that naive rendered too.
    var sampledFrames: [Int]
    var arms: [Arm]
    var refusals: [BenchReport.Refusal]

    /// How many times faster than naive a source rendered the same frames of the first replay.
    func speedUp(of arm: Arm) -> PairedRatio? {
      guard let naive = arms.first(where: { $0.source == "naive" }), arm.source != "naive" else {
        return nil
      }
      // Frame 0 stands among the first frames, not among these.
      let own = sampledFrames.filter { $0 > 0 }.map { arm.wallNanoseconds[$0 - 1] }
      return try? PairedRatio.speedUp(of: own, over: naive.wallNanoseconds)
    }
  }

  var schema = ReplayBenchReport.currentSchema
  var command: [String]
  /// ISO 8601, in UTC.
  var startedAt: String
  var seed: UInt64
  var environment: BenchReport.Environment
  var pictures: [BenchReport.PictureFacts]
  var groups: [Group]
}
