internal import ArgumentParser
internal import ForeignPipelines
internal import Measurement
internal import PixelLaws
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The worker of `zoombench bench`: one contender at one picture, in a separate process.
///
/// Documentation/WorkerProtocol.md describes the protocol. The command is internal, so the help does not
/// list it.
struct BenchWorkerCommand: ParsableCommand {
  static let name = "bench-worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Time peeks at one picture as standard input asks.",
    shouldDisplay: false)

  /// The beginning of an error by which a source refuses the picture, which is not a failure.
  static let refusal = "refuses: "

  @Argument var file: String
  @Option var source: String?
  /// A program whose answers are not compared with naive's.
  @Option var pipeline: String?
  /// A list with one program, whose answers are compared with naive's.
  @Option(name: .customLong("pipelines")) var list: String?
  /// The kinds of peek: "375@1,375@2".
  @Option var peeks: String
  @Option var seed: UInt64
  @OptionGroup var colour: ColourOptions
  @OptionGroup var indexes: IndexOptions
  @OptionGroup var limits: PictureLimitOptions

  func run() throws {
    let pipelines = StandardPipelines(
      limits: limits.limits, indexes: try indexes.places(otherwise: .served))
    let contender = try contender(pipelines)
    let kinds = peeks.split(separator: ",").compactMap { BenchPlan.PeekKind(argument: $0) }
    let path = FilePath(file)
    let session = BenchSession(
      pipeline: contender, path: path, reference: list == nil ? nil : pipelines,
      colour: colour.target)
    let cases = BenchPlan.FileState.allCases.flatMap { state in
      kinds.map { kind in
        let peek = PeekCase(of: path, by: contender.name, kind, state, seed: seed)
        return WorkerCase(name: peek.condition) { try BenchSubject(peek, session) }
      }
    }
    let tool = "zoombench \(ToolVersion.number)"
    if let program = contender as? ForeignPipeline {
      BenchmarkWorker.serve(
        tool: tool, cases: cases, stopwatch: Stopwatch(cpu: PeekWorkerCommand.clock(of: program)))
    } else {
      BenchmarkWorker.serve(tool: tool, cases: cases)
    }
  }

  private func contender(_ pipelines: StandardPipelines) throws -> any Pipeline {
    let limits = pipelines.limits
    if let pipeline { return try ForeignPipeline(pipeline, limits: limits) }
    if let list {
      let bytes = [UInt8](try ResultFile.contents(of: list))
      if let program = try ForeignPipeline.list(json: bytes, limits: limits).first {
        return program
      }
    }
    if source == FloorPipeline.name { return FloorPipeline(pipelines.partial) }
    guard let found = source.flatMap({ pipelines.reader(named: $0) }) else {
      throw ValidationError("name a contender: --source, --pipeline or --pipelines")
    }
    return found.converting(to: colour.target)
  }
}

/// The state that the cases of a worker share.
final class BenchSession {
  let pipeline: any Pipeline
  private let path: FilePath
  private let reference: StandardPipelines?
  private let colour: ColourTarget?
  /// The opened source, which all warm cases share, as in a viewer.
  private var source: (any RegionSource)?
  private var references: [any RegionSource] = []
  /// Whether the memory of a program has been measured, for which it is started once more.
  private var hasMeasuredMemory = false

  /// Creates the session of a contender; `reference` has the sources that its answers are compared with, in
  /// the colours of the run.
  init(
    pipeline: any Pipeline, path: FilePath, reference: StandardPipelines?,
    colour: ColourTarget? = nil
  ) {
    (self.pipeline, self.path, self.reference) = (pipeline, path, reference)
    self.colour = colour
  }

  fileprivate func opened() throws(PipelineError) -> any RegionSource {
    if let source { return source }
    let opened = try pipeline.open(path)
    source = opened
    return opened
  }

  /// Returns naive's pixels; nil if answers are not compared here.
  fileprivate func expected(_ request: RegionRequest) throws -> Pixels? {
    guard let reference else { return nil }
    if references.isEmpty {
      // resident keeps what naive decodes, if the memory suffices.
      func named(_ name: String) -> (any Pipeline)? {
        reference.reader(named: name)?.converting(to: colour)
      }
      if let kept = try? named("resident")?.open(path) { references.append(kept) }
      if let naive = named("naive") { references.append(try naive.open(path)) }
    }
    for source in references.dropLast() {
      if let answer = try? source.read(request) { return answer.pixels }
    }
    return try references.last?.read(request).pixels
  }

