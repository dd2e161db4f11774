internal import ForeignPipelines
internal import ZoomGeometry
internal import ZoomPipeline

/// The content type of a picture file, detected from its first bytes.
struct CodedForm: Sendable {
  let type: String

  /// The bytes at an offset by which files of a type are recognised.
  private static let marks: [(offset: Int, bytes: [UInt8], type: String)] = [
    (0, [0xFF, 0xD8, 0xFF], "image/jpeg"), (0, [0x89] + Array("PNG\r\n".utf8), "image/png"),
    (0, Array("II*\0".utf8), "image/tiff"), (0, Array("MM\0*".utf8), "image/tiff"),
    (0, Array("GIF8".utf8), "image/gif"), (8, Array("WEBP".utf8), "image/webp"),
    (4, Array("jP  ".utf8), "image/jp2"), (0, Array("%PDF".utf8), "application/pdf"),
    (4, Array("ftypavi".utf8), "image/avif"), (0, [0xFF, 0x0A], "image/jxl"),
    (4, Array("JXL ".utf8), "image/jxl"),
  ]

  init?(_ bytes: [UInt8]) {
    let mark = Self.marks.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    guard let mark else { return nil }
    type = mark.type
  }

  /// Whether the format may change samples.
  var isLossy: Bool { !["image/png", "image/tiff"].contains(type) }
}

/// Decodes answers one at a time, as stored: a server that turned the pixels may have kept the tag.
struct AnswerDecoder: Sendable {
  struct Decoded: Sendable {
    let raster: Pixels
    let isLossy: Bool
  }

  struct Undecodable: Error, CustomStringConvertible {
    let description: String
    /// Whether the picture may be valid but cannot be read here.
    var isOurs = false
  }

  /// The most pixels of an answer; a small file may contain far more.
  private let mostPixels: Int
  private let limits: PictureLimits

  /// Formats that the trusted loaders of some libvips builds cannot read.
  private static let unread: Set = ["image/jp2", "application/pdf", "image/avif", "image/jxl"]

  private let scratch: ScratchFolder

  /// Creates a decoder of answers with at most `mostPixels`; a larger answer is refused after its
  /// header is read.
  init(mostPixels: Int, limits: PictureLimits) throws(PipelineError) {
    (self.mostPixels, self.limits) = (mostPixels, limits)
    scratch = try ScratchFolder()
  }

  func decode(_ bytes: [UInt8]) throws(Undecodable) -> Decoded {
    guard let form = CodedForm(bytes) else {
      let start = String(decoding: bytes.prefix(60), as: UTF8.self)
      throw Undecodable(
        description: bytes.isEmpty
          ? "an empty body" : "it starts with \(start.debugDescription)")
    }
    do {
      let picture = try Picture(scratch.write(bytes), limits: limits)
      guard picture.storedSize.area <= mostPixels else {
        throw Undecodable(
          description: "it has \(picture.storedSize) pixels, far more than were asked for")
      }
      guard picture.format == .uint8, (1...4).contains(picture.bands) else {
        throw Undecodable(
          description: "\(picture.bands) bands of \(picture.format.rawValue) are not compared",
          isOurs: true)
      }
      guard let raster = Pixels(comparable: try picture.storedPixels()) else {
        throw Undecodable(description: "its pixels differ from its header", isOurs: true)
      }
      return Decoded(raster: raster, isLossy: form.isLossy)
    } catch let error as Undecodable {
      throw error
    } catch let error as PipelineError {
      throw Undecodable(
        description: error.reason,
        isOurs: Self.unread.contains(form.type) || error.code == .overBudget)
    } catch { throw Undecodable(description: "\(error)") }
  }
}
