/// The boxes of a HEIF file that carving needs.
struct HEIFFile {
  /// The bytes of the `ftyp` box, its header included.
  let brands: [UInt8]
  /// The content of the `meta` box.
  let meta: [UInt8]
  /// The offset of that content in the file.
  let metaOffset: Int
  let length: Int

  /// The largest `meta` box that is read: 1,000 tiles take 50 kB, the largest number of tiles 8 MB.
  static let mostMeta = 16_000_000
  private static let mostBrands = 4096
  /// Writers make three to ten boxes; a file of a million empty ones is made to waste time.
  private static let mostBoxes = 256

  /// Reads the boxes of a file.
  ///
  /// Stops at the first invalid box, as libheif (1.15) does: some writers append other data.
  init(_ file: some CodedSource) throws(PipelineError) {
    var brands: [UInt8]?
    var meta: (bytes: [UInt8], offset: Int)?
    var start = 0
    for count in 0... {
      guard count < Self.mostBoxes else { throw file.refusal("it has a great many boxes") }
      guard let box = try Self.box(at: start, of: file) else { break }
      switch box.type {
      case "ftyp":
        guard brands == nil, box.whole.count <= Self.mostBrands else {
          throw file.refusal("its list of brands is unusual")
        }
        brands = try file.bytes(at: start, count: box.whole.count)
      case "meta":
        guard meta == nil else { throw file.refusal("it has two tables of items") }
        guard box.content.count <= Self.mostMeta else {
          throw file.refusal("its table of items takes more than \(Self.mostMeta.megabytes)")
        }
        let bytes = try file.bytes(at: box.content.lowerBound, count: box.content.count)
        guard bytes.count == box.content.count else {
          throw file.refusal("its table of items is cut off")
        }
        meta = (bytes, box.content.lowerBound)
      case "moov": throw file.refusal("it holds an image sequence")
      default: break
      }
      start = box.whole.upperBound
    }
    guard let brands, let meta else { throw file.refusal("it lacks a table of items") }
    self.brands = brands
    self.meta = meta.bytes
    metaOffset = meta.offset
    length = file.length
  }

  /// Returns the box at an offset; nil if it is invalid.
  static func box(
    at start: Int, of file: some CodedSource
  ) throws(PipelineError) -> Box? {
    var reader = BoxReader(try file.bytes(at: start, count: 16))
    return try? reader.header(at: start, of: file.length - start)
  }
}
