internal import ArgumentParser
internal import ForeignPipelines
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

/// The worker of `zoombench compare`: times single peeks on request from standard input.
///
/// Documentation/WorkerProtocol.md describes the protocol. The command is internal, so the help does not
/// list it.
struct PeekWorkerCommand: ParsableCommand {
  static let name = "worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Time peeks as standard input asks.",
    shouldDisplay: false)

  /// Strings that distinguish builds of zoombench from other executables.
  ///
  /// Only builds whose worker takes names of pictures contain the first; builds of 0.2.0 contain the last.
  static let marks = [
    "zoombench.peek-worker.names-pictures/1", "zoombench.peek-worker.takes-pictures/1",
    "Times peeks of zoombench as it is told over stdin.",
  ]

  /// The names and the absolute paths of pictures, in turn.
  @Argument var pictures: [String] = []
  @Option var sources: NameList?
  /// Another program; the cases are its peeks at the files.
  @Option var pipeline: String?
  /// Whether the self-test's strips are the cases.
  @Flag var strips = false
  /// The rate of loads that are the cases, in views per second.
  @Option var load: Double?
  /// Whether the only cases are the checks, which every worker has.
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
    let foreign = try pipeline.map { try ForeignPipeline($0, limits: limits.limits) }
    let names = foreign == nil ? sources?.names ?? ["automatic"] : [PeekSuite.pipelineName]
    let peeks =
      if strips {
        try PeekSuite.strips(corpus: folder, manifest: manifest)
      } else if pictures.isEmpty, foreign == nil {
        suite.cases
      } else {
        PeekSuite.cases(of: try namedPictures(pipelines.limits), sources: names)
      }
    func worked(_ peek: PeekCase, _ role: WorkerCase.Role) -> WorkerCase {
      WorkerCase(name: peek.name, role: role) {
        let own = role == .canary ? nil : foreign
        return try PeekWorkerSubject(peek, pipeline: own ?? pipelines.named(peek.source))
      }
    }
    if let load {
      let named = try namedPictures(pipelines.limits)
      let loads = names.map { name in
        WorkerCase(name: LoadPeriods.caseName(named, source: name, rate: load)) {
          guard let pipeline = (foreign as (any Pipeline)?) ?? pipelines.named(name) else {
            throw ValidationError(noSourceNamed: name, among: pipelines.names)
          }
          return try LoadPeriods(pipeline, named.map(\.path), rate: load, pipelines.limits)
        }
      }
      return BenchmarkWorker.serve(
        tool: foreign.map { "\(tool) with \($0.description)" } ?? tool,
        cases: loads + [worked(suite.canary, .canary)],
        stopwatch: Stopwatch(wall: LoadPeriods.clock, cpu: LoadPeriods.clock))
    }
    let cases = peeks.map { worked($0, .gated) } + [worked(suite.canary, .canary)]
    guard let foreign else { return BenchmarkWorker.serve(tool: tool, cases: cases) }
    BenchmarkWorker.serve(
      tool: "\(tool) with \(foreign.description)", cases: cases,
      stopwatch: Stopwatch(cpu: Self.clock(of: foreign)))
  }

  private func namedPictures(_ limits: PictureLimits) throws -> [NamedPicture] {
    let named = stride(from: 1, to: pictures.count, by: 2).map {
      NamedPicture(name: pictures[$0 - 1], path: FilePath(pictures[$0]))
    }
    // Refuses files that are not pictures.
    _ = try PictureFinder.find(named.map(\.path.string), limits)
    return named
  }

  /// Returns the CPU clock of the program's processes, or the wall clock if their CPU time is unknown.
  static func clock(of foreign: ForeignPipeline) -> NanosecondClock {
    guard knowsTime(of: foreign) else { return Timestamps.monotonic }
    return { LiveWorkers.processorTime() ?? 0 }
  }

  /// Whether a program's CPU time can be read; a server may also work for other clients.
  static func knowsTime(of foreign: ForeignPipeline) -> Bool {
    foreign.runsHere && LiveWorkers.processorTime() != nil
  }
}

/// An opened case of the suite, which a worker times.
final class PeekWorkerSubject: WorkerSubject {
  /// An answer, with the index of the first row that belongs to the case.
  struct Answer {
    let pixels: Pixels
    let work: Work
    let firstRow: Int
    let rows: Int
  }

  private let peek: PeekCase
  private let pipeline: any Pipeline
  private let source: any RegionSource
  private var region: PixelRegion
  /// The source of the last cold peek, whose process is ended outside the timed part.
  private var used: (any RegionSource)?

  /// Opens the picture, unless a source of it is given.
  init(
    _ peek: PeekCase, pipeline: (any Pipeline)?, source opened: (any RegionSource)? = nil
  ) throws {
    guard let pipeline else {
      let error = ValidationError(noSourceNamed: peek.source, among: StandardPipelines().names)
      throw Failure(.usage, "\(peek.name): \(error.message)")
    }
    self.peek = peek
    self.pipeline = pipeline
    source = try opened ?? pipeline.open(peek.path)
    region = try peek.region(round: 0, size: source.size)
    if peek.state == .warm, let source = source as? any IndexCompletingSource {
      try source.completeIndex()
    }
  }

  func prepare(round: Int) throws {
    used?.forget()
    used = nil
    region = try peek.region(round: round, size: source.size)
  }

