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
  /// The number of findings after which the search ends.
  let mostFindings: Int
  let limits: PictureLimits
  /// The end of the run; nil to send all requests.
  let end: ContinuousClock.Instant?
  /// The pause between two checks whether a server that is down is up again.
  var outagePause: Duration = .milliseconds(250)
  /// Reports the progress, from 0 to 1, and the current request.
  let progress: @Sendable (Double, String) -> Void

  /// Creates a verifier for a server; `pixels` is a full decode of its picture, 8-bit grey or colour.
  ///
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
    (self.transport, self.address, picture, self.seed) = (transport, address, raster, seed)
    (self.mostRequests, self.mostFindings) = (mostRequests, mostFindings)
    (self.isLossy, self.limits, self.end, self.progress) = (isLossy, limits, end, progress)
  }

  /// Sends all requests, unless enough is found or the run ends before.
  ///
  /// - Throws: `PipelineError` if no temporary file can be written.
  package func run() throws(PipelineError) -> IIIFReport {
    var run = try IIIFRun(self, mostPixels: RequestDeck.mostPixels)
    return run.all()
  }

  /// Sends one request again and reports the defects of its answer.
  ///
  /// - Parameter request: "region/size/rotation/quality.format", as a finding states it.
  /// - Returns: a report on this request alone.
  /// - Throws: `PipelineError` if no temporary file can be written.
  package func replay(_ request: IIIFRequest) throws(PipelineError) -> IIIFReport {
    // A user may request the whole picture.
    let mostPixels = max(picture.size.area, RequestDeck.mostPixels)
    var run = try IIIFRun(self, mostPixels: mostPixels)
    return run.one(request)
  }
}
