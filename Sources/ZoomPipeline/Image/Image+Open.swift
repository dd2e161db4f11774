internal import CVips
internal import SystemPackage
internal import ZoomGeometry

struct Loader: Sendable, Hashable {
  /// libvips' name of the operation, such as "jpegload_source".
  let operation: String

  /// The format's part of the name, such as "jpegload".
  var name: String { String(operation.split(separator: "_").first ?? "unknown") }

  /// Whether the loader reads an open file; other loaders open a file by name.
  var readsOpenFiles: Bool { operation.hasSuffix("_source") }

  static let jpeg = Loader(operation: "jpegload_source")
  static let tiffName = "tiffload"

  /// Loaders that read an open file in pieces; other loaders hold all of it in memory.
  private static let readersInPieces: Set<String> = [
    "jpegload", "pngload", "tiffload", "heifload", "jp2kload", "jxlload", "ppmload",
  ]

  /// Loaders of text, which read a header to the end of its first line.
  private static let lineReaders: Set<String> = ["matrixload", "radload"]

  /// Finds the loader for a file by its content, and counts the bytes read in addition to `source`.
  ///
  /// `source`, the same file, is read only if it may be a TIFF.
  fileprivate static func find(
    for source: FileSource, _ file: FileReader, _ limits: PictureLimits
  ) throws(PipelineError) -> (loader: Loader, bytesRead: Int) {
    // Each loader's test leaves a message.
    defer { vips_error_clear() }
    let head = try FileSource(file, atMost: headLength)
    func named(untrusted: Bool) throws(PipelineError) -> Loader? {
      let loader = unsafe head.withPointer { head in
        unsafe source.withPointer { source in
          unsafe cvips_find_loader(head, source, nil, untrusted ? 1 : 0).map {
            unsafe Loader(operation: String(cString: $0))
          }
        }
      }
      guard let loader, lineReaders.contains(loader.name) else { return loader }
      return try file.bytes(at: 0, count: headLength).contains(UInt8(ascii: "\n")) ? loader : nil
    }
    let path = file.path
    for untrusted in [false, true] {
      guard let loader = try named(untrusted: untrusted) else { continue }
      guard !untrusted || limits.loaders == .all else {
        throw PipelineError(
          .unsupported, operation: "open", file: path,
          reason:
            "its format (\(loader.name.dropLast(4))) is read by a loader that libvips marks as"
            + " untrusted", advice: "--loaders all allows it")
      }
      return (try loader.checked(file, limits), head.bytesRead)
    }
    // The other loaders open a file by name. Nearly all are untrusted, so the name is opened again
    // only if untrusted loaders are allowed; trusted ones come first.
    if limits.loaders == .all { try assertFITSHeaderEnds(file) }
    for untrusted in limits.loaders == .all ? [false, true] : [] {
      let found = unsafe path.withPlatformString { name in
        unsafe cvips_find_loader(nil, nil, name, untrusted ? 1 : 0).map {
          unsafe String(cString: $0)
        }
      }
      if let found { return (Loader(operation: found), head.bytesRead) }
    }
    throw PipelineError(
      .notAPicture, operation: "open", file: path,
      reason: limits.loaders == .all
        ? "it is in no picture format that libvips knows"
        : "it is in no picture format that libvips' trusted loaders know",
      advice: "name a picture file")
  }

  /// Returns the loader; throws if it would search a long file or hold one larger than the budget.
  private func checked(_ file: FileReader, _ limits: PictureLimits) throws(PipelineError) -> Loader
  {
    try assertHeadersEnd(file)
    guard !Self.readersInPieces.contains(name) else { return self }
    try limits.memory.assertHolds(file.length, for: "its file", operation: "open", file.path)
    // libvips (8.14) counts the bytes of a file that it reads into memory in 32 bits.
    guard file.length < 1 << 32 else {
      throw PipelineError(
        .unsupported, operation: "open", file: file.path,
        reason: "\(name) reads files of at most 4 GB")
    }
    file.begin(needing: file.length)
    return self
  }
}