  /// Makes one peek, which includes opening the file if the case is cold.
  func run(round: Int, extra: Int) throws -> Answer {
    let asked = extra == 0 ? region : try peek.region(round: round, size: source.size, extra: extra)
    let request = RegionRequest(asked, reduction: peek.reduction)
    let answer = try read(request)
    let block = peek.reduction.rawValue
    return Answer(
      pixels: answer.pixels, work: answer.work, firstRow: (region.y - asked.y) / block,
      rows: peek.reduction.reduced(region.height))
  }

  private func read(_ request: RegionRequest) throws -> RegionAnswer {
    guard peek.state == .cold else { return try source.read(request) }
    // Each opening of another program starts a process.
    used?.forget()
    let source = try pipeline.open(peek.path)
    if pipeline is ForeignPipeline { used = source }
    let answer = try source.read(request)
    return RegionAnswer(pixels: answer.pixels, work: source.openingWork + answer.work)
  }

  func digest(of answer: Answer) -> String? {
    // In a lossy format, correct answers of two versions may differ.
    if let foreign = pipeline as? ForeignPipeline, !foreign.isExact { return nil }
    return PixelChecksum.of(answer.pixels, rows: answer.firstRow..<answer.firstRow + answer.rows)
  }

  func counters(round: Int) throws -> [String: Int] {
    // The work and the allocations of another program are unknown.
    if pipeline is ForeignPipeline { return [:] }
    try prepare(round: round)
    let (answer, allocations) = try AllocationCount.during { try run(round: round, extra: 0) }
    let work = answer.work
    var counts = ["pixels delivered": work.pixelsDelivered]
    counts["pixels decoded"] = work.pixelsDecoded
    counts["bytes read"] = work.bytesRead
    let fetched = try fetchedLater(round: round, work)
    counts["requests sent"] = fetched?.requests
    counts["bytes fetched"] = fetched?.bytes
    counts["round trips"] = fetched?.roundTrips
    if let unit = work.unit {
      counts["\(unit.rawValue)s decoded"] = work.unitsDecoded
      counts["\(unit.rawValue)s walked"] = work.unitsWalked
    }
    counts["allocations"] = allocations?.blocks
    counts["bytes allocated"] = allocations?.bytes
    counts["large allocations"] = allocations?.largeBlocks
    counts["bytes in large allocations"] = allocations?.largeBytes
    return counts
  }

  /// Returns what a peek of a round fetches; nil for local pictures.
  ///
  /// A warm source may have kept what other rounds fetched there, so that a new one is asked, after a first peek.
  private func fetchedLater(round: Int, _ work: Work) throws -> Work.Fetched? {
    guard peek.state == .warm, work.fetched != nil else { return work.fetched }
    let later = try PeekWorkerSubject(peek, pipeline: pipeline)
    try later.prepare(round: round + 1)
    _ = try later.run(round: round + 1, extra: 0)
    try later.prepare(round: round)
    return try later.run(round: round, extra: 0).work.fetched
  }
}

/// A 64-bit checksum that compares the answers of two processes.
///
/// A cryptographic digest of a large peek takes longer than the peek, and pixels are not hostile here. Two
/// different answers have equal checksums with a chance of 2^-64; the laws compare bytes. Each word is mixed
/// in and multiplied by an odd number, a bijection, so a single changed word always shows.
enum PixelChecksum {
  /// Returns sixteen hexadecimal digits for an answer.
  static func of(_ pixels: Pixels) -> String { of(pixels, rows: 0..<pixels.size.height) }

  /// Returns sixteen hexadecimal digits for some rows of an answer.
  static func of(_ pixels: Pixels, rows: Range<Int>) -> String {
    // The shape comes first, so that 2x8 and 4x4 of the same bytes differ.
    var hash = 0x9E37_79B9_7F4A_7C15 as UInt64
    for number in [pixels.size.width, rows.count, pixels.bands] {
      hash = mix(hash, UInt64(number))
    }
    let stride = pixels.size.width * pixels.bands * pixels.format.byteCount
    pixels.bytes.withUnsafeBytes { all in
      let bytes = UnsafeRawBufferPointer(
        rebasing: all[rows.lowerBound * stride..<rows.upperBound * stride])
      let whole = bytes.count / 8 * 8
      for offset in Swift.stride(from: 0, to: whole, by: 8) {
        hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      for byte in bytes[whole...] { hash = mix(hash, UInt64(byte)) }
    }
    return digits(hash)
  }

  /// Returns the digest of an answer that looks like the reference: its checksum, and two differences.
  static func alike(_ reference: String, largest: Double, mean: Double) -> String {
    reference + digits(largest.bitPattern) + digits(mean.bitPattern)
  }

  /// Returns the differences in a digest of `alike`; nil for an answer that does not look like the reference.
  static func differences(
    in digest: String, from reference: String
  ) -> (largest: Double, mean: Double)? {
    guard digest.hasPrefix(reference), digest.utf8.count == 48 else { return nil }
    let numbers = [digest.dropFirst(16).prefix(16), digest.suffix(16)].compactMap {
      UInt64($0, radix: 16).map { Double(bitPattern: $0) }
    }
    return numbers.count == 2 && numbers.allSatisfy(\.isFinite) ? (numbers[0], numbers[1]) : nil
  }

  private static func digits(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
    return product ^ (product >> 32)
  }
}
