package import ForeignPipelines
internal import ZoomGeometry
package import ZoomPipeline

/// Tries the rules of the IIIF Image API on one picture of a server.
///
/// It requests the information, then pictures from a `RequestDeck`, and checks every answer against all
/// rules. It shrinks the request of each violation and searches for the cause.
package struct IIIFVerifier: Sendable {
  let transport: any ServerTransport
  /// The service's address, which info.json must state; nil if it is unknown.
  let address: String?
  let picture: Pixels
  let seed: UInt64
  /// The most requests before the search for faults ends; shrinking takes up to 60 more for each.
  let mostRequests: Int
  /// Whether the server's files are known to be lossy, so that answers need not equal the full decode.
  let isLossy: Bool
  let mostFindings: Int
  let limits: PictureLimits
  /// The end of the run; nil to send all requests.
  let end: ContinuousClock.Instant?
  /// The pause between two checks whether a server that is down is up again.
  var outagePause: Duration = .milliseconds(250)
  /// Reports the progress, from 0 to 1, and the current request.
  let progress: @Sendable (Double, String) -> Void

  /// Creates a verifier for a server.
  ///
  /// - Parameters:
  /// - transport: the connection to the server.
  /// - address: the service's address, which info.json must state; nil if it is unknown.
  /// - pixels: a full decode of the server's picture: 8-bit grey or colour.
  /// - seed: determines the random requests.
  /// - mostRequests: the most requests before the search ends.
  /// - mostFindings: the number of findings after which it ends.
  /// - isLossy: whether lossless answers may differ from the full decode.
  /// - limits: the limits of the memory that answers take.
  /// - end: the end of the run; nil to send all requests.
  /// - progress: is called with the progress, from 0 to 1, and the current request.
  /// - Throws: `ServerFailure` if the picture cannot be compared.
  package init(
    _ transport: any ServerTransport, address: String? = nil, picture pixels: Pixels, seed: UInt64,
    mostRequests: Int = 200, mostFindings: Int = .max, isLossy: Bool = false,
    limits: PictureLimits = .standard, until end: ContinuousClock.Instant? = nil,
    progress: @escaping @Sendable (Double, String) -> Void = { _, _ in }
  ) throws(ServerFailure) {
    guard let raster = Pixels(comparable: pixels), raster.bands == 1 || raster.bands == 3 else {
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

  /// Sends all requests, unless enough is found or the run ends before.
  ///
  /// - Throws: `PipelineError` if no temporary file can be written.
  package func run() throws(PipelineError) -> IIIFReport {
    var run = try run(mostPixels: RequestDeck.mostPixels)
    return run.all()
  }

  /// Sends one request again and reports the defects of its answer.
  ///
  /// - Parameter request: "region/size/rotation/quality.format", as a finding states it.
  /// - Returns: a report on this request alone.
  /// - Throws: `PipelineError` if no temporary file can be written.
  package func replay(_ request: IIIFRequest) throws(PipelineError) -> IIIFReport {
    // A user may request the whole picture.
    var run = try run(mostPixels: max(picture.width * picture.height, RequestDeck.mostPixels))
    return run.one(request)
  }

  private func run(mostPixels: Int) throws(PipelineError) -> IIIFRun {
    IIIFRun(
      verifier: self, decoder: try AnswerDecoder(mostPixels: mostPixels, limits: limits),
      size: picture.size, mostPixels: mostPixels)
  }
}
