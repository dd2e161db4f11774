/// Paints the rows of one recipe; owns its working memory and belongs to one thread.
protocol RowPainter: AnyObject {
  init(_ plan: ScenePlan)

  /// Returns skylines and other profiles, which are computed once per scene.
  static func lines(_ plan: ScenePlan) -> [[Int32]]

  /// Writes every column of row `y`; rows may be painted in any order.
  func paint(_ y: Int, on canvas: RowCanvas)

  /// The strength of the added grain in sixty-fourths of an 8-bit step, 0...1023.
  var grain: Int { get }
}

extension RowPainter {
  static func lines(_ plan: ScenePlan) -> [[Int32]] { [] }
}

/// The pictures that can be synthesised.
package enum SceneRecipe: String, CaseIterable, Sendable {
  /// Trunks, foliage and light between leaves.
  case forest
  /// A shop front with shelves of boxes behind glass.
  case pharmacy
  /// Two lit towers at dusk under a smooth sky.
  case petronas
  /// Sky, mountain ridges, forest, a town and water.
  case panorama
  /// Land and sea seen from far above, with structure from the picture's size down to a pixel.
  case mosaic

  fileprivate var painter: any RowPainter.Type {
    switch self {
    case .forest: ForestPainter.self
    case .pharmacy: PharmacyPainter.self
    case .petronas: PetronasPainter.self
    case .panorama: PanoramaPainter.self
    case .mosaic: MosaicPainter.self
    }
  }
}

/// A recipe at a size: the composition scales with it, the texture keeps the scale of pixels.
package struct SyntheticScene: Scene {
  /// The largest width or height.
  package static let maximumSide = 1 << 20

  package let recipe: SceneRecipe
  package let size: SceneSize
  package let seed: UInt64
  /// The strength of fine texture and grain in per cent; 100 is meant to look like a photograph.
  package let detail: Int
  package let form: PixelForm
  private let plan: ScenePlan

  package enum Failure: Error, Hashable, Sendable {
    /// A side is below 1 or above `maximumSide`.
    case invalidSize(SceneSize)
    /// The detail is outside 0...200.
    case invalidDetail(Int)
  }

  package init(
    _ recipe: SceneRecipe, size: SceneSize, seed: UInt64 = 1, detail: Int = 100,
    form: PixelForm = .rgb8
  ) throws(Failure) {
    let sides = 1...Self.maximumSide
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw .invalidSize(size)
    }
    guard (0...200).contains(detail) else { throw .invalidDetail(detail) }
    self.recipe = recipe
    self.size = size
    self.seed = seed
    self.detail = detail
    self.form = form
    var plan = ScenePlan(size: size, seed: LatticeHash.wide(seed, 0, 0), detail: detail)
    plan.lines = recipe.painter.lines(plan)
    self.plan = plan
  }

  package func pixels(rows: Range<Int>) -> [UInt8] {
    precondition(rows.clamped(to: 0..<size.height) == rows, "rows outside the picture")
    let painter = recipe.painter.init(plan)
    let canvas = RowCanvas(width: size.width)
    let packer = RowPacker(form: form, size: size, seed: seed, grain: painter.grain)
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

struct ScenePlan: Sendable {
  let size: SceneSize
  let seed: UInt64
  let detail: Int
  /// The result of the painter's `lines`.
  var lines: [[Int32]] = []

  func across(_ thousandths: Int) -> Int { size.width * thousandths / 1000 }

  func down(_ thousandths: Int) -> Int { size.height * thousandths / 1000 }

  /// Returns log2 of the shorter side, rounded down, minus `octaves`, but at least `least`.
  func scale(_ octaves: Int, least: Int = 1) -> Int {
    let side = max(1, min(size.width, size.height))
    return max(least, Int.bitWidth - 1 - side.leadingZeroBitCount - octaves)
  }

  func seed(_ ingredient: Int) -> UInt64 { LatticeHash.wide(seed, ingredient, 1) }

  /// Returns rows of noise for one ingredient; see `Fractal`.
  func noise(
    _ ingredient: Int, coarse: Int, fine: Int, amplitude: Int, gain: Int = 55, stretch: Int = 0
  ) -> FractalRow {
    FractalRow(
      Fractal(
        seed(ingredient), coarse: coarse, fine: fine, amplitude: amplitude, gain: gain,
        stretch: stretch), width: size.width)
  }

  /// Returns an amplitude of fine texture, scaled by the detail setting.
  func fine(_ amplitude: Int) -> Int { amplitude * detail / 100 }
}
