internal import PropertyTesting
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A format whose files are mutated, by the name of libvips' loader.
///
/// libvips' own format is left out: it needs a file name, and nothing here passes one.
package enum MutantFormat: String, Sendable, CaseIterable {
  case jpeg, png, tiff, webp, gif, heif, jp2k, jxl, ppm, rad, matrix

  /// Suffixes with libvips' settings; each makes another kind of file, small and quickly written.
  var kinds: [String] {
    switch self {
    case .jpeg: ["jpg"]
    case .png:
      ["png[compression=1]", "png[interlace]", "png[palette,bitdepth=4]", "png[filter=all]"]
    case .tiff:
      [
        "tif", "tif[compression=lzw,tile,tile-width=16,tile-height=16]",
        "tif[compression=deflate,predictor=horizontal,tile,tile-width=16,tile-height=32,pyramid]",
        "tif[compression=jpeg]", "tif[compression=jpeg,tile,tile-width=16,tile-height=16]",
        "tif[compression=packbits,bigtiff]", "tif[compression=zstd,tile,bigtiff]",
        "tif[compression=webp,tile]", "tif[compression=ccittfax4,bitdepth=1]", "tif[bitdepth=2]",
        "tif[tile,tile-width=16,tile-height=16,pyramid,subifd]", "tif[miniswhite]",
        "tif[tile-height=8]", "tif[compression=lzw,tile-height=4]",
        "tif[compression=deflate,predictor=horizontal,tile-height=8,bigtiff]",
        "tif[compression=jpeg,tile-height=16]", "tif[compression=webp,tile-height=8]",
        "tif[compression=zstd,tile-height=2]",
        "tif[compression=ccittfax4,bitdepth=1,tile-height=4]",
      ]
    case .webp: ["webp[lossless,effort=0]", "webp[Q=60,effort=0]"]
    case .gif: ["gif[effort=1]", "gif[effort=1,interlace]"]
    case .heif: ["avif[effort=0]", "heic[effort=0]", "avif[effort=0,lossless]"]
    case .jp2k: ["jp2[lossless]", "jp2[tile-width=32,tile-height=32]", "j2k"]
    case .jxl: ["jxl[effort=3]", "jxl[effort=3,lossless]"]
    case .ppm: ["ppm", "ppm[ascii]", "pgm", "pbm", "pfm"]
    case .rad: ["hdr"]
    case .matrix: ["mat"]
    }
  }
}

/// A small picture with a few random changes, determined by its number and libvips' version.
package struct Mutant: Sendable {
  /// The number from which the mutant can be made again.
  package let number: UInt64
  package let format: MutantFormat
  /// The suffix of the file's name.
  package let suffix: String
  package let bytes: [UInt8]
  package let changeCount: Int
  package let regionSeed: UInt64
  /// The valid file before the changes, if it is a JPEG.
  package let jpeg: RandomJPEG?
}

/// Makes mutants; consecutive numbers share a picture, which is made once.
package struct Mutants {
  private static let perPicture: UInt64 = 64
  private let formats: [MutantFormat]
  private var original:
    (number: UInt64, structure: FileStructure, suffix: String, jpeg: RandomJPEG?)?

  /// Creates a maker that takes the formats in turn.
  /// - Parameter formats: at least one; leave out formats that this libvips cannot write.
  package init(_ formats: [MutantFormat]) {
    precondition(!formats.isEmpty, "some format")
    self.formats = formats
  }

  /// Returns the formats that this libvips can write; a valid file of others cannot be made.
  package static func writable(of formats: [MutantFormat]) -> [MutantFormat] {
    formats.filter { format in
      var random = SplitMix64(seed: 1)
      return format == .jpeg || format.kinds.contains { (try? make($0, &random)) != nil }
    }
  }

  /// Makes a mutant; the same number and formats always give the same mutant.
  /// - Throws: the errors of the encoders.
  package mutating func mutant(_ number: UInt64) throws -> Mutant {
    let source = number / Self.perPicture
    let format = formats[Int(source % UInt64(formats.count))]
    if original?.number != source { original = try make(source, format) }
    guard let original else { preconditionFailure("it was just made") }
    var random = SplitMix64(seed: number)
    // One in eight is unchanged and must be answered. More changes leave fewer readable files.
    let changeCount = [0, 1, 1, 1, 2, 2, 3, 6].randomElement(using: &random) ?? 0
    return Mutant(
      number: number, format: format, suffix: original.suffix,
      bytes: original.structure.mutated(changeCount, &random), changeCount: changeCount,
      regionSeed: random.next(), jpeg: original.jpeg)
  }

  private func make(_ source: UInt64, _ format: MutantFormat) throws -> (
    number: UInt64, structure: FileStructure, suffix: String, jpeg: RandomJPEG?
  ) {
    if format == .jpeg {
      let jpeg = try RandomJPEG(source / UInt64(formats.count))
      return (source, FileStructure(jpeg.jpeg.bytes, .jpeg), "jpg", jpeg)
    }
    var random = SplitMix64(seed: ~source)
    // Some builds lack some codecs; `writable` has found at least one kind that can be written.
    let start = Int.random(in: 0..<format.kinds.count, using: &random)
    for offset in format.kinds.indices {
      let kind = format.kinds[(start + offset) % format.kinds.count]
      if let (bytes, suffix) = try? Self.make(kind, &random) {
        return (source, FileStructure(bytes, format), suffix, nil)
      }
    }
    throw PipelineError(
      .unsupported, operation: "make a mutant", file: nil,
      reason: "this libvips writes no \(format.rawValue)")
  }

  /// Writes a picture of gradients and noise with libvips.
  private static func make(
    _ kind: String, _ random: inout SplitMix64
  ) throws -> (bytes: [UInt8], suffix: String) {
    let suffix = String(kind.prefix { $0 != "[" })
    let isMatrix = suffix == "mat"
    let bands = isMatrix ? 1 : [1, 3, 3, 4].randomElement(using: &random) ?? 3
    let isDeep = ["png", "tif"].contains(suffix) && Int.random(in: 0..<4, using: &random) == 0
    let (width, height) = (
      Int.random(in: isMatrix ? 1...9 : 1...90, using: &random),
      Int.random(in: isMatrix ? 1...9 : 1...70, using: &random)
    )
    let bytes = (0..<width * height * bands * (isDeep ? 2 : 1)).map { place in
      UInt8((place * 2) % 216 + Int.random(in: 0..<40, using: &random))
    }
    let deep: [Int: String] = [1: "grey16", 3: "rgb16", 4: "rgb16"]
    let pixels = Pixels(
      size: try PixelSize(width: width, height: height), bands: bands,
      format: isDeep ? .uint16 : .uint8,
      interpretation: isDeep
        ? ColourInterpretation(rawValue: deep[bands] ?? "rgb16") : bands == 1 ? .grey : .srgb,
      bytes: bytes)
    let folder = try TestFolder()
    let path = folder.path.appending("made.\(suffix)")
    try Image(pixels).write(to: path, settings: String(kind.dropFirst(suffix.count)))
    // libvips writes some combinations of samples and codings that it cannot read.
    let naive = try NaivePipeline(limits: PictureLimits(loaders: .all)).open(path)
    _ = try naive.read(RegionRequest(PixelRegion(whole: naive.size)))
    var file = try TestSupport.bytes(of: path)
    // Removes the time of day, which libvips writes into a comment of PNM.
    if file.starts(with: Array("P".utf8)), let start = file.firstIndex(of: 0x23),
      let end = file[start...].firstIndex(of: 0x0A)
    {
      file.removeSubrange(start...end)
    }
    return (file, suffix)
  }
}
