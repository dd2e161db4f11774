package import ZoomGeometry

/// Paints the rows of one recipe; owns its working memory and belongs to one thread.
protocol RowPainter: AnyObject {
  init(_ plan: ScenePlan)

  /// Writes every column of row `y`; rows may be painted in any order.
  func paint(_ y: Int, on canvas: RowCanvas)

  /// The strength of the added grain in sixty-fourths of an 8-bit step, 0...1023.
  var grain: Int { get }
}

/// The pictures that can be synthesised.
package enum SceneRecipe: String, CaseIterable, Sendable {
  /// A shop front with shelves of boxes behind glass.
  case pharmacy
  /// Two lit towers at dusk under a smooth sky.
  case petronas
  /// Land and sea seen from far above, with structure from the picture's size down to a pixel.
  case mosaic

  fileprivate var painter: any RowPainter.Type {
    switch self {
    case .pharmacy: PharmacyPainter.self
    case .petronas: PetronasPainter.self
    case .mosaic: MosaicPainter.self
    }
  }
}

/// A deterministic picture whose rows can be computed in any order, on any thread.
///
/// The composition scales with the size, and the texture keeps the scale of pixels. A scene is a
/// pure function of its parameters and uses only integers. So rows computed separately equal the
/// same rows of the whole picture, on every machine and in every build configuration.
package struct SyntheticScene: Sendable {
  package let size: PixelSize
  package let form: PixelForm
  private let recipe: SceneRecipe
  private let seed: UInt64
  private let plan: ScenePlan

  /// Creates a scene with sides up to 2^20.
  package init(
    _ recipe: SceneRecipe, size: PixelSize, seed: UInt64 = 1, form: PixelForm = .rgb8
  ) throws(CorpusError) {
    guard max(size.width, size.height) <= 1 << 20 else {
      throw CorpusError("a scene cannot be as large as \(size)")
    }
    self.recipe = recipe
    self.size = size
    self.seed = seed
    self.form = form
    plan = ScenePlan(
      width: size.width, height: size.height, seed: LatticeHash.wide(seed, 0, 0))
  }

  package var rowBytes: Int { size.width * form.bytesPerPixel }

  /// Returns the whole picture as one array; meant for small pictures.
  package func pixels() -> [UInt8] { pixels(rows: 0..<size.height) }

  /// Returns rows from top to bottom, without padding; the range may be empty.
  package func pixels(rows: Range<Int>) -> [UInt8] {
    precondition(rows.clamped(to: 0..<size.height) == rows, "rows outside the picture")
    let painter = recipe.painter.init(plan)
    let canvas = RowCanvas(width: size.width)
    let packer = RowPacker(form: form, seed: seed, grain: painter.grain)
    return [UInt8](unsafeUninitializedCapacity: rows.count * rowBytes) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      for y in rows {
        painter.paint(y, on: canvas)
        packer.pack(canvas, row: y, into: base + (y - rows.lowerBound) * rowBytes)
      }
      count = rows.count * rowBytes
    }
  }
}

/// The parameters of a scene, and the measures that painters derive from them.
struct ScenePlan: Sendable {
  let width, height: Int
  let seed: UInt64

  func across(_ thousandths: Int) -> Int { width * thousandths / 1000 }

  func down(_ thousandths: Int) -> Int { height * thousandths / 1000 }

  /// Returns log2 of the shorter side, rounded down, minus `octaves`, but at least 1.
  func scale(_ octaves: Int) -> Int {
    max(1, Int.bitWidth - 1 - min(width, height).leadingZeroBitCount - octaves)
  }

  func seed(_ ingredient: Int) -> UInt64 { LatticeHash.wide(seed, ingredient, 1) }

  /// Returns noise for one ingredient, with lattice spacings from 2^`coarse` down to 2^`fine`.
  ///
  /// The coarsest octave has the given amplitude, and each finer one has `gain` per cent of the one
  /// before. A positive `stretch` makes shapes upright, a negative one flat.
  func noise(
    _ ingredient: Int, coarse: Int, fine: Int, amplitude: Int, gain: Int = 55, stretch: Int = 0
  ) -> FractalRow {
    var height = amplitude
    var rows: [NoiseRow] = []
    for shift in stride(from: coarse, through: min(fine, coarse), by: -1) where shift >= 0 {
      rows.append(
        NoiseRow(
          seed: seed(ingredient), shiftX: shift, shiftY: shift + stretch, amplitude: height,
          width: width))
      height = height * gain / 100
    }
    return FractalRow(rows, width: width)
  }
}
