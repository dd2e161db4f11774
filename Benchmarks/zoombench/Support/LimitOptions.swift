internal import ArgumentParser
internal import ZoomPipeline

/// What a command that opens pictures lets them take.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Megabytes that decoded pictures may take (default: half of the machine's memory).",
      valueName: "MB"))
  var memory: Int?

  @Option(
    help: """
      Which loaders of libvips may read pictures: all, or only those that libvips trusts with files \
      from strangers (not PDF, SVG, ImageMagick, JPEG 2000, slides and others).
      """)
  var loaders: Loaders = .trusted

  /// `PictureLimits.Loaders` by the names of the command line.
  enum Loaders: String, ExpressibleByArgument, CaseIterable {
    case trusted, all

    var limits: PictureLimits.Loaders { self == .all ? .all : .trusted }
  }

  func validate() throws {
    // A terabyte is beyond any raster; the bound keeps the product below from overflowing.
    if let memory, !(0...1_000_000).contains(memory) {
      throw ValidationError("--memory must be 0...1000000 megabytes")
    }
  }

  /// The bytes that decoded pictures may take.
  var memoryLimit: Int { memory.map { $0 * 1_000_000 } ?? MemoryBudget.standardLimit }

  /// Limits with a budget of their own, for all pictures of a run.
  var limits: PictureLimits {
    share(of: 1)
  }

  /// The limits of each of several parts that run at a time: one budget in common would refuse a
  /// part for what another takes just now.
  func share(of parts: Int) -> PictureLimits {
    PictureLimits(
      memory: MemoryBudget(limit: memoryLimit / max(1, parts)), loaders: loaders.limits)
  }
}
