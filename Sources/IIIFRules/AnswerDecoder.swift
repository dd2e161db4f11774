internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The content type of a picture file, detected from its first bytes.
struct CodedForm: Sendable {
  let type: String

  init?(_ bytes: [UInt8]) {
    func starts(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: magic)
    }
    if starts([0xFF, 0xD8, 0xFF]) {
      type = "image/jpeg"
    } else if starts([0x89] + Array("PNG\r\n".utf8)) {
      type = "image/png"
    } else if starts(Array("II*\0".utf8)) || starts(Array("MM\0*".utf8)) {
      type = "image/tiff"
    } else if starts(Array("GIF8".utf8)) {
      type = "image/gif"
    } else if starts(Array("WEBP".utf8), at: 8) {
      type = "image/webp"
    } else if starts(Array("jP  ".utf8), at: 4) {
      type = "image/jp2"
    } else if starts(Array("%PDF".utf8)) {
      type = "application/pdf"
    } else if starts(Array("ftypavi".utf8), at: 4) {
      type = "image/avif"
    } else if starts([0xFF, 0x0A]) || starts(Array("JXL ".utf8), at: 4) {
      type = "image/jxl"
    } else {
      return nil
    }
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

  /// Creates a decoder of answers with at most `mostPixels`; the header of a larger answer refuses it.
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
    let file = scratch.path.appending("answer")
    do {
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
      let picture = try Picture(file, limits: limits)
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
        throw Undecodable(description: "its pixels are not those of its header", isOurs: true)
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
