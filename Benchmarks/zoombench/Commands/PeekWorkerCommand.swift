internal import ArgumentParser
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// The other end of `zoombench compare`: times single peeks as it is told over stdin.
///
/// The protocol is described in Documentation/WorkerProtocol.md; nobody types it, so the command
/// is not listed in the help.
struct PeekWorkerCommand: ParsableCommand {
  static let name = "worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Times peeks of zoombench as it is told over stdin.",
    shouldDisplay: false)

  @Argument var files: [String] = []
  @Option var sources: NameList?
  /// Whether the self-test's strips are the cases.
  @Flag var strips = false
  /// Whether there are no cases but the checks, which every worker has.
  @Flag var checks = false
  @OptionGroup var limits: LimitOptions
  @OptionGroup var location: CorpusLocation

  func run() throws {
    let tool = "zoombench \(ToolVersion.number)"
    if checks {
      BenchmarkWorker.serve(tool: tool, cases: [])
      return
    }
    let folder = CorpusFolder(location.path, limits: limits.limits)
    let manifest = try CorpusManifest.builtIn()
    let suite = try PeekSuite(corpus: folder, manifest: manifest)
    let pipelines = StandardPipelines(limits: limits.limits)
    let peeks =
      if strips {
        try PeekSuite.strips(corpus: folder, manifest: manifest)
      } else if files.isEmpty {
        suite.cases
      } else {
        PeekSuite.cases(
          of: try PictureFinder.find(files, pipelines.limits),
          sources: sources?.names ?? ["automatic"])
      }
    func worked(_ peek: PeekCase, _ role: WorkerCase.Role) -> WorkerCase {
      WorkerCase(name: peek.name, role: role) { try PeekWorkerSubject(peek, pipelines: pipelines) }
    }
    let cases = peeks.map { worked($0, .gated) } + [worked(suite.canary, .canary)]
    BenchmarkWorker.serve(tool: tool, cases: cases)
  }
}
