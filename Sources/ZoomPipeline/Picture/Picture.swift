internal import CVips
public import SystemPackage
public import ZoomGeometry

/// An opened picture file with the facts that are known without decoding a pixel.
///
/// A picture is opened once and passed on, so that the file that was checked is the file that is
/// read. Copies share the open file, which is closed with the last of them.
public struct Picture: Sendable {
  /// The way in which libvips can read a region of this format.
  public enum Reach: String, Sendable, Hashable, Codable {
    /// Parts can be read alone: tiled TIFF, JPEG 2000 with tiles, raw formats.
    case regions
    /// The coded data runs from the top down: JPEG, PNG, WebP, stripped TIFF.
    case fromTheTop
  }

  package let file: FileReader
  /// The limits for reading it.
  public let limits: PictureLimits
  /// The structure of a JPEG, or why strict parsing fails; nil for other formats.
  let jpeg: Result<JPEGStructure, PipelineError>?
  /// The first directory of a TIFF; nil for other formats.
  let tiff: TIFFDirectory?
  let foundLoader: Loader
  /// The size in pixels, as the file stores it.
  public let storedSize: PixelSize
  /// The EXIF orientation that turns the picture upright.
  public let orientation: Orientation
  /// Samples per pixel.
  public let bands: Int
  /// The data type of a sample.
  public let format: SampleFormat
  /// The meaning of the bands.
  public let interpretation: ColourInterpretation
  /// Whether regions can be read alone.
  public let reach: Reach
  /// Whether the coded data comes in passes over the whole picture (progressive, interlaced).
  public let isInterlaced: Bool
  /// The length of the embedded ICC profile in bytes; 0 without one.
  public let profileLength: Int
  let openingWork: Work
  /// The pixels of a tiled or stripped file that libvips holds while it reads.
  let heldPixels: Int

  /// 16 TB: a hundred times the largest picture that the formats can hold, and far from overflow.
  private static let largestRaster = 1 << 44
  /// Spectral pictures have hundreds of bands; a header that claims millions is an attack.
  private static let mostBands = 4096

  /// The file's name.
  public var path: FilePath { file.path }

  /// The version of the file that was opened.
  public var version: FileVersion { file.version }

  /// libvips' loader for it, such as "jpegload".
  public var loader: String { foundLoader.name }

  /// The size of the upright picture in pixels.
  public var size: PixelSize { orientation.uprightSize(ofStored: storedSize) }

  /// The bytes of the decoded picture.
  public var rasterByteCount: Int { storedSize.area * bands * format.byteCount }

  /// Opens a picture and reads its header.
  /// - Throws: `PipelineError`: `noSuchFile`, `unreadable`, `notAPicture`, `unsupported`,
  ///   `overBudget`, `damaged` or `changed`.
  public init(_ path: FilePath, limits: PictureLimits = .standard) throws(PipelineError) {
    try self.init(path, limits: limits, asksLibvips: false)
  }

  /// Opens a picture; `asksLibvips` makes libvips read the header of an unambiguous JPEG, too.
  init(_ path: FilePath, limits: PictureLimits, asksLibvips: Bool) throws(PipelineError) {
    let file = try FileReader.open(path, limits)
    do throws(PipelineError) {
      try self.init(file, limits, asksLibvips: asksLibvips)
    } catch {
      // libvips can only report that a read from a server failed.
      try file.remote?.assertUntouched(since: 0)
      throw error
    }
  }

  private init(
    _ file: FileReader, _ limits: PictureLimits, asksLibvips: Bool
  ) throws(PipelineError) {
    guard file.length > 0 else {
      throw PipelineError(
        .notAPicture, operation: "open", file: file.path, reason: "the file is empty (0 bytes)",
        advice: "get a whole copy of the file")
    }
    let parsed = Result { () throws(PipelineError) in try JPEGParser.read(file) }
    if !asksLibvips, Self.rulesAreKnown, case .success(let (structure, metadata)) = parsed,
      metadata.isCertain
    {
      self.init(file, limits, structure, metadata)
      try assertPlausible()
    } else {
      try TIFFDirectory.expectTables(of: file)
      try self.init(file, limits, try Image.open(file, limits), parsed.map(\.structure))
    }
    // Coded data that is read twice is shorter than pixels.
    file.begin(needing: 2 * rasterByteCount)
  }

  /// Whether `JPEGMetadata` follows the rules of libvips' only loader for JPEGs.
  ///
  /// From 8.18 on, another loader reads JPEGs with a gain map.
  private static let rulesAreKnown: Bool = {
    VipsLibrary.start
    return unsafe vips_type_find("VipsOperation", "uhdrload_source") == 0
  }()

  private init(
    _ file: FileReader, _ limits: PictureLimits, _ structure: JPEGStructure,
    _ metadata: JPEGMetadata
  ) {
    self.file = file
    self.limits = limits
    jpeg = .success(structure)
    foundLoader = .jpeg
    storedSize = structure.size
    orientation = metadata.orientation
    bands = structure.components.count
    format = .uint8
    interpretation = bands == 1 ? .grey : bands == 3 ? .srgb : .cmyk
    reach = .fromTheTop
    isInterlaced = metadata.isMultiscan
    profileLength = metadata.profileLength
    openingWork = Work(opening: file.bytesRead, fetched: file.fetched)
    tiff = nil
    heldPixels = 0
  }

