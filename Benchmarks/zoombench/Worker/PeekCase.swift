internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// One case of the suite that compares builds: peeks of one size at one picture by one source.
struct PeekCase: Hashable {
  /// Whether the file is opened for each peek or kept open.
  typealias FileState = BenchPlan.FileState

  /// The picture's name in the case's name.
  let picture: String
  let path: FilePath
  let source: String
  /// The peek in picture pixels, cut to the picture where that is smaller.
  let width: Int
  let height: Int
  let reduction: Reduction
  let state: FileState

  /// "petronas/indexed/375x375/warm": what a series in the history is found by.
  var name: String {
    let reduced = reduction == .none ? "" : "/by \(reduction.rawValue)"
    return "\(picture)/\(source)/\(width)x\(height)\(reduced)/\(state.rawValue)"
  }

  /// The region of a round: the same in every build, spread evenly over the picture by rounds.
  ///
  /// - Parameters:
  ///   - round: not negative.
  ///   - size: the picture's.
  ///   - extra: per mille of additional rows, for a case that is to cost more.
  /// - Returns: a region inside the picture, of whole blocks.
  /// - Throws: `GeometryError` for a size that no region can have.
  func region(
    round: Int, size: PixelSize, extra: Int = 0
  ) throws(GeometryError) -> PixelRegion {
    let block = reduction.rawValue
    let width = Self.whole(width, of: size.width, block)
    let height = Self.whole(height, of: size.height, block)
    let taller = Self.whole(height + (height * extra + 999) / 1000, of: size.height, block)
    let point = StratifiedPoints(
      seed: SeededRandom.derivedSeed(from: Self.seed, label: "\(picture) \(width)x\(height)")
    ).point(at: round)
    let x = Int(point.x * Double(size.width - width + 1))
    // The additional rows lie below, and where the picture ends there, above.
    let y = min(Int(point.y * Double(size.height - height + 1)), size.height - taller)
    return try PixelRegion(
      x: x / block * block, y: y / block * block, width: width, height: taller)
  }

  /// The side of a region of whole blocks; a picture's own side may end with a part of one.
  private static func whole(_ side: Int, of limit: Int, _ block: Int) -> Int {
    min(limit, max(block, side / block * block))
  }

  /// Part of what a case is: another seed would be another case.
  private static let seed: UInt64 = 1
}
