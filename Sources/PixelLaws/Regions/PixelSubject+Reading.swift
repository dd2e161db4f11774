internal import Dispatch
internal import PropertyTesting
internal import Synchronization
internal import ZoomGeometry
internal import ZoomPipeline

extension PipelineError: DiscardingError {
  /// Whether the run is out of time, which says nothing about the pipeline.
  package var discardsCase: Bool { code == .outOfTime }
}

extension PixelSubject {
  /// Opens a generated picture; discards the case if the pipeline says that it does not support it.
  func open(_ file: PictureFiles.KeptFile) throws -> any RegionSource {
    do {
      _ = try pipeline.prepare(file.path)
      return HoldingSource(try pipeline.open(file.path), file)
    } catch {
      guard error.isRefusal else { throw error }
      throw Discarded()
    }
  }

  /// Returns the pixels of a request for a generated picture.
  func pixels(_ request: RegionRequest, of picture: TestPicture) throws -> Pixels {
    try open(files.file(of: picture)).read(request).pixels
  }

  /// Returns the pixels of a request for the subject's picture.
  func pixels(_ request: RegionRequest) throws(PipelineError) -> Pixels {
    try source.read(request).pixels
  }

  /// Returns the pixels of a region of the subject's picture, unreduced and upright.
  func pixels(_ region: PixelRegion) throws(PipelineError) -> Pixels {
    try pixels(RegionRequest(region))
  }

  /// Throws unless two answers are the same, byte for byte; `region` is their place in the picture.
  func requireSame(
    _ got: Pixels, _ expected: Pixels, at region: PixelRegion? = nil,
    _ demand: @autoclosure () -> String
  ) throws {
    try trustComparator()
    let seen = comparator.compare(got, expected)
    guard seen.isSame else {
      throw mismatch(demand(), got, expected, seen, at: region)
    }
  }

  private func mismatch(
    _ demand: String, _ got: Pixels, _ expected: Pixels, _ seen: PixelComparison,
    at region: PixelRegion?
  ) -> PixelMismatch {
    var mismatch = PixelMismatch(
      demand, got: got, expected: expected, comparison: seen,
      shift: comparator.shift(got, expected, 8))
    mismatch.place = region.map { PixelPlace(region: $0, reference: reference, source: source) }
    return mismatch
  }

  /// Throws unless an answer has the expected pixels, or similar ones if the pipeline is not exact.
  func requireTrue(
    _ got: Pixels, _ expected: Pixels, at region: PixelRegion? = nil,
    _ demand: @autoclosure () -> String
  ) throws {
    if pipeline.isExact {
      try requireSame(got, expected, at: region, demand())
    } else {
      try requireAlike(got, expected, at: region, demand())
    }
  }

  /// Throws unless an answer shows the same in the same place (see `PixelAgreement`).
  func requireAlike(
    _ got: Pixels, _ expected: Pixels, at region: PixelRegion? = nil,
    _ demand: @autoclosure () -> String
  ) throws {
    try trustComparator()
    guard case .different = PixelAgreement(got, expected: expected, comparator: comparator) else {
      return
    }
    throw mismatch(demand(), got, expected, comparator.compare(got, expected), at: region)
  }

  enum ReadOutcome {
    case answer(RegionAnswer)
    case refusal(PipelineError)
    case stillRunning
  }

  /// Reads on another thread, which is abandoned if it exceeds the time limit.
  func outcome(of request: RegionRequest) -> ReadOutcome {
    let done = DispatchSemaphore(value: 0)
    let slot = Slot()
    let source = source
    DispatchQueue.global().async {
      let result = Result { () throws(PipelineError) in try source.read(request) }
      slot.result.withLock { $0 = result }
      done.signal()
    }
    let limit = DispatchTime.now() + .milliseconds(Int(patience / .milliseconds(1)))
    guard done.wait(timeout: limit) == .success else { return .stillRunning }
    return switch slot.result.withLock({ $0 }) {
    case .success(let answer): .answer(answer)
    case .failure(let error): .refusal(error)
    case nil: .stillRunning
    }
  }

  /// Returns the pixels of concurrent requests.
  ///
  /// A serial queue per request ensures separate threads, however busy the pool of tasks is.
  func answersTogether(_ requests: [RegionRequest]) async -> [Result<Pixels, PipelineError>] {
    let slots = requests.map { _ in Slot() }
    let group = DispatchGroup()
    for (request, slot) in zip(requests, slots) {
      let source = source
      DispatchQueue(label: "zoombench.load").async(group: group) {
        let result = Result { () throws(PipelineError) in try source.read(request) }
        slot.result.withLock { $0 = result }
      }
    }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
    return slots.map { slot in
      slot.result.withLock { $0 }?.map(\.pixels)
        ?? .failure(PipelineError(.fault, operation: "read", file: nil, reason: "no answer"))
    }
  }

  private final class Slot: Sendable {
    let result = Mutex<Result<RegionAnswer, PipelineError>?>(nil)
  }
}

/// A source that keeps its file from being removed.
private final class HoldingSource: RegionSource {
  private let base: any RegionSource
  private let file: PictureFiles.KeptFile

  init(_ base: any RegionSource, _ file: PictureFiles.KeptFile) {
    self.base = base
    self.file = file
  }

  var size: PixelSize { base.size }
  var state: SourceState { base.state }
  var openingWork: Work { base.openingWork }
  var explanation: String { base.explanation }
  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try base.read(request)
  }
  func forget() { base.forget() }
}
