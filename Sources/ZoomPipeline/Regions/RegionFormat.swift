/// A format whose regions are read from the coded parts that they need.
struct RegionFormat: Sendable {
  /// libvips' loader of the format.
  let loader: String
  /// Opens a picture; looks for a stored index in the stores, in order.
  let open: @Sendable (Picture, [SidecarStore]) throws(PipelineError) -> any PartialSource

  private init(
    _ loader: String,
    _ make: @escaping @Sendable (Picture, [SidecarStore]) throws(PipelineError) -> any RegionReader
  ) {
    self.loader = loader
    open = { picture, stores throws(PipelineError) in
      let bytesBefore = picture.file.bytesRead
      let reader = try make(picture, stores)
      return Self.source(picture, reader, bytesBefore)
    }
  }

  private static func source(
    _ picture: Picture, _ reader: some RegionReader, _ bytesBefore: Int
  ) -> any PartialSource {
    PartSource(picture, reader, bytesBefore: bytesBefore)
  }

  /// All formats; to add one, write its reader and add a line here.
  static let all: [RegionFormat] = [
    RegionFormat(Loader.jpeg.name) { picture, stores throws(PipelineError) in
      try JPEGReader(picture, stores)
    },
    RegionFormat("pngload") { picture, stores throws(PipelineError) in
      try PNGReader(picture, stores)
    },
    RegionFormat(Loader.tiffName) { picture, _ throws(PipelineError) in
      let strips = try TIFFStrips(of: picture)
      if strips.areOneCodedStrip { return try TIFFOneStripReader(picture, strips) }
      return try TIFFStripReader(picture, strips)
    },
    RegionFormat("ppmload") { picture, _ throws(PipelineError) in try PNMReader(picture) },
    RegionFormat("heifload") { picture, _ throws(PipelineError) in try HEIFReader(picture) },
    RegionFormat("webpload") { picture, _ throws(PipelineError) in try WebPReader(picture) },
  ]
}
