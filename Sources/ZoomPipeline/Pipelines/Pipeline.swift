public import SystemPackage
public import ZoomGeometry

/// What a source keeps of a picture between two reads.
public enum SourceState: String, Sendable, Hashable, Codable, Comparable {
  /// Nothing: every read opens the file anew.
  case nothing
  /// The open file and its header.
  case openFile
  /// Entry points into the coded data.
  case index
  /// All decoded pixels.
  case raster

  /// Orders states by how much they keep.
  public static func < (left: SourceState, right: SourceState) -> Bool {
    left.order < right.order
  }

  private var order: Int {
    switch self {
    case .nothing: 0
    case .openFile: 1
    case .index: 2
    case .raster: 3
    }
  }
}

/// An opened picture that answers requests for regions; may be asked from several threads.
public protocol RegionSource: AnyObject, Sendable {
  /// The picture's width and height as it is to be seen.
  var size: PixelSize { get }
  /// What is kept in memory now.
  var state: SourceState { get }
  /// What opening it read of the file, the header included, before the first request.
  var openingWork: Work { get }
  /// Why this source suits the picture, in one sentence without a full stop.
  var explanation: String { get }

  /// Reads exactly the requested region.
  /// - Parameter request: a region inside the picture; one outside is an error, never clamped.
  /// - Returns: its pixels and what they cost.
  /// - Throws: `PipelineError`, also when the file changed after it was opened.
  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer

  /// Drops what can be had again, so that the next read starts cold.
  func forget()
}

/// What was made ahead of the first request, once a picture.
public struct Preparation: Sendable, Hashable, Codable {
  /// Bytes on disk that the preparation takes.
  public let byteCount: Int
  /// Wall time it took, in nanoseconds.
  public let nanoseconds: UInt64

  /// Puts a preparation's figures together.
  /// - Parameters:
  ///   - byteCount: bytes on disk.
  ///   - nanoseconds: wall time.
  public init(byteCount: Int, nanoseconds: UInt64) {
    self.byteCount = byteCount
    self.nanoseconds = nanoseconds
  }
}

/// A way to get regions out of picture files.
public protocol Pipeline: Sendable {
  /// A short name, unique in a run: "naive", "indexed".
  var name: String { get }
  /// One line on how it works.
  var summary: String { get }
  /// Whether it promises the very bytes of a full decode.
  var isExact: Bool { get }

  /// Makes what must stand ready before a picture can be opened; nil when there is nothing.
  /// - Parameter path: the picture.
  /// - Returns: what was made, now or by an earlier call.
  /// - Throws: `PipelineError` when the picture cannot be decoded or the files not be written.
  func prepare(_ path: FilePath) throws(PipelineError) -> Preparation?

  /// Opens a picture.
  /// - Parameter path: the picture.
  /// - Returns: a source that answers requests for regions of it.
  /// - Throws: `PipelineError`; of code `unsupported` or `overBudget` when this pipeline cannot
  ///   serve this picture but another one may.
  func open(_ path: FilePath) throws(PipelineError) -> any RegionSource

  /// Says why this pipeline can serve a picture, without preparing anything.
  /// - Parameter path: the picture.
  /// - Returns: the reason, in one sentence without a full stop.
  /// - Throws: as `open` does.
  func assess(_ path: FilePath) throws(PipelineError) -> String
}

extension Pipeline {
  /// Exact, as every pipeline that decodes the picture itself should be.
  public var isExact: Bool { true }

  /// Nothing to prepare.
  public func prepare(_ path: FilePath) throws(PipelineError) -> Preparation? { nil }

  /// Opens the picture and asks the source.
  public func assess(_ path: FilePath) throws(PipelineError) -> String {
    try open(path).explanation
  }
}

/// A pipeline with limits of its own for the pictures that it opens by name.
package protocol LimitedPipeline: Pipeline {
  var limits: PictureLimits { get }
}

/// A pipeline that reads pictures which are open already, so that several can try one opening.
package protocol PicturePipeline: LimitedPipeline {
  func prepare(_ picture: Picture) throws(PipelineError) -> Preparation?
  func open(_ picture: Picture) throws(PipelineError) -> any RegionSource
  func assess(_ picture: Picture) throws(PipelineError) -> String
  /// What a peek at a region of an upright picture will cost; nil where it cannot be told.
  func cost(of region: PixelRegion, in picture: Picture) throws(PipelineError) -> PeekCost?
}

extension PicturePipeline {
  package func cost(
    of region: PixelRegion, in picture: Picture
  ) throws(PipelineError) -> PeekCost? {
    (try open(picture) as? any StoredSource)?.cost(of: try picture.storedRegion(for: region))
  }

  package func prepare(_ picture: Picture) throws(PipelineError) -> Preparation? { nil }

  package func assess(_ picture: Picture) throws(PipelineError) -> String {
    try open(picture).explanation
  }

  package func prepare(_ path: FilePath) throws(PipelineError) -> Preparation? {
    try prepare(try Picture(path, limits: limits))
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    try open(try Picture(path, limits: limits))
  }

  package func assess(_ path: FilePath) throws(PipelineError) -> String {
    try assess(try Picture(path, limits: limits))
  }
}
