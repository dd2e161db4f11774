internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// The cases by which two builds are compared.
///
/// They are few enough for a gate of three minutes and lie where a change can hide: each source,
/// each way of coding, files kept open and opened anew, small peeks and large, reduced and whole.
struct PeekSuite {
  let cases: [PeekCase]
  /// Decodes a tall strip, so that five per cent more rows are nearly five per cent more work.
  let canary: PeekCase

  /// The suite over pictures of the corpus, which must be made already.
  init(corpus folder: CorpusFolder, manifest: CorpusManifest) throws {
    func peek(
      _ picture: String, _ source: String, _ width: Int, _ height: Int? = nil,
      by reduction: Reduction = .none, state: PeekCase.FileState = .warm
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
      try peek("forest", "indexed", 375, state: .cold),
      try peek("forest", "skip", 375),
      try peek("forest", "naive", 375),
      try peek("pharmacy", "automatic", 375),
      try peek("pharmacy", "automatic", 750, state: .cold),
      try peek("pharmacy", "indexed", 375),
      try peek("pharmacy", "indexed", 375, state: .cold),
      try peek("pharmacy", "indexed", 750),
      try peek("petronas", "indexed", 375),
      try peek("petronas", "automatic", 375, state: .cold),
      try peek("petronas", "indexed", 375, state: .cold),
      try peek("petronas", "indexed", 750),
      try peek("petronas", "indexed", 1500, by: .half),
      try peek("petronas", "indexed", 1500, by: .eighth),
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
    canary = try peek("petronas", "indexed", 256, 1600)
  }

  /// How many strips the self-test compares at a time, so that a set of checks serves them all.
  static let stripCount = 20

  /// Tall strips only, whose time grows with their rows: for planting slow-downs.
  static func strips(corpus folder: CorpusFolder, manifest: CorpusManifest) throws -> [PeekCase] {
    let picture = try manifest.pictures(named: ["petronas"])[0]
    return (1...stripCount).map { number in
      // Another width is another case with other regions; half an MCU apart, the work is alike.
      // The canary has the width before.
      PeekCase(
        picture: picture.name, path: folder.file(of: picture), source: "indexed",
        width: 256 + 8 * number, height: 640, reduction: .none, state: .warm)
    }
  }

  /// The pictures of the corpus that the suite peeks at.
  static let pictures = [
    "forest", "pharmacy", "petronas", "jpeg-restart-part", "jpeg-444", "cmyk", "grey",
    "orientation-6", "png", "png-16", "webp", "tiff-tiled", "tiny-17x3",
  ]

  /// Cases over the user's own pictures, by the sources named.
  static func cases(of subjects: [BenchPlan.Subject], sources: [String]) -> [PeekCase] {
    subjects.flatMap { subject in
      sources.flatMap { source in
        [(375, PeekCase.FileState.warm), (375, .cold), (750, .warm)].map { side, state in
          PeekCase(
            picture: subject.name, path: subject.path, source: source, width: side, height: side,
            reduction: .none, state: state)
        }
      }
    }
  }
}
