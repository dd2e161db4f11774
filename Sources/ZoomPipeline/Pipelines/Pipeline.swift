public import SystemPackage
public import ZoomGeometry

/// The data of a picture that a source keeps between two reads.
public enum SourceState: String, Sendable, Hashable, Codable, Comparable {
  /// Nothing: every read opens the file again.
  case nothing
  /// The open file and its header, or also some decoded rows.
  case openFile
  /// Entry points into the coded data.
  case index
  /// All decoded pixels.
  case raster

  /// Orders states by how much they keep.
  public static func < (left: SourceState, right: SourceState) -> Bool {
    let order = [nothing, openFile, index, raster]
    return order.prefix { $0 != left }.count < order.prefix { $0 != right }.count
  }
}

/// An opened picture that answers requests for regions, from any number of threads.
public protocol RegionSource: AnyObject, Sendable {
  /// The size of the upright picture in pixels.
  var size: PixelSize { get }
  /// The data that is in memory at present.
  var state: SourceState { get }
  /// The work of opening the file, its header included, before the first request.
  var openingWork: Work { get }
  /// Why this source suits the picture, in one sentence without a full stop.
  var explanation: String { get }

  /// Reads exactly the requested region.
  /// - Parameter request: a region inside the picture; one outside is an error, never clamped.
  /// - Returns: its pixels and what they cost.
  /// - Throws: `PipelineError`, also when the file changed after it was opened.
  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer

  /// Returns the reductions of the copies in the file that requests with `usesStoredLevels` may
  /// use, the largest factor first; none by default.
  /// - Throws: `PipelineError` if the file cannot be read.
  func storedReductions() throws(PipelineError) -> [Reduction]

  /// Drops cached data, so that the next read starts cold.
  func forget()
}

extension RegionSource {
  /// Returns no reductions: by default a source uses no copies.
  public func storedReductions() throws(PipelineError) -> [Reduction] { [] }
}

/// A method of reading regions of picture files.
public protocol Pipeline: Sendable {
  /// A short name, unique in a run: "naive", "partial".
  var name: String { get }
  /// A description of the method in one line.
  var summary: String { get }
  /// Whether it returns the pixels of a full decode byte for byte.
  var isExact: Bool { get }
  /// The colours that it converts pictures to; nil for pixels as stored.
  var colour: ColourTarget? { get }

  /// Opens a picture.
  /// - Throws: `PipelineError`; `unsupported` or `overBudget` if another pipeline may work.
  func open(_ path: FilePath) throws(PipelineError) -> any RegionSource
}

extension Pipeline {
  /// Whether it returns the pixels of a full decode; true by default.
  public var isExact: Bool { true }
  /// No conversion by default.
  public var colour: ColourTarget? { nil }
}

/// A pipeline with limits for the pictures that it opens by name.
package protocol LimitedPipeline: Pipeline {
  var limits: PictureLimits { get }
}

/// A pipeline that reads pictures which are already open, so that several can share one opening.
package protocol PicturePipeline: LimitedPipeline {
  func open(_ picture: Picture) throws(PipelineError) -> any RegionSource
  /// Returns the cost of a peek at a region of an upright picture; nil if it cannot be known.
  func cost(of region: PixelRegion, in picture: Picture) throws(PipelineError) -> PeekCost?
}

extension PicturePipeline {
  package func cost(
    of region: PixelRegion, in picture: Picture
  ) throws(PipelineError) -> PeekCost? {
    (try open(picture) as? any StoredSource)?.cost(of: try picture.storedRegion(for: region))
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    try open(try Picture(path, limits: limits))
  }
}
