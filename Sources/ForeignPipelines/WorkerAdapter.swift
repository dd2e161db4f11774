internal import SystemPackage
internal import Synchronization
internal import ZoomGeometry
internal import ZoomPipeline

/// A process that stays and answers region requests; Documentation/PipelineWorkers.md describes the protocol.
///
///     zoombench 1                  zoombench 1 pyvips 3.2.0, libvips 8.18.7
///     open /pictures/photo.jpg     ok 3264 4896
///     read 0 0 375 375             pixels 375 375 3 uint8        and 421,875 bytes
///     close                        ok
struct WorkerAdapter: ForeignAdapter {
  let words: [String]
  let options: ForeignOptions
  private let idle = IdleWorkers()
  var summary: String { "ask a process: \(words.joined(separator: " "))" }
  var opensAnyFile: Bool { true }
  var program: String? { words[0] }

  init(words: [String], options: ForeignOptions) { (self.words, self.options) = (words, options) }

  func open(
    _ picture: Picture, _ observations: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection {
    let connection = WorkerConnection(
      words, options, observations, observations.watchesMemory ? IdleWorkers() : idle, picture)
    try connection.start(until: options.deadline())
    return connection
  }
}

/// Processes without a picture that wait for one: starting an interpreter takes longer than most answers.
private final class IdleWorkers: Sendable {
  private let processes = Mutex<[ChildProcess]>([])
  /// The most idle processes; on most machines no more of them work at the same time.
  private static let most = 4

  func take() -> ChildProcess? { processes.withLock { $0.popLast() } }

  func keep(_ process: ChildProcess) {
    let surplus = processes.withLock { processes -> ChildProcess? in
      if processes.count >= Self.most { return process }
      processes.append(process)
      return nil
    }
    surplus?.end()
  }
}

/// A process with one open picture; the next request restarts it after a crash, hang or invalid answer.
///
/// Used by one thread at a time, as `ForeignConnection` requires: hence `@unchecked Sendable`.
private final class WorkerConnection: ForeignConnection, @unchecked Sendable {
  static let version = "zoombench 1"
  private static let lineLimit = 4096

  private let words: [String]
  private let options: ForeignOptions
  private let observations: ForeignObservations
  private let idle: IdleWorkers
  private let picture: Picture
  private var process: ChildProcess?
  private var hasAnswered = false

  init(
    _ words: [String], _ options: ForeignOptions, _ observations: ForeignObservations,
    _ idle: IdleWorkers, _ picture: Picture
  ) {
    (self.words, self.options, self.picture) = (words, options, picture)
    (self.observations, self.idle) = (observations, idle)
  }

  /// The time limit for closing a picture, in seconds; a slower process is ended.
  private static let secondsToClose = 2.0

  deinit {
    guard let process else { return }
    let deadline = AnswerDeadline(
      seconds: min(options.seconds, Self.secondsToClose), end: options.runEnd.time)
    do {
      guard !process.hasUnasked else { return process.end() }
      try process.send("close")
      guard try process.line(limit: Self.lineLimit, until: deadline) == "ok" else {
        return process.end()
      }
      idle.keep(process)
    } catch { process.end() }
  }

  var state: SourceState { process == nil ? .nothing : .openFile }

  func forget() { stop() }

  func start(until deadline: AnswerDeadline) throws(PipelineError) {
    guard !picture.path.string.contains("\n") else {
      throw PipelineError(
        .unsupported, operation: "open", file: picture.path,
        reason: "workers are told names of files in one line", advice: "rename the file")
    }
    let request = "open \(picture.path.string)"
    // A failure of an idle process is not a failure to open this picture, so a fresh process is tried.
    if let kept = idle.take(), !kept.hasUnasked,
      let answer = try? ask(kept, request, until: deadline)
    {
      return try begin(kept, answer)
    }
    let process: ChildProcess
    do { process = try ChildProcess(words, options, observations) } catch {
      throw failed(error)
    }
    // The idle process may have used up the time.
    let deadline = deadline.left > 0 ? deadline : options.deadline()
    let greeting = try ask(process, Self.version, until: deadline)
    guard greeting == Self.version || greeting.hasPrefix(Self.version + " ") else {
      throw fault(
        process.broken("it greeted with '\(greeting.prefix(100))' instead of '\(Self.version)'")
          .reason)
    }
    try begin(process, try ask(process, request, until: deadline))
  }

