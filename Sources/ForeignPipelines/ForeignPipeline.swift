internal import Measurement
internal import Synchronization
public import SystemPackage
package import ZoomGeometry
public import ZoomPipeline

/// A pipeline that sends its requests to another program or server, to measure and verify it like our own.
///
/// Answers are decoded in this process and converted to the picture's form. What the program reads and
/// decodes is unknown.
public final class ForeignPipeline: LimitedPipeline {
  /// The name that the user gave it.
  public let name: String
  /// The way in which the program is reached, in one line.
  public let summary: String
  /// The description it was created from, as written on the command line.
  public let description: String
  private let options: ForeignOptions
  private let adapter: any ForeignAdapter
  private let observations = ForeignObservations()
  package let limits: PictureLimits

  init(
    name: String, kind: Kind, description: String, options: ForeignOptions,
    adapter: any ForeignAdapter, limits: PictureLimits
  ) {
    self.name = name
    self.limits = limits
    self.kind = kind
    self.description = description
    self.options = options
    self.adapter = adapter
    summary = adapter.summary
  }

  package func assertInstalled() throws(PipelineError) {
    guard let refusal = adapter.program.flatMap(InstalledProgram.refusal) else { return }
    throw PipelineError(
      .notInstalled, operation: name, file: nil, reason: refusal.reason, advice: refusal.advice)
  }

  /// Sets the end of the run, after which every answer fails with `PipelineError.Code.outOfTime`, also a
  /// pending one.
  ///
  /// Without a `time` option an answer has a tenth of the run, so that a program that hangs is found.
  package func endAnswers(at end: ContinuousClock.Instant) {
    options.runEnd.set(secondsFromNow: ContinuousClock.now.duration(to: end) / .seconds(1))
  }

  /// Whether the program can open any file of this machine; a server offers only its own pictures.
  public var opensAnyFile: Bool { adapter.opensAnyFile }

  /// Whether every byte must equal a full decode: not with the option `lossy` or after a lossy answer.
  public var isExact: Bool { !options.isLossy && observations.isLossy != true }

  /// The ways to reach a program.
  public enum Kind: String, Sendable, CaseIterable { case command, worker, tiles, iiif, http }
  /// The way in which the program is reached.
  public let kind: Kind

  /// Whether it is an IIIF server, which the rules of `IIIFRules` apply to.
  public var isImageServer: Bool { kind == .iiif }

  /// Returns the picture service that offers a file; nil unless the pipeline is an IIIF server.
  package func pictureService(of file: FilePath) -> PictureService? {
    guard let adapter = adapter as? IIIFAdapter else { return nil }
    let address = adapter.service(of: file)
    return PictureService(
      address: address,
      transport: HTTPTransport(
        address, seconds: options.seconds, headers: options.headers, rate: options.rate,
        runEnd: options.runEnd, isShortened: options.isShortened),
      requests: options.requests, isUpright: options.isUpright, isLossy: options.isLossy,
      limits: limits)
  }

  /// Returns the arrival times since the last call; empty unless a server is asked for each region.
  package func takeArrivals() -> [Arrival] { observations.takeArrivals() }

  /// Whether answers come from processes of this machine, whose memory and CPU time can be measured.
  package var runsHere: Bool { kind == .command || kind == .worker }

  /// The CPU time that its processes and their descendants have used so far, in nanoseconds; nil for servers
  /// and files, and if the system does not report it.
  package var processorTime: UInt64? { runsHere ? observations.processor.nanoseconds : nil }

  /// Returns the peak memory of a fresh process that opens a picture and reads one region; nil for servers
  /// and files, and if the system does not report it.
  ///
  /// The processes that the program starts are not counted.
  package func peakResidentBytes(
    of path: FilePath, region: PixelRegion
  ) throws(PipelineError) -> UInt64? {
    guard runsHere else { return nil }
    let picture = try Picture(path, limits: limits)
    let watching = ForeignObservations(watchesMemory: true)
    let connection = try adapter.open(picture, watching)
    defer { connection.forget() }
    let asked = options.isUpright ? region : try picture.storedRegion(for: region)
    _ = try connection.region(asked, until: options.deadline())
    return watching.peakResidentBytes
  }

  /// Opens a picture; the first time it also reads a corner, to learn whether the format is lossy.
  public func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    let picture = try Picture(path, limits: limits)
    let source = ForeignSource(
      picture: picture, connection: try adapter.open(picture, observations), options: options,
      observations: observations, summary: summary)
    guard !options.isLossy, observations.isLossy == nil else { return source }
    let side = { (length: Int) in min(length, 16) }
    let corner = try PixelRegion.at(
      0, 0, side(picture.size.width), side(picture.size.height), of: path)
    _ = try source.read(RegionRequest(corner))
    return source
  }
}

