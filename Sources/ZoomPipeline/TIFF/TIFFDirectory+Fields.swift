extension TIFFDirectory {
  /// The tags that decide how libtiff and libvips decode the strips' bytes.
  ///
  /// Pointers to other directories would be invalid. Profiles and texts do not change pixels; the
  /// picture has them, and a profile may be larger than all strips.
  private static let copiedTags: Set<Int> = [
    TIFFTag.width, TIFFTag.bits, TIFFTag.compression, TIFFTag.photometric, TIFFTag.fillOrder,
    TIFFTag.samples, TIFFTag.planes,
    // T4Options, T6Options, Predictor, ColorMap, InkSet, ExtraSamples, SampleFormat, JPEGTables.
    292, 293, 317, 320, 332, 338, 339, 347,
    // YCbCrCoefficients, YCbCrSubSampling, YCbCrPositioning, ReferenceBlackWhite.
    529, 530, 531, 532,
    // Matteing and DataType, which libtiff reads as ExtraSamples and SampleFormat.
    32995, 32996,
  ]
  /// Twice a colour map of 16 bits; a JPEG's tables are smaller.
  private static let mostValueBytes = 1 << 20

  /// Returns the tags of every small file of a picture; throws `unsupported` if one cannot be read.
  func fieldsOfSamples(in picture: Picture) throws(PipelineError) -> [SmallTIFF.Field] {
    var fields: [SmallTIFF.Field] = []
    for entry in entries where Self.copiedTags.contains(entry.tag) {
      guard let count = entry.byteCount, count <= Self.mostValueBytes, entry.count > 0,
        let bytes = try values(of: entry, 0..<entry.count, in: picture.file)
      else {
        throw PipelineError(
          .unsupported, operation: "carve", file: picture.path,
          reason: "the values of its tag \(entry.tag) cannot be read")
      }
      fields.append(
        SmallTIFF.Field(tag: entry.tag, type: entry.type, count: entry.count, bytes: bytes))
    }
    return fields
  }
}

extension [SmallTIFF.Field] {
  func sized(_ width: Int, _ height: Int, in directory: TIFFDirectory) -> [SmallTIFF.Field] {
    filter { $0.tag != TIFFTag.width }
      + [(TIFFTag.width, width), (TIFFTag.height, height)].map { tag, value in
        SmallTIFF.Field(
          tag: tag, type: 4, count: 1, bytes: directory.bytes(value, count: 4))
      }
  }
}
