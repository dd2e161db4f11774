internal import ArgumentParser
package import ZoomPipeline

package struct LimitOptions: ParsableArguments {
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

  /// The values of `PictureLimits.Loaders` on the command line.
  enum Loaders: String, ExpressibleByArgument, CaseIterable {
    case trusted, all

    var limits: PictureLimits.Loaders { self == .all ? .all : .trusted }
  }

  package init() {}

  package func validate() throws {
    // A terabyte is more than any raster needs; the bound prevents overflow in the product below.
    if let memory, !(0...1_000_000).contains(memory) {
      throw ValidationError("--memory must be 0...1000000 megabytes")
    }
  }

  /// Limits with their own budget, for all pictures of a run.
  package var limits: PictureLimits { share(of: 1) }

  /// Returns the limits of each of several concurrent jobs, which do not depend on what other jobs use.
  func share(of jobs: Int) -> PictureLimits {
    let bytes = memory.map { $0 * 1_000_000 } ?? MemoryBudget.standardLimit
    return PictureLimits(
      memory: MemoryBudget(limit: bytes / max(1, jobs)), loaders: loaders.limits)
  }
}