/// An open file as libvips reads it: with a separate offset, and a count of the bytes read.
///
/// libvips uses it from one thread at a time; the count is atomic: hence `@unchecked Sendable`.
@safe final class FileSource: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<VipsSource>

  private static let type: GType = {
    VipsLibrary.start
    return cvips_file_source_register()
  }()

  /// Reads a file on a server for libvips.
  private static let fetch:
    @convention(c) (
      UnsafeMutableRawPointer?, gint64, UnsafeMutableRawPointer?, Int
    ) -> gint64 = { owner, offset, buffer, length in
      guard let owner = unsafe owner, let buffer = unsafe buffer else { return -1 }
      let file = unsafe Unmanaged<FileReader>.fromOpaque(owner).takeUnretainedValue()
      let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: length)
      return gint64(unsafe file.remote?.readForC(at: Int(offset), into: target) ?? -1)
    }

  /// Creates a source of a file's first `most` bytes, which keeps the file open while in use.
  init(_ file: FileReader, atMost most: Int = .max) throws(PipelineError) {
    // Balanced by `release`, which libvips calls when it has finished with the file.
    let owner = unsafe Unmanaged.passRetained(file).toOpaque()
    let made = unsafe file.withDescriptor { descriptor in
      unsafe cvips_file_source_new(
        Self.type, descriptor, gint64(min(file.length, most)), owner,
        { owner in
          if let owner = unsafe owner { unsafe Unmanaged<FileReader>.fromOpaque(owner).release() }
        }, file.isRemote ? Self.fetch : nil)
    }
    guard let made = unsafe made else {
      throw PipelineError.vips(.fault, operation: "open", file: file.path)
    }
    unsafe pointer = unsafe made
  }

  deinit { unsafe cvips_unref(pointer) }

  /// Bytes read so far, including bytes read again.
  var bytesRead: Int {
    unsafe withPointer { pointer in Int(unsafe cvips_file_source_bytes_read(pointer)) }
  }

  fileprivate func withPointer<Result>(
    _ body: (UnsafeMutablePointer<VipsSource>) -> Result
  ) -> Result {
    defer { extendLifetime(self) }
    return unsafe body(pointer)
  }
}

extension Image {
  struct Opened {
    let image: Image
    let loader: Loader
    /// Whether the loader can read parts of the picture alone.
    let isPartial: Bool
    /// The bytes read to recognise the format, in addition to those that the image counts.
    let bytesRead: Int
  }

  /// Opens a file of unknown format; pixels are decoded when they are read.
  static func open(
    _ file: FileReader, _ limits: PictureLimits
  ) throws(PipelineError) -> Opened {
    let source = try FileSource(file)
    let (loader, bytesRead) = try Loader.find(for: source, file, limits)
    if loader.name == "heifload" { try HEIFItems.assertSafe(file, limits) }
    let (image, flags) = try load(loader, source, file, VIPS_ACCESS_SEQUENTIAL)
    return Opened(
      image: image, loader: loader, isPartial: flags & VIPS_FOREIGN_PARTIAL.rawValue != 0,
      bytesRead: bytesRead)
  }

  /// Opens a picture for one pass from the top, or to be read in any order.
  ///
  /// In any order, a format coded from the top down is decoded whole at the first read.
  static func open(
    _ picture: Picture, inAnyOrder isRandom: Bool = false
  ) throws(PipelineError) -> Image {
    picture.file.begin()
    return try load(
      picture.foundLoader, try FileSource(picture.file), picture.file,
      isRandom ? VIPS_ACCESS_RANDOM : VIPS_ACCESS_SEQUENTIAL
    ).image
  }

  /// Opens a reduced copy that a picture's file holds; nil if libvips cannot.
  static func open(_ picture: Picture, _ place: StoredLevel.Place) throws(PipelineError) -> Image? {
    let (kind, number) =
      switch place {
      case .page(let number): ("page", number)
      case .subDirectory(let number): ("subifd", number)
      }
    let source = try FileSource(picture.file)
    // A missing level leaves a message.
    defer { vips_error_clear() }
    let image = unsafe source.withPointer { pointer in
      unsafe cvips_load_level(
        picture.foundLoader.operation, pointer, kind, Int32(number), VIPS_FAIL_ON_TRUNCATED)
    }
    return unsafe image.map { unsafe Image(owning: $0, origin: source) }
  }

