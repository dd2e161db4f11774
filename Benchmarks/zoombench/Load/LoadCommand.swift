internal import ArgumentParser
internal import CAllocations
internal import ForeignPipelines
internal import Foundation
internal import ZoomGeometry
internal import ZoomLoad
internal import ZoomPipeline

/// `zoombench load`: many viewers who pan and zoom at the same time.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Let many viewers pan and zoom at once, and say how many a source or server carries.",
    discussion: """
      Views are wanted at stated times, whether or not earlier ones are full, and the time to full \
      view counts from the wanted time. Without other options the rate rises until --bound is \
      broken, three times. All answers are compared with the picture between the steps.

      Examples:
        zoombench load photo.tif --pipeline 'iip=iiif:http://127.0.0.1:8080/iiif/{name}'
        zoombench load photo.jpg --sources partial --closed 1,2,4,8,16,32,64
        zoombench load photo.jpg small.jpg --fair --rates 20
        zoombench load photo.jpg --rates 20 --for 30m
      """)

  @OptionGroup var chosen: PictureOptions

  @Option(
    help: ArgumentHelp(
      "Sources to load, comma-separated (default: automatic, without --pipeline).",
      valueName: "names"))
  var sources: NameList?

  @OptionGroup var foreign: PipelineOptions
  @OptionGroup var options: LoadOptions

  @Option(
    help: ArgumentHelp(
      "The server's process, whose memory, threads, descriptors and CPU time are read.",
      valueName: "pid"))
  var serverPid: Int32?

  @Flag(
    name: .customLong("i-may-load-it"),
    help: "Load a server on another machine, if its operator allows it; at most 2 views a second.")
  var mayLoad = false

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions
  @OptionGroup var indexes: IndexOptions

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var limits: LimitOptions
  @OptionGroup var location: CorpusLocation

  func validate() throws {
    try output.refusePage()
    for name in sources?.names ?? [] where !StandardPipelines().names.contains(name) {
      throw ValidationError(noSourceNamed: name, among: StandardPipelines().names)
    }
    if let serverPid, ResourceReading.amounts(of: serverPid) == nil {
      throw ValidationError("--server-pid: no process \(serverPid) can be read in /proc")
    }
  }

  func run() async throws {
    let pictureLimits = limits.limits
    let programs = try foreign.installed(pictureLimits)
    try checkAddresses(of: programs)
    try Output.checkWritable(output.path, sparing: chosen.paths)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let pictures = try await chosen.find(
      standard: ["forest"], in: location, pictureLimits, isQuiet: quiet)
    guard !pictures.isEmpty else {
      throw Failure(.noInput, "load: no picture was found (name a file or a folder of them)")
    }
    let standard = StandardPipelines(
      limits: pictureLimits, indexes: try indexes.places(otherwise: .served))
    let names = sources?.names ?? (programs.isEmpty ? ["automatic"] : [])
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    Interruption.cancelFirst()
    callocations_return_large()
    var result = RunResult(
      kind: .load, command: ["zoombench"] + GivenAddresses.arguments.dropFirst(),
      startedAt: Date().ISO8601Format(), seed: options.seed, environment: .current(),
      pictures: try pictures.map {
        RunResult.PictureFacts(try Picture($0.path, limits: pictureLimits), named: $0.name)
      })
    let pipelines = names.compactMap { standard.named($0) } + programs.map { $0 as any Pipeline }
    for pipeline in pipelines where !Interruption.isCancelled {
      let (subject, settings) = try options.open(
        pipeline, pictures.map(\.path), pictureLimits)
      let threads = LoadThreads(subject, count: settings.connections)
      defer { threads.end() }
      var run = LoadRun(
        subject, settings, server: serverPid, isCancelled: { Interruption.isCancelled },
        progress: { bar.announce("\(pipeline.name): \($0.load), \($0.verdict.rawValue)") },
        drive: threads.drive)
      options.play(&run, isRemote: (pipeline as? ForeignPipeline)?.isRemote == true)
      (run.report.subject, run.report.workload) = (pipeline.name, options.description)
      result.rows.append(Row(run.report))
    }
    bar.finish()
    if Interruption.isCancelled { result.partial = "interrupted" }
    result.conclude()
    try Output.write(
      format == .json ? Output.json(result) : TableWriter.rendered(result), to: output.path)
    // The code of a process that SIGINT has ended.
    if result.partial != nil { throw ExitCode(130) }
    try result.conclusion.check()
  }

  /// Refuses servers on other machines, which a load may harm, before anything is sent to them.
  private func checkAddresses(of programs: [ForeignPipeline]) throws {
    for program in programs where program.isRemote {
      let isTooFast = options.rates?.rates.contains { $0 > LoadOptions.mostRemoteRate } == true
      let isTooWide = (options.connections ?? 1) > LoadOptions.mostRemoteConnections
      if mayLoad, options.closed == nil, !isTooFast, !isTooWide { continue }
      let advice = mayLoad ? "only --rates up to 2, --connections up to 6" : "see --i-may-load-it"
      throw ValidationError("\(program.name) is not on this machine (\(advice))")
    }
    try LoadOptions.refuseRemote(chosen.named)
  }
}
