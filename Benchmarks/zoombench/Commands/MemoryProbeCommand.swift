internal import ArgumentParser
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The other end of `MemoryProbe`: not for people, so it is not listed in the help.
struct MemoryProbeCommand: ParsableCommand {
  static let name = "memory-probe"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Make one peek and print the peak memory.", shouldDisplay: false)

  @Argument var file: String
  @Option var source: String
  @Option var region: String
  /// In bytes.
  @Option var memory: Int = MemoryBudget.standardLimit
  @Option var loaders: LimitOptions.Loaders = .trusted
  @Option var indexDir: String?

  func run() throws {
    let numbers = region.split(separator: ",").compactMap { Int($0) }
    guard numbers.count == 4 else { throw ValidationError("--region takes X,Y,WIDTH,HEIGHT") }
    guard memory >= 0 else { throw ValidationError("--memory cannot be negative") }
    let pipelines = StandardPipelines(
      limits: PictureLimits(memory: MemoryBudget(limit: memory), loaders: loaders.limits),
      indexes: try StoredIndexes(folder: indexDir, otherwise: .none))
    guard let pipeline = pipelines.named(source) else {
      throw ValidationError("there is no source named \(source)")
    }
    let region = try PixelRegion(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    let answer = try pipeline.open(FilePath(file)).read(RegionRequest(region))
    blackHole(answer)
    guard let peak = ProcessMemory.current().peakResidentBytes else { return }
    try Output.write("\(peak)\n", to: nil)
  }
}
