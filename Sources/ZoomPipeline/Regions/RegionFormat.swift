/// A format whose regions are read from the coded parts that they need.
struct RegionFormat: Sendable {
  /// libvips' loader of the format.
  let loader: String
  /// Whether parts are found by an index of entry points; otherwise by the file's own tables.
  let isIndexed: Bool
  /// Opens a picture; looks for a stored index in the stores, in order.
  let open: @Sendable (Picture, [SidecarStore]) throws(PipelineError) -> any RegionSource

  private init<Reader: RegionReader>(
    _ loader: String, isIndexed: Bool,
    _ make: @escaping @Sendable (Picture, [SidecarStore]) throws(PipelineError) -> Reader
  ) {
    self.loader = loader
    self.isIndexed = isIndexed
    open = { picture, stores throws(PipelineError) in
      let bytesBefore = picture.file.bytesRead
      return PartSource(picture, try make(picture, stores), bytesBefore: bytesBefore)
    }
  }

  /// All formats; to add one, write its reader and add a line here.
  static let all: [RegionFormat] = [
    RegionFormat(Loader.jpeg.name, isIndexed: true) { picture, stores throws(PipelineError) in
      try JPEGReader(picture, stores)
    },
    RegionFormat("pngload", isIndexed: true) { picture, stores throws(PipelineError) in
      try PNGReader(picture, stores)
    },
    RegionFormat(Loader.tiffName, isIndexed: true) { picture, _ throws(PipelineError) in
      try TIFFOneStripReader(picture)
    },
    RegionFormat(Loader.tiffName, isIndexed: false) { picture, _ throws(PipelineError) in
      try TIFFStripReader(picture)
    },
    RegionFormat("ppmload", isIndexed: false) { picture, _ throws(PipelineError) in
      try PNMReader(picture)
    },
    RegionFormat("heifload", isIndexed: false) { picture, _ throws(PipelineError) in
      try HEIFReader(picture)
    },
    RegionFormat("webpload", isIndexed: false) { picture, _ throws(PipelineError) in
      try WebPReader(picture)
    },
  ]

  static func find(_ loader: String, isIndexed: Bool) -> RegionFormat? {
    all.first { $0.loader == loader && $0.isIndexed == isIndexed }
  }
}
