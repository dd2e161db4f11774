internal import ZoomGeometry

/// A reader of one format that decodes only the coded parts that a region needs.
///
/// It plans which parts a region needs, carves them out into small files of the picture's format,
/// and has these decoded as the whole file would be. `PartialPipeline` lists the readers.
protocol RegionReader: Sendable {
  /// The entry points that peeks find; nil for a format whose own tables suffice.
  var index: (any EntryIndex)? { get }

  /// The way to a region's parts: "table", "parser", "index in memory" or "stored index".
  var method: String { get }

  /// A description of the method in one sentence without a full stop; by default, of the index.
  var explanation: String { get }

  /// The bytes read of a stored index when the picture was opened.
  var storedBytesRead: Int { get }

  func cost(of stored: PixelRegion) -> PeekCost

  /// Returns what a source keeps that reads the region at a high cost.
  func keptUnit(of stored: PixelRegion) -> KeptUnit

  /// Plans a region, in stored pixels, and extends the index as far as the plan needs.
  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan

  /// Plans a region of whole blocks for a decoder that reduces; nil if it cannot.
  func plan(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionPlan?

  /// Carves a band.
  /// - Returns: nil if the file is irregular there, or has changed; libvips must read it then.
  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile?

  /// Decodes a band's pixels from its carved file into memory of exactly their size.
  /// - Returns: false if the file decodes to another kind of picture than the whole.
  func decode(
    _ file: CarvedFile, _ band: RegionBand, of picture: Picture,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Bool
}

/// Positions in coded data at which decoding can start: an index of MCUs or of rows.
///
/// It grows as far as peeks need it, and is safe to use from several threads at once.
protocol EntryIndex: Sendable {
  /// The origin of the entry points, in one sentence without a full stop.
  var summary: String { get }

  /// The index, found with the picture, that holds all points; nil if peeks find them.
  var stored: Sidecar? { get }

  /// Whether the index knows more than the start of the data.
  var hasGrown: Bool { get }

  /// Extends the index to all of the data.
  /// - Throws: `PipelineError` with code `unsupported` when the coded data is irregular.
  func completeIndex() throws(PipelineError)

  func forget()
}

/// The rows that a source keeps of a picture whose peeks cost too much.
enum KeptUnit: Equatable {
  /// The rows that a read of the region decodes, at least in part.
  case rows(Range<Int>)
  /// All rows, decoded by parts.
  case parts
  /// All rows, decoded by libvips, which is faster than decoding all parts.
  case whole
}

struct RegionPlan: Sendable {
  /// The bands of the region from the top; nil if the data is irregular.
  var bands: [RegionBand]?
  /// The work of extending the index.
  var work = Work.none
  /// Whether bands are decoded at once; otherwise one after the other, to bound the memory.
  var isParallel = false
}

/// A part of a region as wide as the region, in stored pixels.
struct RegionBand: Sendable, Hashable {
  let region: PixelRegion
  /// The reduction by the decoder.
  var reduction = Reduction.none
  /// The MCUs of a JPEG; nil for other formats.
  var window: WindowPlan?
}

/// A small file of a picture's format with only the coded parts of a region.
///
/// libvips decodes it as it does the whole file, with the same conversions. Where it would convert
/// nothing, its pixels are copied.
struct CarvedFile: Sendable {
  let bytes: [UInt8]
  /// The region's position in the small file, in pixels.
  let region: PixelRegion
  let work: Work
  /// The start in `bytes` of the region's pixels, row by row, if libvips would return them as they
  /// are; nil if it has to decode or convert them.
  var pixelStart: Int?
}

extension RegionReader {
  var index: (any EntryIndex)? { nil }

  var storedBytesRead: Int { 0 }

  var method: String {
    index.map { $0.stored == nil ? "index in memory" : "stored index" } ?? "table"
  }

  var explanation: String { index?.summary ?? method }

  func keptUnit(of stored: PixelRegion) -> KeptUnit { .parts }

  func plan(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionPlan? { nil }

  func decode(
    _ file: CarvedFile, _ band: RegionBand, of picture: Picture,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Bool {
    if let start = file.pixelStart {
      _ = unsafe target.update(fromContentsOf: file.bytes[start..<start + target.count])
      return true
    }
    guard let image = try? Image.open(carved: file.bytes, from: picture),
      image.bands == picture.bands, (try? image.format) == picture.format,
      image.interpretation == picture.interpretation
    else { return false }
    return (try? unsafe image.read(file.region, into: target, of: picture.path)) != nil
  }
}

extension RegionPlan {
  init(_ regions: [PixelRegion]) { bands = regions.map { RegionBand(region: $0) } }
}

/// The usual size of a band of rows in bytes.
///
/// A band's raster, its small file and its pixels are in memory beside the region. Entering the
/// data once more costs little compared with decoding that many bytes.
let bandBytes = 8 << 20

/// The largest band in bytes; other sources read pictures with longer rows.
let mostBandBytes = 4 * bandBytes

extension PixelRegion {
  /// Returns bands that end at the picture's rows whose number is a multiple of `height`.
  func bands(ofRows height: Int) -> [PixelRegion] {
    let cuts = [y] + stride(from: (y / height + 1) * height, to: maxY, by: height) + [maxY]
    return zip(cuts, cuts.dropFirst()).map { rows($0..<$1) }
  }

  /// Returns bands for entry points every `spacing` rows, with `rowBytes` wanted bytes per row.
  ///
  /// Bands begin at entry points, so that no row above a band is decoded for it. If the rows
  /// between two entry points exceed `bandBytes`, they are divided too, into at most eight bands,
  /// because each band decodes the rows above it again.
  func bands(ofRowBytes rowBytes: Int, enteredEvery spacing: Int) -> [PixelRegion] {
    let rows = bandBytes / rowBytes
    return bands(ofRows: rows >= spacing ? rows / spacing * spacing : max(rows, spacing / 8, 1))
  }
}