  /// Loads an image; a truncated file is an error, not a picture that is grey below.
  private static func load(
    _ loader: Loader, _ source: FileSource, _ file: FileReader, _ access: VipsAccess
  ) throws(PipelineError) -> (image: Image, flags: UInt32) {
    var flags = VIPS_FOREIGN_NONE
    if loader.readsOpenFiles {
      let image = unsafe source.withPointer { pointer in
        unsafe cvips_load_source(
          loader.operation, pointer, access, VIPS_FAIL_ON_TRUNCATED, &flags)
      }
      return (try unsafe loaded(image, from: source, file.path), flags.rawValue)
    }
    let image = unsafe file.path.withPlatformString { name in
      unsafe cvips_load_name(loader.operation, name, access, VIPS_FAIL_ON_TRUNCATED, &flags)
    }
    let opened = try unsafe loaded(image, from: nil, file.path)
    // The file opened by name must be the one that was checked.
    try file.assertUntouched()
    return (opened, flags.rawValue)
  }

  /// Opens a JPEG reduced by its inverse DCT, for one pass from the top.
  ///
  /// The decoder reads a size of whole blocks; nil if a JPEG cannot have that.
  static func open(
    _ file: FileReader, _ jpeg: JPEGStructure, reduction: Reduction
  ) throws(PipelineError) -> Image? {
    guard let size = jpeg.size.ofWholeJPEGBlocks(reduction) else { return nil }
    let source = try FileSource(file)
    let image = unsafe source.withPointer { pointer in
      unsafe cvips_file_source_resize_jpeg(
        pointer, gint64(jpeg.fileHeightOffset), Int32(size.width), Int32(size.height))
      return unsafe cvips_jpegload_source(
        pointer, Int32(reduction.rawValue), VIPS_FAIL_ON_TRUNCATED)
    }
    return try unsafe loaded(image, from: source, file.path)
  }

  /// Opens an encoded JPEG in memory, for one pass from the top.
  static func open(
    jpeg bytes: [UInt8], for path: FilePath, reduction: Reduction = .none
  ) throws(PipelineError) -> Image {
    VipsLibrary.start
    let holder = FixedBytes(bytes)
    let image = unsafe cvips_jpegload_buffer(
      holder.start, holder.count, Int32(reduction.rawValue), VIPS_FAIL_ON_TRUNCATED)
    return try unsafe loaded(image, from: holder, path)
  }

  /// Opens a small file carved out of a picture's file, for one pass from the top.
  ///
  /// The picture's own loader reads it, with the same options.
  static func open(carved bytes: [UInt8], from picture: Picture) throws(PipelineError) -> Image {
    VipsLibrary.start
    let holder = FixedBytes(bytes)
    guard let source = unsafe vips_source_new_from_memory(holder.start, holder.count) else {
      throw PipelineError.vips(.fault, operation: "open", file: picture.path)
    }
    // The image holds another reference.
    defer { unsafe cvips_unref(source) }
    var flags = VIPS_FOREIGN_NONE
    let image = unsafe cvips_load_source(
      picture.foundLoader.operation, source, VIPS_ACCESS_SEQUENTIAL, VIPS_FAIL_ON_TRUNCATED, &flags)
    return try unsafe loaded(image, from: holder, picture.path)
  }

  /// Takes over an image from a loader, which returns none for a damaged header.
  private static func loaded(
    _ image: UnsafeMutablePointer<VipsImage>?, from origin: (any Sendable)?, _ path: FilePath
  ) throws(PipelineError) -> Image {
    guard let image = unsafe image else {
      throw .vips(
        .damaged, operation: "open", file: path, advice: "get a whole copy of the file")
    }
    return unsafe Image(owning: image, origin: origin)
  }
}
