internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

/// The cases by which two builds are compared.
///
/// They are few enough for a gate of three minutes, and cover what a change can affect: each source, each
/// coding method, warm and cold files, small and large peeks, reduced and full size.
package struct PeekSuite {
  let cases: [PeekCase]
  /// Decodes a tall strip, so that five per cent more rows are nearly five per cent more work.
  let canary: PeekCase

  /// Creates the suite over pictures of the corpus, which must exist.
  init(corpus folder: CorpusFolder, manifest: CorpusManifest) throws {
    func peek(
      _ picture: String, _ source: String, _ width: Int, _ height: Int? = nil,
      by reduction: Reduction = .none, state: BenchPlan.FileState = .warm
    ) throws -> PeekCase {
      let subject = try manifest.pictures(named: [picture])[0]
      return PeekCase(
        picture: picture, path: folder.file(of: subject), source: source, width: width,
        height: height ?? width, reduction: reduction, state: state)
    }
    cases = [
      try peek("forest", "automatic", 375),
      try peek("forest", "automatic", 375, state: .cold),
      try peek("forest", "sequential", 375),
      try peek("forest", "partial", 375),
      try peek("forest", "partial", 375, state: .cold),
      try peek("forest", "naive", 375),
      try peek("pharmacy", "automatic", 375),
      try peek("pharmacy", "automatic", 750, state: .cold),
      try peek("pharmacy", "partial", 375),
      try peek("pharmacy", "partial", 375, state: .cold),
      try peek("pharmacy", "partial", 750),
      try peek("petronas", "partial", 375),
      try peek("petronas", "automatic", 375, state: .cold),
      try peek("petronas", "partial", 375, state: .cold),
      try peek("petronas", "partial", 750),
      try peek("petronas", "partial", 1500, by: .half),
      try peek("petronas", "partial", 1500, by: .eighth),
      try peek("petronas", "sequential", 375),
      try peek("petronas", "resident", 750),
      try peek("jpeg-restart-part", "sequential", 200),
      try peek("jpeg-444", "sequential", 200),
      try peek("cmyk", "sequential", 200),
      try peek("grey", "sequential", 200),
      try peek("orientation-6", "sequential", 150),
      try peek("png", "sequential", 200),
      try peek("png-16", "sequential", 200),
      try peek("webp", "naive", 200),
      try peek("tiff-tiled", "random", 200),
      try peek("tiff-tiled", "random", 200, state: .cold),
      try peek("tiny-17x3", "automatic", 17, 3, state: .cold),
    ]
    canary = try peek(Self.canaryPicture, "partial", 256, 1600)
  }

  package static let pictures = [
    "forest", "pharmacy", "petronas", "jpeg-restart-part", "jpeg-444", "cmyk", "grey",
    "orientation-6", "png", "png-16", "webp", "tiff-tiled", "tiny-17x3",
  ]

  /// Returns the corpus pictures that must be made: only the canary's if the cases use the user's own
  /// pictures.
  static func pictures(besidesOwn: Bool) -> [String] { besidesOwn ? [canaryPicture] : pictures }

  private static let canaryPicture = "petronas"

  /// The source name of another program in case names, the same for both programs.
  static let pipelineName = "pipeline"

  /// Returns cases over the user's own pictures, for the named sources.
  static func cases(of subjects: [NamedPicture], sources: [String]) -> [PeekCase] {
    subjects.flatMap { subject in
      sources.flatMap { source in
        [(375, BenchPlan.FileState.warm), (375, .cold), (750, .warm)].map { side, state in
          PeekCase(
            picture: subject.name, path: subject.path, source: source, width: side, height: side,
            reduction: .none, state: state)
        }
      }
    }
  }

  /// The number of strips that the self-test compares in one batch, which shares one set of checks.
  package static let stripCount = 20

  /// Returns cases of tall strips, whose time grows with their rows, for planting slow-downs.
  static func strips(corpus folder: CorpusFolder, manifest: CorpusManifest) throws -> [PeekCase] {
    let picture = try manifest.pictures(named: ["petronas"])[0]
    return (1...stripCount).map { number in
      // Each width makes a case with other regions, but similar work, because widths are half an MCU apart.
      // The canary has the width before the first.
      PeekCase(
        picture: picture.name, path: folder.file(of: picture), source: "partial",
        width: 256 + 8 * number, height: 640, reduction: .none, state: .warm)
    }
  }
}

/// One case of a benchmark or a comparison: peeks of one size at one picture by one source.
struct PeekCase: Hashable {
  let picture: String
  let path: FilePath
  let source: String
  /// The size of the peek in picture pixels, clipped to the picture.
  let width: Int
  let height: Int
  let reduction: Reduction
  let state: BenchPlan.FileState
  /// The seed of the regions; comparisons always have this one, because another makes another case.
  var seed: UInt64 = 1

  /// The case's name, which identifies its series in the history: "petronas/partial/375x375/warm".
  var name: String { "\(picture)/\(source)/\(condition)" }

  /// "375x375/warm".
  var condition: String {
    let reduced = reduction == .none ? "" : "/by \(reduction.rawValue)"
    return "\(width)x\(height)\(reduced)/\(state.rawValue)"
  }

  /// Returns the region of a round, the same in every build; rounds are spread evenly over the picture.
  ///
  /// It is inside the picture, in whole blocks. `extra` is additional rows, per mille, for a case that should
  /// cost more.
  ///
  /// - Throws: `GeometryError` for a size that no region can have.
  func region(
    round: Int, size: PixelSize, extra: Int = 0
  ) throws(GeometryError) -> PixelRegion {
    let block = reduction.rawValue
    let width = Self.whole(width, of: size.width, block)
    let height = Self.whole(height, of: size.height, block)
    let taller = Self.whole(height + (height * extra + 999) / 1000, of: size.height, block)
    let point = StratifiedPoints(
      seed: SeededRandom.derivedSeed(from: seed, label: "\(picture) \(width)x\(height)")
    ).point(at: round)
    let x = Int(point.x * Double(size.width - width + 1))
    // The additional rows are below the region, or above it at the bottom of the picture.
    let y = min(Int(point.y * Double(size.height - height + 1)), size.height - taller)
    return try PixelRegion(
      x: x / block * block, y: y / block * block, width: width, height: taller)
  }

  /// Returns a side in whole blocks; at most the picture's side, which may end with a partial block.
  private static func whole(_ side: Int, of limit: Int, _ block: Int) -> Int {
    min(limit, max(block, side / block * block))
  }
}

extension PeekCase {
  /// Creates a case of a benchmark, whose regions depend only on the seed and the sizes of peek and picture.
  init(
    of path: FilePath, by source: String, _ kind: BenchPlan.PeekKind,
    _ state: BenchPlan.FileState, seed: UInt64
  ) {
    self.init(
      picture: "", path: path, source: source, width: kind.pixels, height: kind.pixels,
      reduction: .none, state: state, seed: seed)
  }
}
