internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

struct PictureWriter: Sendable {
  let picture: CorpusPicture
  private var name: String { picture.name }
  private var recipe: PictureRecipe { picture.recipe }

  func write(
    to path: FilePath, workers: Int, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let encoding = recipe.encoding
    switch encoding.format {
    case .jpeg, .progressiveJPEG, .arithmeticJPEG:
      let options = try encoding.jpegEncoding(for: name)
      let scene = try scene(form: options.colour.sourceForm)
      try await writeJPEG(scene, options, to: path, workers: workers, progress: progress)
    case .png:
      // Level 1 is fast: the corpus is made often, and its size on disk matters little.
      let interlace = encoding.interlaced == true ? ",interlace" : ""
      try write(scene(), to: path, settings: "[compression=1\(interlace)]")
    case .webp:
      let lossless = encoding.lossless == true ? ",lossless" : ""
      // Effort 2 of 6, because the size matters little here, too.
      try write(
        scene(), to: path, settings: "[Q=\(encoding.quality ?? 80),effort=2\(lossless)]")
    case .tiff:
      try write(
        scene(), to: path,
        settings: "[compression=deflate,predictor=horizontal,\(tiffLayout(of: encoding))]")
    }
  }

  /// Returns libvips' settings for strips or, with a pyramid, tiles.
  private func tiffLayout(of encoding: PictureRecipe.Encoding) -> String {
    // A BigTIFF, whatever the size: the header declares offsets of 64 bits.
    if let rows = encoding.stripRows { return "bigtiff,tile-height=\(rows)" }
    let width = recipe.canvas?.width ?? recipe.width
    let height = recipe.canvas?.height ?? recipe.height
    // Offsets of 32 bits suffice for smaller pictures.
    let big = width * height > 1 << 29 ? ",bigtiff" : ""
    let side = encoding.tile ?? 256
    return "tile,pyramid,tile-width=\(side),tile-height=\(side)\(big)"
  }

  private func scene(form: PixelForm? = nil) throws -> SyntheticScene {
    guard let scene = SceneRecipe(rawValue: recipe.scene) else {
      throw CorpusError("\(name): no scene is named \(recipe.scene)")
    }
    let named = recipe.form ?? PixelForm.rgb8.rawValue
    guard let form = form ?? PixelForm(rawValue: named) else {
      throw CorpusError("\(name): no pixel form is named \(named)")
    }
    do {
      return try SyntheticScene(
        scene, size: PixelSize(width: recipe.width, height: recipe.height), seed: recipe.seed,
        form: form)
    } catch {
      throw CorpusError("\(name): \(error)")
    }
  }

  private func write(_ scene: SyntheticScene, to path: FilePath, settings: String) throws {
    let (samples, colours): (SampleFormat, ColourInterpretation) =
      switch scene.form {
      case .gray8: (.uint8, .grey)
      case .rgb8, .rgba8: (.uint8, .srgb)
      case .cmyk8: (.uint8, .cmyk)
      case .rgb16: (.uint16, .rgb16)
      }
    let pixels = Pixels(
      size: scene.size, bands: scene.form.bands, format: samples, interpretation: colours,
      bytes: scene.pixels())
    var image = try Image(pixels)
    if let canvas = recipe.canvas {
      image = try image.smeared(
        onto: PixelSize(width: canvas.width, height: canvas.height), x: canvas.x, y: canvas.y)
    }
    try image.write(to: path, settings: settings)
  }

  // MARK: JPEG

  /// Paints bands concurrently and encodes them in order; holds at most three bands per worker.
  private func writeJPEG(
    _ scene: SyntheticScene, _ options: JPEGEncoding, to path: FilePath, workers: Int,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let encoder: JPEGEncoder
    do {
      encoder = try JPEGEncoder(size: scene.size, options)
    } catch {
      throw CorpusError("\(name): \(error)")
    }
    let height = scene.size.height
    let bands = stride(from: 0, to: height, by: Self.bandHeight).map { top in
      top..<min(top + Self.bandHeight, height)
    }
    try await AtomicFile.stream(to: path) { write in
      try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        var painted: [Int: [UInt8]] = [:]
        var started = 0
        var encoded = 0
        while encoded < bands.count {
          while started < bands.count, started - encoded < workers * 3 {
            let number = started
            group.addTask {
              try Task.checkCancellation()
              return (number, scene.pixels(rows: bands[number]))
            }
            started += 1
          }
          if let (number, rows) = try await group.next() { painted[number] = rows }
          while let rows = painted.removeValue(forKey: encoded) {
            try write(encoder.append(rows))
            encoded += 1
            progress(Double(encoded) / Double(bands.count))
          }
        }
      }
      try write(encoder.finish())
    }
  }

  /// Large enough to make the cost of a task negligible, small enough for a smooth progress bar.
  private static let bandHeight = 64
}

extension PictureRecipe.Encoding {
  /// Returns the settings of the encoder; throws an error that names the picture.
  func jpegEncoding(for name: String) throws -> JPEGEncoding {
    let named = self.colour ?? JPEGEncoding.Colour.yCbCr.rawValue
    guard let colour = JPEGEncoding.Colour(rawValue: named) else {
      throw CorpusError("\(name): no JPEG colour is named \(named)")
    }
    let sampling = try self.sampling?.map { text in
      let factors = text.split(separator: "x").compactMap { Int($0) }
      guard factors.count == 2 else {
        throw CorpusError("\(name): sampling \(text) is not of the form HxV")
      }
      return JPEGEncoding.Sampling(factors[0], factors[1])
    }
    var options = JPEGEncoding(colour: colour, sampling: sampling, quality: quality ?? 80)
    if let restartRows { options.restart = .rows(restartRows) }
    if let restartMCUs { options.restart = .mcus(restartMCUs) }
    if optimised ?? false { options.coding = .optimised }
    if format == .progressiveJPEG { options.coding = .progressive }
    if format == .arithmeticJPEG { options.coding = .arithmetic }
    options.isOneScanPerComponent = separateScans ?? false
    options.metadata.orientation = orientation
    if xmp ?? false { options.metadata.xmp = JPEGEncoding.Metadata.sampleXMP }
    if profile ?? false { options.metadata.icc = ColourProfile.wideGamut }
    options.trailingBytes = trailingBytes ?? 0
    return options
  }
}