struct ForeignOptions: Sendable {
  /// Whether answers may differ from the picture's own samples.
  var isLossy = false
  /// The program turns pictures upright by their EXIF orientation.
  var isUpright = false
  /// Whether answers may begin earlier, at a block of the file; the region is their last rows and columns.
  var isAligned = false
  /// The time limit of one answer that the user chose; nil for the default.
  var chosenSeconds: Double?
  /// The header lines sent with each request to a server: "Authorization: Bearer ...".
  var headers: [String] = []
  /// The limit of a process's address space, in bytes; nil without a limit.
  var memory: Int?
  /// The most requests per second that are sent to a server while its rules are tried; nil without a limit.
  var rate: Double?
  /// The most requests that trying the rules may take; nil for the default.
  var requests: Int?
  /// The end of the run, which copies of the options share.
  let runEnd = RunEnd()

  /// The time limit of one answer, in seconds.
  var seconds: Double { chosenSeconds ?? min(60, runEnd.mostSeconds) }

  /// Whether the run shortens the limit so much that a correct program may miss it.
  var isShortened: Bool { chosenSeconds == nil && seconds < RunEnd.shortestTelling }

  func deadline() -> AnswerDeadline {
    AnswerDeadline(seconds: seconds, end: runEnd.time, isShortened: isShortened)
  }

  /// The most extra rows or columns of an answer: 32, an MCU of a JPEG, if it may begin earlier.
  var slack: Int { isAligned ? 32 : 0 }
}

/// A picture on a server that accepts any request.
package struct PictureService: Sendable {
  package let address: String
  package let transport: any ServerTransport
  /// The most requests that the user allows; nil for the default.
  package let requests: Int?
  package let isUpright: Bool
  package let isLossy: Bool
  package let limits: PictureLimits
}

/// One way to reach a program.
protocol ForeignAdapter: Sendable {
  /// The way in which the program is reached, in one line.
  var summary: String { get }
  var opensAnyFile: Bool { get }
  /// The program that the adapter runs on this machine; nil if it runs none.
  var program: String? { get }
  func open(
    _ picture: Picture, _ observations: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection
}

/// A connection that requests regions of one picture; used by one thread at a time.
protocol ForeignConnection: AnyObject, Sendable {
  /// The state that the connection keeps between two answers.
  var state: SourceState { get }
  /// Requests a region at 1:1, as the file stores it, or upright with the option `upright`.
  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer
  /// Frees everything that the next request can set up again.
  func forget()
}

extension ForeignAdapter {
  var program: String? { nil }
}

struct ForeignAnswer: Sendable {
  var pixels: Pixels
  var isLossy = false
}

/// A picture whose regions are read by another program.
private final class ForeignSource: RegionSource {
  private let picture: Picture
  private let connection: any ForeignConnection
  private let options: ForeignOptions
  private let observations: ForeignObservations
  /// Serialises requests: a process or a connection answers one at a time.
  private let turn = Mutex<Void>(())
  let explanation: String
  let openingWork = Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 0)

  init(
    picture: Picture, connection: any ForeignConnection, options: ForeignOptions,
    observations: ForeignObservations, summary: String
  ) {
    (self.picture, self.connection, self.options) = (picture, connection, options)
    (self.observations, explanation) = (observations, summary)
  }

  var size: PixelSize { picture.size }
  var state: SourceState { turn.withLock { _ in connection.state } }
  func forget() { turn.withLock { _ in connection.forget() } }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try request.answer(pictureSize: size, file: picture.path) { region throws(PipelineError) in
      let asked = options.isUpright ? region : try picture.storedRegion(for: region)
      let answer = try turn.withLock { _ in
        Result { () throws(PipelineError) in
          try connection.region(asked, until: options.deadline())
        }
      }.get()
      observations.note(isLossy: answer.isLossy)
      let pixels = options.isAligned ? answer.pixels.end(asked.size) : answer.pixels
      guard pixels.size == asked.size else {
        throw PipelineError(
          .misbehaved, operation: "read", file: picture.path,
          reason: "\(answer.pixels.size) pixels were answered for region \(asked)")
      }
      let upright =
        options.isUpright
        ? pixels : try pixels.upright(from: picture.orientation)
      return RegionAnswer(
        pixels: upright.inForm(of: picture),
        work: Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: region.area))
    }
  }
}

extension PixelRegion {
  /// Returns a region; throws an error that names the file if the numbers are invalid.
  static func at(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, of file: FilePath
  ) throws(PipelineError) -> PixelRegion {
    do { return try PixelRegion(x: x, y: y, width: width, height: height) } catch {
      throw PipelineError(.fault, operation: "read", file: file, reason: "\(error)")
    }
  }
}
