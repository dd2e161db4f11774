internal import Measurement
internal import Synchronization
public import SystemPackage
package import ZoomGeometry
public import ZoomPipeline

/// Somebody else's program as a pipeline: it answers the same requests as our sources, so that it can be measured,
/// verified and replayed like them.
///
/// Its answers are decoded here and held in the picture's form. What the program itself reads and decodes is not known.
public final class ForeignPipeline: LimitedPipeline {
  /// The name it was given.
  public let name: String
  /// How it is reached.
  public let summary: String
  /// What it was made from, as the command line would have it.
  public let description: String
  private let options: ForeignOptions
  private let adapter: any ForeignAdapter
  private let observations = ForeignObservations()
  /// Bound the memory that pictures and answers take.
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

  /// Throws where its program is not installed.
  package func assertInstalled() throws(PipelineError) {
    guard let refusal = adapter.program.flatMap(InstalledProgram.refusal) else { return }
    throw PipelineError(
      .notInstalled, operation: name, file: nil, reason: refusal.reason, advice: refusal.advice)
  }

  /// Sets the end of the run: after it every answer fails with `PipelineError.Code.outOfTime`, also one that is awaited.
  ///
  /// A program without a time limit of its own has a tenth of the time for one answer, so that one that hangs is found.
  package func endAnswers(at end: ContinuousClock.Instant) {
    options.runEnd.set(secondsFromNow: ContinuousClock.now.duration(to: end) / .seconds(1))
  }

  /// Whether any file can be named to it; a server knows its own.
  public var opensAnyFile: Bool { adapter.opensAnyFile }

  /// Whether every byte is to equal a full decode: not where it was said otherwise, or where answers come in a lossy
  /// format.
  public var isExact: Bool { !options.isLossy && observations.isLossy != true }

  /// How it is reached.
  public enum Kind: String, Sendable, CaseIterable { case command, worker, tiles, iiif, http }
  /// How it is reached.
  public let kind: Kind

  /// Whether it is an IIIF server, whose rules can be tried.
  public var isImageServer: Bool { kind == .iiif }

  /// The picture service behind it; nil unless it is an IIIF server.
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

  /// When the answers since the last call came; empty unless it is a server that is asked for regions.
  package func takeArrivals() -> [Arrival] { observations.takeArrivals() }

  /// Whether its answers come from processes of this machine, whose memory can be seen.
  package var runsHere: Bool { kind == .command || kind == .worker }

  /// The CPU time that its processes and their descendants have used so far, in nanoseconds; nil for servers and files, and
  /// if the system does not tell.
  package var processorTime: UInt64? { runsHere ? observations.processor.nanoseconds : nil }

  /// The most memory that a fresh process of it holds while it opens a picture and reads one region; nil for servers and
  /// files, and where the system does not tell.
  ///
  /// Processes that the process starts are not counted.
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

  /// Opens a picture, the first time with a request for some pixels, which show whether answers come in a lossy format.
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

/// The options of a program besides its address or command.
struct ForeignOptions: Sendable {
  /// Answers are not the picture's own samples.
  var isLossy = false
  /// The program turns pictures upright by their EXIF orientation.
  var isUpright = false
  /// Answers may begin earlier, at a block of the file; the region is their last rows and columns.
  var isAligned = false
  /// The time limit of one answer as the user gave it; nil for the usual one.
  var chosenSeconds: Double?
  /// Lines sent with each request to a server: "Authorization: Bearer ...".
  var headers: [String] = []
  /// The address space that a process may take, in bytes; nil without a limit.
  var memory: Int?
  /// How many requests a server is sent in a second, at most, while its rules are tried; nil without a limit.
  var rate: Double?
  /// How many requests its rules may take; nil for the usual number.
  var requests: Int?
  /// The end of the run; copies of the options share it.
  let runEnd = RunEnd()

  /// The time limit of one answer.
  var seconds: Double { chosenSeconds ?? min(60, runEnd.mostSeconds) }

  /// Whether the run shortens the limit so far that a program that works may miss it.
  var isShortened: Bool { chosenSeconds == nil && seconds < RunEnd.shortestTelling }

  /// The deadline of an answer that is asked for now.
  func deadline() -> AnswerDeadline {
    AnswerDeadline(seconds: seconds, end: runEnd.time, isShortened: isShortened)
  }

  /// How many pixels an answer may be wider and higher than the region: 32, an MCU of a JPEG, where it may begin earlier.
  var slack: Int { isAligned ? 32 : 0 }
}

/// A picture on a server, to which any request can be sent.
package struct PictureService: Sendable {
  package let address: String
  package let transport: any ServerTransport
  /// How many requests its owner allows; nil for the usual number.
  package let requests: Int?
  /// Whether the server turns pictures upright.
  package let isUpright: Bool
  package let isLossy: Bool
  /// Bound the memory that its answers take.
  package let limits: PictureLimits
}

/// One way to reach a program.
protocol ForeignAdapter: Sendable {
  /// One line on how it is reached.
  var summary: String { get }
  /// Whether it can be told to open any file of this machine.
  var opensAnyFile: Bool { get }
  /// The program that it runs on this machine; nil where it runs none.
  var program: String? { get }
  /// Makes ready to ask for regions of a picture.
  func open(
    _ picture: Picture, _ observations: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection
}

/// Asks a program for regions of one picture; used by one thread at a time.
protocol ForeignConnection: AnyObject, Sendable {
  /// What is kept between two answers.
  var state: SourceState { get }
  /// Asks for a region at 1:1, as the file stores it.
  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer
  /// Ends what can be started again.
  func forget()
}

extension ForeignAdapter {
  var program: String? { nil }
}

/// What a program answered.
struct ForeignAnswer: Sendable {
  var pixels: Pixels
  /// Whether it came in a format that loses something.
  var isLossy = false
}

/// A picture that a program reads for us.
private final class ForeignSource: RegionSource {
  private let picture: Picture
  private let connection: any ForeignConnection
  private let options: ForeignOptions
  private let observations: ForeignObservations
  /// One answer at a time: a process and a connection can give no more.
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
  /// A region, with an error that names the file where it cannot be.
  static func at(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, of file: FilePath
  ) throws(PipelineError) -> PixelRegion {
    do { return try PixelRegion(x: x, y: y, width: width, height: height) } catch {
      throw PipelineError(.fault, operation: "read", file: file, reason: "\(error)")
    }
  }
}
