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

  /// Reads the boxes of a file; throws `unsupported` unless it has one table of items.
  init(_ file: some CodedSource) throws(PipelineError) {
    let boxes = try Self.boxes(of: file, most: Self.mostBoxes)
    guard boxes.count <= Self.mostBoxes else { throw file.refusal("it has a great many boxes") }
    guard !boxes.contains(where: { $0.type == "moov" }) else {
      throw file.refusal("it holds an image sequence")
    }
    let lists = boxes.filter { $0.type == "ftyp" }
    let tables = boxes.filter { $0.type == "meta" }
    guard lists.count == 1, lists[0].whole.count <= Self.mostBrands else {
      throw file.refusal("its list of brands is unusual")
    }
    guard tables.count == 1 else {
      throw file.refusal("it lacks a table of items, or has two")
    }
    let table = tables[0].content
    guard table.count <= Self.mostMeta else {
      throw file.refusal("its table of items takes more than \(Self.mostMeta.megabytes)")
    }
    brands = try file.bytes(at: lists[0].whole.lowerBound, count: lists[0].whole.count)
    meta = try file.bytes(at: table.lowerBound, count: table.count)
    guard meta.count == table.count else { throw file.refusal("its table of items is cut off") }
    metaOffset = table.lowerBound
    length = file.length
  }

  /// Returns the boxes of a file; more than `most` if it has more.
  ///
  /// Stops at the first invalid box, as libheif (1.15) does: some writers append other data.
  static func boxes(of file: some CodedSource, most: Int) throws(PipelineError) -> [Box] {
    var boxes: [Box] = []
    while boxes.count <= most {
      let start = boxes.last?.whole.upperBound ?? 0
      var reader = BoxReader(try file.bytes(at: start, count: 16))
      guard let box = try? reader.header(at: start, of: file.length - start) else { break }
      boxes.append(box)
    }
    return boxes
  }
}
