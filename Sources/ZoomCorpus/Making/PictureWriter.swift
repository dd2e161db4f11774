internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Paints one picture and encodes it as its recipe says.
struct PictureWriter: Sendable {
  private let name: String
  private let recipe: PictureRecipe

  init(_ picture: CorpusPicture) {
    name = picture.name
    recipe = picture.recipe
  }

  func write(
    to path: FilePath, workers: Int, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let encoding = recipe.encoding
    switch encoding.format {
    case .jpeg:
      let options = try jpegOptions()
      let scene = try scene(form: options.colour.sourceForm)
      try await writeJPEG(scene, options, to: path, workers: workers, progress: progress)
    case .progressiveJPEG:
      try write(
        scene(), to: path,
        as: .jpeg(quality: encoding.quality ?? 80, progressive: true, subsampled: true))
    case .png:
      // Level 1: the corpus is made often, and its size on disk matters little.
      try write(
        scene(), to: path, as: .png(compression: 1, interlaced: encoding.interlaced ?? false))
    case .webp:
      try write(
        scene(), to: path,
        as: .webp(quality: encoding.quality ?? 80, lossless: encoding.lossless ?? false))
    case .tiff:
      try write(scene(), to: path, as: .tiledTIFF(tile: encoding.tile ?? 256, pyramid: true))
    }
  }

  private func scene(form: PixelForm? = nil) throws -> SyntheticScene {
    guard let scene = SceneRecipe(rawValue: recipe.scene) else {
      throw CorpusError("\(name): there is no scene named \(recipe.scene)")
    }
    let named = recipe.form ?? PixelForm.rgb8.rawValue
    guard let form = form ?? PixelForm(rawValue: named) else {
      throw CorpusError("\(name): there is no pixel form named \(named)")
    }
    do {
      return try SyntheticScene(
        scene, size: SceneSize(width: recipe.width, height: recipe.height), seed: recipe.seed,
        detail: recipe.detail ?? 100, form: form)
    } catch {
      throw CorpusError("\(name): \(error)")
    }
  }

  private func write(_ scene: SyntheticScene, to path: FilePath, as format: SaveFormat) throws {
    let (samples, colours): (SampleFormat, ColourInterpretation) =
      switch scene.form {
      case .gray8: (.uint8, .grey)
      case .rgb8, .rgba8: (.uint8, .srgb)
      case .cmyk8: (.uint8, .cmyk)
      case .gray16: (.uint16, ColourInterpretation(rawValue: "grey16"))
      case .rgb16: (.uint16, .rgb16)
      }
    let pixels = Pixels(
      size: try PixelSize(width: scene.size.width, height: scene.size.height),
      bands: scene.form.bands, format: samples, interpretation: colours, bytes: scene.pixels())
    try Image(pixels).write(to: path, as: format)
  }

  // MARK: JPEG

  private func writeJPEG(
    _ scene: SyntheticScene, _ options: BaselineJPEG.Options, to path: FilePath, workers: Int,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let plan: BaselineJPEG.Plan
    do {
      plan = try BaselineJPEG.Plan(scene, options: options)
    } catch {
      throw CorpusError("\(name): \(error)")
    }
    let total = Double(plan.pieces(minimumBands: Self.bandsPerPiece).count)
    try await AtomicFile.stream(to: path) { write in
      // One call for the prologue, one a piece, one for the epilogue.
      var calls = 0.0
      try await plan.encodeConcurrently(
        workers: workers, bandsPerPiece: Self.bandsPerPiece
      ) { bytes in
        try write(bytes)
        progress(min(calls / total, 1))
        calls += 1
      }
    }
  }

  /// Large enough that starting a task does not matter, small enough for a lively progress bar.
  private static let bandsPerPiece = 4

  private func jpegOptions() throws -> BaselineJPEG.Options {
    let encoding = recipe.encoding
    let named = encoding.colour ?? BaselineJPEG.Colour.yCbCr.rawValue
    guard let colour = BaselineJPEG.Colour(rawValue: named) else {
      throw CorpusError("\(name): there is no JPEG colour named \(named)")
    }
    var options = BaselineJPEG.Options(
      colour: colour, sampling: try encoding.sampling?.map(sampling),
      quality: encoding.quality ?? 80)
    if let rows = encoding.restartRows { options.restart = .rows(rows) }
    if let units = encoding.restartMCUs { options.restart = .mcus(units) }
    if encoding.optimised ?? false { options.huffman = .optimised }
    options.isOneScanPerComponent = encoding.separateScans ?? false
    options.metadata.orientation = encoding.orientation
    if encoding.xmp ?? false { options.metadata.xmp = BaselineJPEG.Metadata.sampleXMP }
    if encoding.profile ?? false { options.metadata.icc = ColourProfile.wideGamut }
    options.trailer = BaselineJPEG.Trailer(count: encoding.trailingBytes ?? 0, seed: recipe.seed)
    return options
  }

  private func sampling(_ text: String) throws -> BaselineJPEG.Sampling {
    let factors = text.split(separator: "x").compactMap { Int($0) }
    guard factors.count == 2 else {
      throw CorpusError("\(name): sampling \(text) is not of the form HxV")
    }
    return BaselineJPEG.Sampling(factors[0], factors[1])
  }
}
