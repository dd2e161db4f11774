internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// A case of the suite, opened: what a worker times.
final class PeekWorkerSubject: WorkerSubject {
  /// An answer and where its case's own rows begin in it.
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

  init(_ peek: PeekCase, pipelines: StandardPipelines) throws {
    guard let pipeline = pipelines.named(peek.source) else {
      throw Failure(.usage, "\(peek.name): there is no source named \(peek.source)")
    }
    self.peek = peek
    self.pipeline = pipeline
    source = try pipeline.open(peek.path)
    region = try peek.region(round: 0, size: source.size)
    if peek.state == .warm, let source = source as? any JPEGWindowSource {
      try source.completeIndex()
    }
  }

  func prepare(round: Int) throws {
    region = try peek.region(round: round, size: source.size)
  }

  /// One peek, the opening included where the case is a cold one.
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
    let source = try pipeline.open(peek.path)
    let answer = try source.read(request)
    return RegionAnswer(pixels: answer.pixels, work: source.openingWork + answer.work)
  }

  func digest(of answer: Answer) -> String? {
    PixelChecksum.of(answer.pixels, rows: answer.firstRow..<answer.firstRow + answer.rows)
  }

  /// The deterministic counts of one peek.
  func counters(round: Int) throws -> [String: Int] {
    try prepare(round: round)
    let (answer, allocations) = try AllocationCount.during { try run(round: round, extra: 0) }
    let work = answer.work
    var counts = ["pixels delivered": work.pixelsDelivered]
    counts["pixels decoded"] = work.pixelsDecoded
    counts["bytes read"] = work.bytesRead
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
}
