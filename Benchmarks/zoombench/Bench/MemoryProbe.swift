internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Measures peak memory: a separate process opens a picture, makes one peek and reports its peak.
///
/// The peak of this process would include earlier sources and pictures.
struct MemoryProbe {
  let executable: FilePath
  let limits: PictureLimits
  /// The folder of the seek indexes that are used.
  let indexFolder: String?

  init?(limits: PictureLimits, indexFolder: String?) {
    guard let path = Bundle.main.executablePath else { return nil }
    executable = FilePath(path)
    self.limits = limits
    self.indexFolder = indexFolder
  }

  /// Returns the peak resident bytes; nil where the system does not report them.
  func peak(
    of subject: (source: String, path: FilePath), region: PixelRegion
  ) async throws -> UInt64? {
    let numbers = [region.x, region.y, region.width, region.height].map(String.init)
    let arguments =
      [
        MemoryProbeCommand.name, "--source", subject.source, "--region",
        numbers.joined(separator: ","), "--memory", String(limits.memory.limit), "--loaders",
        limits.loaders.rawValue,
      ] + (indexFolder.map { ["--index-dir", $0] } ?? []) + ["--", subject.path.string]
    let (ending, output, errors) = try ChildProcess.run(
      WorkerCommand(
        label: MemoryProbeCommand.name, executable: executable.string, arguments: arguments))
    // A defect of the picture occurs again, and is reported, during the timed part.
    if case .exited(let code) = ending,
      [ExitStatus.badInput, .noInput].contains(where: { $0.rawValue == code })
    {
      return nil
    }
    guard ending == .exited(status: 0) else {
      throw Failure(.fault, "\(subject.path): memory of \(subject.source): \(errors)")
    }
    return UInt64(
      String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

/// The command that `MemoryProbe` starts; internal, so the help does not list it.
struct MemoryProbeCommand: ParsableCommand {
  static let name = "memory-probe"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Make one peek and print the peak memory.", shouldDisplay: false)

  @Argument var file: String
  @Option var source: String
  @Option var region: String
  /// The memory limit in bytes.
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
      throw ValidationError(noSourceNamed: source, among: pipelines.names)
    }
    let region = try PixelRegion(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    let answer = try pipeline.open(FilePath(file)).read(RegionRequest(region))
    blackHole(answer)
    guard let peak = ProcessMemory.current().peakResidentBytes else { return }
    try Output.write("\(peak)\n", to: nil)
  }
}