  /// Returns the peak memory of a program, the first time it is asked.
  fileprivate func programMemory(reading region: PixelRegion) -> UInt64? {
    guard !hasMeasuredMemory, let program = pipeline as? ForeignPipeline else { return nil }
    hasMeasuredMemory = true
    // An error here occurs again, and is reported, during the timed part.
    return try? program.peakResidentBytes(of: path, region: region)
  }
}

/// A case of a benchmark, whose answers are compared with naive's: by the parent, or here for a program,
/// because an answer in a lossy format may have other bytes.
final class BenchSubject: WorkerSubject {
  /// An error for a source that cannot read the picture, which is not a failure.
  private struct Refusal: Error, CustomStringConvertible {
    let error: PipelineError
    var description: String { BenchWorkerCommand.refusal + error.description }
  }

  private let session: BenchSession
  private let peek: PeekCase
  private let subject: PeekWorkerSubject
  private let source: any RegionSource
  private var request: RegionRequest
  private var hasDiffered = false

  init(_ peek: PeekCase, _ session: BenchSession) throws {
    (self.peek, self.session) = (peek, session)
    let source = try Self.marked { try session.opened() }
    self.source = source
    subject = try Self.marked {
      try PeekWorkerSubject(peek, pipeline: session.pipeline, source: source)
    }
    request = RegionRequest(try peek.region(round: 0, size: source.size))
  }

  private static func marked<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PipelineError where error.isRefusal {
      throw Refusal(error: error)
    }
  }

  func prepare(round: Int) throws {
    request = RegionRequest(try peek.region(round: round, size: source.size))
    try subject.prepare(round: round)
    if let floor = source as? FloorSource { try Self.marked { try floor.anticipate(request) } }
  }

  func run(round: Int, extra: Int) throws -> PeekWorkerSubject.Answer {
    try Self.marked { try subject.run(round: round, extra: extra) }
  }

  func digest(of answer: PeekWorkerSubject.Answer) throws -> String? {
    guard let expected = try session.expected(request) else { return subject.digest(of: answer) }
    let reference = PixelChecksum.of(expected)
    if answer.pixels == expected { return reference }
    let agreement = PixelAgreement(answer.pixels, expected: expected)
    if case .alike(let largest, let mean) = agreement, !session.pipeline.isExact {
      return PixelChecksum.alike(reference, largest: largest, mean: mean)
    }
    if !hasDiffered { complain(agreement) }
    hasDiffered = true
    return PixelChecksum.of(answer.pixels)
  }

  /// Reports the first difference, which the parent shows.
  private func complain(_ agreement: PixelAgreement) {
    let difference =
      switch agreement {
      case .alike(let largest, let mean):
        "samples differ by up to \(Format.number(largest)), \(Format.significant(mean)) on average"
      case .different(let reason): String(reason.trimmingPrefix("differs: "))
      case .same: "the form of the pixels differs"
      }
    let start = "\(peek.condition) differs: region \(request.region): "
    let line = start + Format.oneLine(difference) + "\n"
    _ = try? FileDescriptor.standardError.writeAll(Array(line.utf8))
  }

  func counters(round: Int) throws -> [String: Int] {
    try prepare(round: round)
    guard let program = session.pipeline as? ForeignPipeline else {
      return try Self.marked { try subject.counters(round: round) }
    }
    let (answer, elapsed) = try Stopwatch().measure { try run(round: round, extra: 0) }
    var counts = ["pixels delivered": answer.work.pixelsDelivered]
    counts[WorkerServer.peakMemory] =
      session.programMemory(reading: request.region).map { Int(clamping: $0) }
    guard let arrival = program.takeArrival() else { return counts }
    counts["first byte, ns"] = Int(clamping: arrival.firstByte)
    counts["last byte, ns"] = Int(clamping: arrival.lastByte)
    counts["decoding, ns"] = Int(
      clamping: elapsed.wallNanoseconds - min(elapsed.wallNanoseconds, arrival.lastByte))
    return counts
  }
}