  /// Checks the answer to `open` and keeps the process.
  private func begin(_ process: ChildProcess, _ answer: String) throws(PipelineError) {
    let numbers = answer.split(separator: " ").dropFirst().map { Int($0) }
    guard answer.hasPrefix("ok "), numbers.count == 2 else {
      let refusal = refusal(answer)
      if refusal.isWorkers { idle.keep(process) } else { process.end() }
      throw refusal.error
    }
    let size = options.isUpright ? picture.size : picture.storedSize
    guard numbers == [size.width, size.height] else {
      process.end()
      throw fault(
        "it opened a picture of another size: '\(answer)' instead of 'ok \(size.width) \(size.height)'"
      )
    }
    process.countDescendants()
    self.process = process
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    if process == nil { try start(until: deadline) }
    guard let process else { throw fault("it could not be started") }
    do {
      let answer = try read(region, from: process, until: deadline)
      // Some programs start their workers with the first answer.
      if !hasAnswered { process.countDescendants() }
      hasAnswered = true
      return answer
    } catch {
      // Later output might be the answer to this request.
      stop()
      throw error
    }
  }

  private func read(
    _ region: PixelRegion, from process: ChildProcess, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    guard !process.hasUnasked else { throw fault("it wrote without being asked") }
    let answer = try ask(
      process, "read \(region.x) \(region.y) \(region.width) \(region.height)", until: deadline)
    var fields = answer.split(separator: " ").map(String.init)
    let isLossy = fields.last == "lossy"
    if isLossy { fields.removeLast() }
    guard fields.count == 5, fields[0] == "pixels", let width = Int(fields[1]),
      let height = Int(fields[2]), let bands = Int(fields[3]),
      let format = SampleFormat(rawValue: fields[4])
    else { throw refusal(answer).error }
    guard width == region.width, height == region.height else {
      throw fault("it answered '\(answer)' for a region of \(region.width) by \(region.height)")
    }
    let limits = AnswerLimits(region.size, of: picture)
    if let refusal = limits.refusal(size: region.size, bands: bands, format: format) {
      throw fault(refusal)
    }
    let count = region.area * bands * format.byteCount
    do {
      let bytes = try process.take(count, until: deadline)
      return ForeignAnswer(
        pixels: Pixels(
          size: region.size, bands: bands, format: format,
          interpretation: bands < 3 ? .grey : .srgb, bytes: bytes),
        isLossy: isLossy)
    } catch {
      throw failed(error)
    }
  }

  private func ask(
    _ process: ChildProcess, _ line: String, until deadline: AnswerDeadline
  ) throws(PipelineError) -> String {
    do {
      try process.send(line)
      return try process.line(limit: Self.lineLimit, until: deadline)
    } catch {
      throw failed(error)
    }
  }

  private func stop() {
    process?.end()
    (process, hasAnswered) = (nil, false)
  }

  /// Returns the error of a refusal: `unsupported TEXT` for the picture, `error TEXT` for a failure.
  ///
  /// - Returns: the error, and whether the worker reported it by the protocol and can be asked again.
  private func refusal(_ answer: String) -> (error: PipelineError, isWorkers: Bool) {
    for (word, code) in [("unsupported ", PipelineError.Code.unsupported), ("error ", .misbehaved)]
    where answer.hasPrefix(word) {
      let reason = String(answer.dropFirst(word.count))
      return (
        PipelineError(
          code, operation: "read", file: picture.path,
          reason: code == .unsupported
            ? "\(words[0]) refuses it: \(reason)" : "\(words[0]): \(reason)"),
        isWorkers: true
      )
    }
    return (fault("it answered '\(answer.prefix(100))'"), isWorkers: false)
  }

  private func failed(_ failure: AnswerFailure) -> PipelineError {
    failure.error(of: words[0], reading: picture.path)
  }

  private func fault(_ reason: String) -> PipelineError { failed(AnswerFailure(reason)) }
}
