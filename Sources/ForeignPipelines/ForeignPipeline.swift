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
  /// The ways to reach a program.
  public enum Kind: String, Sendable, CaseIterable { case command, worker, tiles, iiif, http }

  /// The name that the user gave it.
  public let name: String
  /// The way in which the program is reached.
  public let kind: Kind
  /// The description it was created from, as written on the command line.
  public let description: String
  /// The pipeline as an entry of a list, with its headers, which the description lacks.
  package let entry: PipelineEntry
  let options: ForeignOptions
  let adapter: ForeignAdapter
  let observations = ForeignObservations()
  package let limits: PictureLimits

  /// Creates a pipeline from the parts of its description.
  init(
    name: String, kind word: String, what: String, options words: [String], headers: [String] = [],
    description: String, limits: PictureLimits
  ) throws(PipelineArgumentError) {
    var options = ForeignOptions()
    options.headers = headers
    for option in words { try options.add(option, of: name) }
    guard let kind = Kind(rawValue: word) else {
      throw PipelineArgumentError("\(name): the kind '\(word)' is unknown (use \(Self.kinds))")
    }
    adapter = try ForeignAdapter(kind, what, of: name)
    entry = PipelineEntry(
      name: name, kind: word, what: what, options: words, headers: headers)
    (self.name, self.kind, self.description) = (name, kind, description)
    (self.options, self.limits) = (options, limits)
  }

  static let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")

  /// The way in which the program is reached, in one line.
  public var summary: String { adapter.summary }

  package func assertInstalled() throws(PipelineError) {
    guard let refusal = adapter.program.flatMap(InstalledProgram.refusal) else { return }
    throw PipelineError(
      .notInstalled, operation: name, file: nil, reason: refusal.reason, advice: refusal.advice)
  }

  /// Sets the end of the run, after which every answer fails with `PipelineError.Code.outOfTime`, also a
  /// pending one.
  ///
  /// Without a `time` option an answer has a tenth of the run, but at least 1 and at most 60 s, so
  /// that a program that hangs is found.
  package func endAnswers(at end: ContinuousClock.Instant) {
    options.runEnd.set(secondsFromNow: ContinuousClock.now.duration(to: end) / .seconds(1))
  }

  /// Whether answers come from processes of this machine, whose memory and CPU time can be measured.
  package var runsHere: Bool { kind == .command || kind == .worker }

  /// Whether the program can open any file of this machine; a server offers only its own pictures.
  public var opensAnyFile: Bool { runsHere }

  /// Whether every byte must equal a full decode: not with the options `lossy` and `colour`, or after a
  /// lossy answer.
  public var isExact: Bool {
    !options.isLossy && options.colour == nil && observations.isLossy != true
  }

  /// The colours that the program converts pictures to; nil without the option `colour`.
  public var colour: ColourTarget? { options.colour }

  /// Whether it is an IIIF server, which the rules of `IIIFRules` apply to.
  public var isImageServer: Bool { kind == .iiif }

  /// Returns the picture service that offers a file; nil unless the pipeline is an IIIF server.
  package func pictureService(of file: FilePath) -> PictureService? {
    adapter.service(of: file).map { address in
      PictureService(
        address: address, transport: HTTPTransport(address, options), requests: options.requests,
        isUpright: options.isUpright, isLossy: options.isLossy, limits: limits)
    }
  }

  /// Returns the times of the last answer once: nil if an earlier call has returned them, or if
  /// regions are not requested from a server one by one.
  package func takeArrival() -> Arrival? { observations.takeArrival() }

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
    let connection = try adapter.open(
      ForeignSession(picture: picture, options: options, observations: watching))
    defer { connection.forget() }
    let asked = options.isUpright ? region : try picture.storedRegion(for: region)
    _ = try connection.region(asked, until: options.deadline())
    return watching.peakResidentBytes
  }

  /// Opens a picture; the first time it also reads a corner, to learn whether the format is lossy.
  public func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    let picture = try Picture(path, limits: limits)
    if picture.file.isRemote, let program = adapter.program {
      throw PipelineError(
        .unsupported, operation: "open", file: path, reason: "\(program) reads local files only",
        advice: "download it")
    }
    let session = ForeignSession(
      picture: picture, options: options, observations: observations)
    let source = ForeignSource(session, try adapter.open(session), explanation: summary)
    guard !options.isLossy, observations.isLossy == nil else { return source }
    let side = { (length: Int) in min(length, 16) }
    let corner = try PixelRegion.at(
      0, 0, side(source.size.width), side(source.size.height), of: path)
    _ = try source.read(RegionRequest(corner))
    return source
  }
}

