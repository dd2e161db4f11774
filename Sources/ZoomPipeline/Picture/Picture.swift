internal import CVips
public import SystemPackage
public import ZoomGeometry

/// A picture file's header: what can be known of it without decoding a pixel.
public struct Picture: Sendable {
  /// How libvips can reach a region of this format.
  public enum Reach: String, Sendable, Hashable, Codable {
    /// Parts can be read alone: tiled TIFF, JPEG 2000 with tiles, raw formats.
    case regions
    /// The coded data runs from the top down: JPEG, PNG, WebP, stripped TIFF.
    case fromTheTop
  }

  /// The file.
  public let path: FilePath
  /// Its version when the header was read.
  public let version: FileVersion
  /// libvips' loader for it, such as "jpegload".
  public let loader: String
  /// Width and height as the file stores them.
  public let storedSize: PixelSize
  /// The EXIF orientation that turns it upright.
  public let orientation: Orientation
  /// Samples a pixel.
  public let bands: Int
  /// How a sample is stored.
  public let format: SampleFormat
  /// What the bands mean.
  public let interpretation: ColourInterpretation
  /// Whether regions can be read alone.
  public let reach: Reach
  /// Whether the coded data comes in passes over the whole picture (progressive, interlaced).
  public let isInterlaced: Bool
  /// The length of the embedded ICC profile in bytes; 0 without one.
  public let profileLength: Int

  /// 16 TB: a hundred times the largest picture that formats here can hold, and far from overflow.
  private static let largestRaster = 1 << 44
  /// Spectral pictures have hundreds; a header that claims millions is an attack.
  private static let mostBands = 4096

  /// Width and height as it is to be seen.
  public var size: PixelSize { orientation.uprightSize(ofStored: storedSize) }

  /// The bytes of the decoded picture.
  public var rasterByteCount: Int { storedSize.area * bands * format.byteCount }

  /// Reads a picture's header.
  /// - Parameter path: the file.
  /// - Throws: `PipelineError`: `noSuchFile`, `unreadable`, `notAPicture` or `damaged`.
  public init(_ path: FilePath) throws(PipelineError) {
    let version = try FileVersion(of: path)
    guard version.length > 0 else {
      throw PipelineError(
        .notAPicture, operation: "open", file: path, reason: "the file is empty (0 bytes)",
        advice: "get a whole copy of the file")
    }
    // libvips would call a file without permission damaged.
    _ = try FileReader(path)
    let image = try Image.open(path, access: .sequential)
    try self.init(path, version: version, header: image)
  }

  init(_ path: FilePath, version: FileVersion, header image: Image) throws(PipelineError) {
    self.path = path
    self.version = version
    storedSize = try image.size
    bands = image.bands
    format = try image.format
    // Every product of sides, bands and sample size below is one of these factors or less.
    let (raster, overflow) = storedSize.area.multipliedReportingOverflow(
      by: bands * format.byteCount)
    guard !overflow, raster <= Self.largestRaster, bands <= Self.mostBands else {
      throw PipelineError(
        .unsupported, operation: "open", file: path,
        reason: "\(storedSize) with \(bands) bands is more than zoombench reads",
        advice: "use a picture of at most \(Self.mostBands) bands and 16 TB of pixels")
    }
    interpretation = image.interpretation
    let header = unsafe image.withPointer { pointer in
      var name: UnsafePointer<CChar>?
      let named =
        unsafe vips_image_get_typeof(pointer, VIPS_META_LOADER) != 0
        && vips_image_get_string(pointer, VIPS_META_LOADER, &name) == 0
      var profile: UnsafeRawPointer?
      var profileLength = 0
      if unsafe vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0 {
        _ = unsafe vips_image_get_blob(pointer, VIPS_META_ICC_NAME, &profile, &profileLength)
      }
      let interlaced = ["interlaced", "jpeg-multiscan"].contains { (field: String) in
        var value: Int32 = 0
        return unsafe vips_image_get_typeof(pointer, field) != 0
          && vips_image_get_int(pointer, field, &value) == 0 && value != 0
      }
      return unsafe (
        loader: named ? name.map { unsafe String(cString: $0) } ?? "unknown" : "unknown",
        orientation: Int(vips_image_get_orientation(pointer)), profileLength: profileLength,
        interlaced: interlaced
      )
    }
    // libvips names the loader by how it was handed the bytes: "jpegload_source", "jpegload".
    loader = String(header.loader.split(separator: "_").first ?? "unknown")
    // libvips gives 1 for a missing or senseless tag.
    orientation = Orientation(rawValue: header.orientation) ?? .up
    profileLength = header.profileLength
    isInterlaced = header.interlaced
    let flags = unsafe path.withPlatformString { name in
      unsafe vips_foreign_find_load(name).map { loader in
        unsafe vips_foreign_flags(loader, name).rawValue
      }
    }
    vips_error_clear()
    // libvips calls an interlaced PNG partial because it decodes all of it into memory.
    let isPartial = (flags ?? 0) & VIPS_FOREIGN_PARTIAL.rawValue != 0
    reach = isPartial && !isInterlaced ? .regions : .fromTheTop
  }

  /// Throws when the file is not the one whose header was read.
  func assertUnchanged() throws(PipelineError) {
    guard try FileVersion(of: path).hasSameContent(as: version) else {
      throw PipelineError(
        .changed, operation: "read", file: path, reason: "the file changed after it was opened",
        advice: "open it again")
    }
  }

  /// Throws when the region does not lie inside the upright picture; otherwise maps it to the file.
  func storedRegion(for region: PixelRegion) throws(PipelineError) -> PixelRegion {
    guard region.isInside(size) else {
      throw PipelineError.outside(region, of: size, file: path)
    }
    do {
      return try orientation.storedRegion(forUpright: region, storedSize: storedSize)
    } catch {
      throw PipelineError(.fault, operation: "turn a region", file: path, reason: "\(error)")
    }
  }
}