  private init(
    _ file: FileReader, _ limits: PictureLimits, _ opened: Image.Opened,
    _ parsed: Result<JPEGStructure, PipelineError>
  ) throws(PipelineError) {
    let image = opened.image
    self.file = file
    self.limits = limits
    foundLoader = opened.loader
    storedSize = try image.size
    bands = image.bands
    format = try image.format
    // Later products of sides, bands and sample size do not exceed these limits.
    let (raster, overflow) = storedSize.area.multipliedReportingOverflow(
      by: bands * format.byteCount)
    guard !overflow, raster <= Self.largestRaster, bands <= Self.mostBands else {
      throw PipelineError(
        .unsupported, operation: "open", file: file.path,
        reason: "\(storedSize) with \(bands) bands is more than zoombench reads",
        advice: "use a picture of at most \(Self.mostBands) bands and 16 TB of pixels")
    }
    interpretation = image.interpretation
    // libvips gives 1 for a missing or invalid tag.
    orientation = unsafe image.withPointer { pointer in
      Orientation(rawValue: Int(unsafe vips_image_get_orientation(pointer))) ?? .up
    }
    isInterlaced = unsafe image.withPointer { pointer in
      ["interlaced", "jpeg-multiscan"].contains { (field: String) in
        var value: Int32 = 0
        return unsafe vips_image_get_typeof(pointer, field) != 0
          && vips_image_get_int(pointer, field, &value) == 0 && value != 0
      }
    }
    profileLength = unsafe image.withProfile { $0.count } ?? 0
    tiff = foundLoader.name == Loader.tiffName ? try TIFFDirectory(file) : nil
    heldPixels = tiff?.heldPixels(of: storedSize) ?? 0
    openingWork = Work(
      opening: image.bytesRead.map { file.bytesRead + opened.bytesRead + $0 },
      fetched: file.fetched)
    // libvips (8.14) calls an interlaced PNG and a JPEG XL partial, but decodes them whole.
    let isDecodedWhole = isInterlaced || foundLoader.name == "jxlload"
    reach = opened.isPartial && !isDecodedWhole ? .regions : .fromTheTop
    let size = storedSize
    jpeg =
      if foundLoader.name == Loader.jpeg.name {
        parsed.flatMap { structure in
          guard structure.size == size else {
            return .failure(
              file.refusal("libvips gives it another size than its headers", operation: "open"))
          }
          return .success(structure)
        }
      } else {
        nil
      }
    try assertPlausible()
  }

  /// Throws if the file at the path is another version than the one that was opened, or if reads
  /// by C code failed since an earlier number of failures.
  func assertUnchanged(since failedReads: Int? = nil) throws(PipelineError) {
    try file.assertSameContent(since: failedReads)
  }

  /// Maps a region of the upright picture to the file; throws if the region is outside.
  package func storedRegion(for region: PixelRegion) throws(PipelineError) -> PixelRegion {
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

// MARK: Reading the whole file

extension Picture {
  /// Returns a digest of the upright picture's pixels, computed by strips if the format allows.
  public func digest() throws(PipelineError) -> PixelDigest {
    let digest: PixelDigest
    let failedReads = file.failedReads
    if orientation == .up {
      try assertPassFits("digest")
      digest = try Image.open(self).digest(of: path)
    } else {
      // Turning by 90 degrees needs columns, but the decoder returns rows.
      let kept = try reserveRandomAccess("digest")
      defer { withExtendedLifetime(kept) {} }
      digest = try Image.open(self, inAnyOrder: true).uprightByHeader().digest(of: path)
    }
    try assertUnchanged(since: failedReads)
    return digest
  }

  /// Returns all pixels as the file stores them, regardless of the orientation.
  package func storedPixels() throws(PipelineError) -> Pixels {
    try assertPassFits("decode", keepsRaster: true)
    return try Image.open(self).read(PixelRegion(whole: storedSize), of: path)
  }

  /// Returns all pixels, upright, reduced by libvips' decoder.
  /// - Returns: nil if it cannot reduce, or counts blocks from another corner than the upright one.
  package func reducedPixels(by reduction: Reduction) throws(PipelineError) -> Pixels? {
    guard reduction != .none, let jpeg = jpegStructure, hasUprightBlocks(of: reduction) else {
      return nil
    }
    try assertPassFits("decode", keepsRaster: true)
    guard let image = try Image.open(file, jpeg, reduction: reduction) else { return nil }
    return try image.read(PixelRegion(whole: image.size), of: path).upright(from: orientation)
  }

  /// Returns the embedded ICC profile; nil without one.
  public func iccProfile() throws(PipelineError) -> [UInt8]? {
    guard profileLength > 0 else { return nil }
    let image = try Image.open(self)
    return unsafe image.withProfile { unsafe [UInt8]($0) }
  }
}
