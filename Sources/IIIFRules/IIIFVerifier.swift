package import ForeignPipelines
internal import ZoomGeometry
package import ZoomPipeline

/// Tries the rules of the IIIF Image API on one picture of a server.
///
/// It asks for the information first, then for pictures by a `RequestDeck`, and holds every answer against all rules
/// at once. What is wrong is shrunk and its cause looked for.
package struct IIIFVerifier: Sendable {
  let transport: any ServerTransport
  /// The service's address, which info.json has to name; nil where it is not known.
  let address: String?
  /// A full decode of the picture that the server has.
  let picture: Raster
  let seed: UInt64
  /// How many requests it may send before it stops looking for faults; shrinking takes up to 60 more each.
  let mostRequests: Int
  /// Whether the server's files are known to be lossy, so that answers need not equal the full decode.
  let isLossy: Bool
  /// After so many findings it stops.
  let mostFindings: Int
  /// Bound the memory that answers take.
  let limits: PictureLimits
  /// When it stops; nil for when it has sent all its requests.
  let end: ContinuousClock.Instant?
  /// How long it waits between two looks whether a server that is down is up again.
  var outagePause: Duration = .milliseconds(250)
  /// Tells how far it is, from 0 to 1, and at what.
  let progress: @Sendable (Double, String) -> Void

  /// A verifier for a server.
  ///
  /// - Parameters:
  ///   - transport: the way to the server.
  ///   - address: the service's, which info.json has to name; nil where it is not known.
  ///   - pixels: a full decode of the picture that it has: 8-bit grey or colour.
  ///   - seed: chooses the random requests.
  ///   - mostRequests: after so many it looks no further.
  ///   - mostFindings: after so many, too.
  ///   - isLossy: answers in a lossless format need not equal the full decode.
  ///   - limits: bound the memory that answers take.
  ///   - end: when it stops, whatever is left; nil for when all requests are sent.
  ///   - progress: told how far it is, from 0 to 1, and what it tries.
  /// - Throws: `ServerFailure` where the picture cannot be compared.
  package init(
    _ transport: any ServerTransport, address: String? = nil, picture pixels: Pixels, seed: UInt64,
    mostRequests: Int = 200, mostFindings: Int = .max, isLossy: Bool = false,
    limits: PictureLimits = .standard, until end: ContinuousClock.Instant? = nil,
    progress: @escaping @Sendable (Double, String) -> Void = { _, _ in }
  ) throws(ServerFailure) {
    guard let raster = Raster(pixels), raster.bands == 1 || raster.bands == 3 else {
      throw ServerFailure("only 8-bit pictures in grey or colour without alpha are compared")
    }
    picture = raster
    self.transport = transport
    self.address = address
    self.seed = seed
    self.mostRequests = mostRequests
    self.isLossy = isLossy
    self.mostFindings = mostFindings
    self.limits = limits
    self.end = end
    self.progress = progress
  }

  /// Runs to the end of its requests.
  ///
  /// - Throws: `PipelineError` where no temporary file can be written.
  package func run() throws(PipelineError) -> IIIFReport {
    var run = try run(mostPixels: RequestDeck.mostPixels)
    return run.all()
  }

  /// Sends one request again and says what is wrong with its answer; nothing where all is right.
  ///
  /// - Parameter request: as a finding has it: "region/size/rotation/quality.format".
  /// - Returns: a report on this request alone.
  /// - Throws: `PipelineError` where no temporary file can be written.
  package func replay(_ request: IIIFRequest) throws(PipelineError) -> IIIFReport {
    // A user's request may be for the whole picture.
    var run = try run(mostPixels: max(picture.width * picture.height, RequestDeck.mostPixels))
    return run.one(request)
  }

  private func run(mostPixels: Int) throws(PipelineError) -> IIIFRun {
    guard let size = picture.pixels?.size else { preconditionFailure("a raster has pixels") }
    return IIIFRun(
      verifier: self, decoder: try AnswerDecoder(mostPixels: mostPixels, limits: limits),
      size: size, mostPixels: mostPixels)
  }
}
