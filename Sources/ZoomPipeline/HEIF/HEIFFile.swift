struct HEIFFile {
  /// The bytes of the `ftyp` box, its header included.
  let brands: [UInt8]
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
    do {
      try self.init(reading: file)
    } catch let error as PipelineError {
      throw error
    } catch let refusal as HEIFRefusal {
      throw PipelineError(
        .unsupported, operation: "carve", file: file.path, reason: refusal.reason)
    } catch {
      throw PipelineError(.fault, operation: "carve", file: file.path, reason: "\(error)")
    }
  }

  private init(reading file: some CodedSource) throws {
    var brands: [UInt8]?
    var meta: (bytes: [UInt8], offset: Int)?
    var start = 0
    for count in 0... {
      guard count < Self.mostBoxes else { throw HEIFRefusal("it has a great many boxes") }
      guard let box = try Self.box(at: start, of: file) else { break }
      switch box.type {
      case "ftyp":
        guard brands == nil, box.whole.count <= Self.mostBrands else {
          throw HEIFRefusal("its list of brands is unusual")
        }
        brands = try file.bytes(at: start, count: box.whole.count)
      case "meta":
        guard meta == nil else { throw HEIFRefusal("it has two tables of items") }
        guard box.content.count <= Self.mostMeta else {
          throw HEIFRefusal("its table of items takes more than \(Self.mostMeta.megabytes)")
        }
        let bytes = try file.bytes(at: box.content.lowerBound, count: box.content.count)
        guard bytes.count == box.content.count else {
          throw HEIFRefusal("its table of items is cut off")
        }
        meta = (bytes, box.content.lowerBound)
      case "moov": throw HEIFRefusal("it holds an image sequence")
      default: break
      }
      start = box.whole.upperBound
    }
    guard let brands, let meta else { throw HEIFRefusal("it has no table of items") }
    self.brands = brands
    self.meta = meta.bytes
    metaOffset = meta.offset
    length = file.length
  }

  static func box(at start: Int, of file: some CodedSource) throws -> Box? {
    let head = try file.bytes(at: start, count: 16)
    var reader = BoxReader(head)
    guard let short = try? reader.number(4), let type = try? reader.type() else { return nil }
    let size: Int
    switch short {
    case 0: size = file.length - start
    case 1:
      guard let long = try? reader.number(8) else { return nil }
      size = long
    default: size = short
    }
    guard size >= reader.position, size <= file.length - start else { return nil }
    return Box(
      type: type, whole: start..<start + size, content: start + reader.position..<start + size)
  }
}
