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
  ///
  /// The caller holds the file for as long as it reads.
  func open(_ file: PictureFiles.KeptFile) throws -> any RegionSource {
    do { return try pipeline.open(file.path) } catch {
      guard error.isRefusal else { throw error }
      throw Discarded()
    }
  }

  /// Returns the pixels of a request for a generated picture.
  func pixels(_ request: RegionRequest, of picture: TestPicture) throws -> Pixels {
    let file = try files.file(of: picture)
    defer { extendLifetime(file) }
    return try open(file).read(request).pixels
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
    guard comparator.compare(got, expected).isSame else {
      throw mismatch(demand(), got, expected, at: region)
    }
  }

  /// Throws unless an answer has the expected pixels.
  ///
  /// If the pipeline is not exact, the answer may differ as `PixelAgreement` allows.
  func requireTrue(
    _ got: Pixels, _ expected: Pixels, at region: PixelRegion? = nil,
    _ demand: @autoclosure () -> String
  ) throws {
    if pipeline.isExact { return try requireSame(got, expected, at: region, demand()) }
    try trustComparator()
    if case .different = PixelAgreement(got, expected: expected, comparator: comparator) {
      throw mismatch(demand(), got, expected, at: region)
    }
  }

  /// Returns the error for an answer; shifts of up to `range` pixels each way are tried.
  func mismatch(
    _ demand: String, _ got: Pixels, _ expected: Pixels, at region: PixelRegion? = nil,
    within range: Int = 8
  ) -> PixelMismatch {
    var mismatch = PixelMismatch(
      demand, got: got, expected: expected, comparison: comparator.compare(got, expected),
      shift: comparator.shift(got, expected, range))
    mismatch.place = region.map { (region: $0, reference: reference, source: source) }
    return mismatch
  }

  /// Reads on another thread; returns nil if it exceeds the time limit, and abandons the thread.
  func outcome(of request: RegionRequest) -> Result<RegionAnswer, PipelineError>? {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<RegionAnswer, PipelineError>?>(nil)
    let source = source
    DispatchQueue.global().async {
      let result = Result { () throws(PipelineError) in try source.read(request) }
      outcome.withLock { $0 = result }
      done.signal()
    }
    let limit = DispatchTime.now() + .milliseconds(Int(patience / .milliseconds(1)))
    guard done.wait(timeout: limit) == .success else { return nil }
    return outcome.withLock { $0 }
  }

  /// Returns the pixels of concurrent requests.
  ///
  /// A serial queue per request ensures separate threads, however busy the pool of tasks is.
  func answersTogether(_ requests: [RegionRequest]) async -> [Result<Pixels, PipelineError>] {
    let answers = Mutex<[Int: Result<Pixels, PipelineError>]>([:])
    let group = DispatchGroup()
    let source = source
    for (number, request) in requests.enumerated() {
      DispatchQueue(label: "zoombench.load").async(group: group) {
        let answer = Result { () throws(PipelineError) in try source.read(request).pixels }
        answers.withLock { $0[number] = answer }
      }
    }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
    let all = answers.withLock { $0 }
    return requests.indices.compactMap { all[$0] }
  }
}