struct ForeignOptions: Sendable {
  /// Whether answers may differ from the picture's own samples.
  var isLossy = false
  /// Whether the program turns pictures upright by their EXIF orientation.
  var isUpright = false
  /// Whether answers may begin earlier, at a block of the file; the region is their last rows and columns.
  var isAligned = false
  /// The colours that answers are in; nil for samples as stored.
  var colour: ColourTarget?
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

/// A picture on an IIIF server, to which any IIIF request can be sent, not only requests for
/// regions.
package struct PictureService: Sendable {
  package let address: String
  package let transport: any ServerTransport
  /// The most requests that the user allows; nil for the default.
  package let requests: Int?
  package let isUpright: Bool
  package let isLossy: Bool
  package let limits: PictureLimits
}

/// A picture whose regions are read by another program.
private final class ForeignSource: RegionSource {
  private let session: ForeignSession
  private let connection: any ForeignConnection
  /// Serialises requests: a process or a connection answers one at a time.
  private let turn = Mutex<Void>(())
  let explanation: String
  let openingWork = Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: 0)

  init(_ session: ForeignSession, _ connection: any ForeignConnection, explanation: String) {
    (self.session, self.connection, self.explanation) = (session, connection, explanation)
  }

  var size: PixelSize { session.picture.size }
  var state: SourceState { turn.withLock { _ in connection.state } }
  func forget() { turn.withLock { _ in connection.forget() } }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let (picture, options) = (session.picture, session.options)
    return try request.answer(
      pictureSize: size, file: picture.path
    ) { region throws(PipelineError) in
      let asked = options.isUpright ? region : try picture.storedRegion(for: region)
      let answer = try turn.withLock { _ in
        Result { () throws(PipelineError) in
          try connection.region(asked, until: options.deadline())
        }
      }.get()
      session.observations.note(isLossy: answer.isLossy)
      let pixels = options.isAligned ? answer.pixels.end(asked.size) : answer.pixels
      guard pixels.size == asked.size else {
        throw session.error("\(answer.pixels.size) pixels were answered for region \(asked)")
      }
      let upright = options.isUpright ? pixels : pixels.upright(from: picture.orientation)
      return RegionAnswer(
        pixels: upright.converted(to: picture.form(in: options.colour)),
        work: Work(bytesRead: nil, pixelsDecoded: nil, pixelsDelivered: region.area),
        colour: options.colour)
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

/// Observations of a program while it answers, shared by all connections of a pipeline.
final class ForeignObservations: Sendable {
  private struct Seen {
    var isLossy: Bool?
    var arrival: ForeignPipeline.Arrival?
    var peakResidentBytes: UInt64?
  }
  private let seen = Mutex(Seen())
  let processor = ProcessorAccount()
  /// Whether the memory of processes is sampled every millisecond while they work, which costs time.
  let watchesMemory: Bool

  init(watchesMemory: Bool = false) { self.watchesMemory = watchesMemory }

  /// Whether any answer came in a lossy format; nil before the first answer.
  var isLossy: Bool? { seen.withLock { $0.isLossy } }

  func note(isLossy: Bool) {
    seen.withLock { $0.isLossy = isLossy || $0.isLossy == true }
  }

  /// The most memory that one process held, in bytes.
  var peakResidentBytes: UInt64? { seen.withLock { $0.peakResidentBytes } }

  func note(residentBytes: UInt64) {
    seen.withLock { $0.peakResidentBytes = max($0.peakResidentBytes ?? 0, residentBytes) }
  }

  func note(_ arrival: ForeignPipeline.Arrival) { seen.withLock { $0.arrival = arrival } }

  /// Returns the last arrival; nil if an earlier call has returned it.
  func takeArrival() -> ForeignPipeline.Arrival? {
    seen.withLock { seen in
      defer { seen.arrival = nil }
      return seen.arrival
    }
  }
}

extension ForeignPipeline {
  /// The times of a server's answer in nanoseconds since the request, as libcurl measured them.
  package struct Arrival: Sendable, Hashable {
    /// The time when the connection was made; 0 if it was already open.
    package var connected: UInt64
    package var firstByte: UInt64
    package var lastByte: UInt64
  }
}
