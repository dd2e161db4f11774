/// A landscape from far above: sea, coasts, rivers, fields, forests, towns, rock and snow.
///
/// Heights carry octaves from a quarter of the picture down to four pixels, and each kind of ground
/// has a texture of its own, so that there is something to see at every magnification.
final class MosaicPainter: RowPainter {
  let grain: Int
  private let plan: ScenePlan
  private let heights: FractalRow
  private let climate: FractalRow
  private let rivers: FractalRow
  private let roads: FractalRow
  private let towns: FractalRow
  private let canopy: FractalRow
  /// Heights of the row above, for the light on slopes.
  private let above: ScratchBuffer<Int16>
  private var rowAbove = Int.min
  private let parcels: MosaicParcels

  private let sea = Ramp([
    (0, 0x061630), (90, 0x0D3156), (170, 0x14506F), (225, 0x2C8590), (255, 0x7CC4B4),
  ])
  private let wet = Ramp([
    (0, 0xD9CBA0), (12, 0x7F9A4C), (60, 0x47702F), (130, 0x2F5424), (185, 0x5A6338),
    (220, 0x83796A), (240, 0xD8DADB), (255, 0xFBFCFF),
  ])
  private let dry = Ramp([
    (0, 0xE2D3A8), (14, 0xCDB883), (80, 0xB9955C), (140, 0xA07146), (190, 0x80573B),
    (225, 0x8C7C70), (245, 0xE2DED8), (255, 0xFFFFFF),
  ])

  init(_ plan: ScenePlan) {
    self.plan = plan
    grain = plan.fine(120)
    let width = plan.size.width
    let top = min(13, plan.scale(2))
    heights = FractalRow(
      Fractal(plan.seed(1), coarse: top, fine: 2, amplitude: 4200, gain: 62), width: width)
    climate = FractalRow(
      Fractal(
        plan.seed(2), coarse: max(1, top - 1), fine: max(1, min(6, top - 4)), amplitude: 3800),
      width: width)
    rivers = FractalRow(
      Fractal(
        plan.seed(3), coarse: max(1, top - 2), fine: max(1, min(5, top - 4)), amplitude: 5000),
      width: width)
    roads = FractalRow(
      Fractal(plan.seed(4), coarse: min(10, top), fine: min(8, top), amplitude: 6000, gain: 40),
      width: width)
    towns = FractalRow(
      Fractal(plan.seed(5), coarse: min(10, top), fine: min(7, top), amplitude: 5000), width: width)
    canopy = FractalRow(
      Fractal(plan.seed(6), coarse: 4, fine: 1, amplitude: plan.fine(1500), gain: 92),
      width: width)
    above = ScratchBuffer(count: width, repeating: 0)
    parcels = MosaicParcels(seed: plan.seed(7))
  }

  func paint(_ y: Int, on canvas: RowCanvas) {
    let width = plan.size.width
    if rowAbove != y - 1 {
      above.base.update(from: heights.row(y - 1), count: width)
    }
    let heights = heights.row(y)
    let climate = climate.row(y)
    let rivers = rivers.row(y)
    let roads = roads.row(y)
    let towns = towns.row(y)
    let canopy = canopy.row(y)
    parcels.begin(y)
    var left = Int32(heights[0])
    for x in 0..<width {
      let height = Int32(heights[x])
      // Light from the upper left: slopes that rise towards the lower right are bright.
      let slope = height &* 2 &- left &- Int32(above.base[x])
      left = height
      let level = height &+ 500
      let leaf = Int32(canopy[x])
      if level < 0 {
        canvas[x] = water(x, level, slope, leaf, Int32(climate[x]))
        continue
      }
      canvas[x] = land(
        x, level: level, slope: slope, leaf: leaf, climate: Int32(climate[x]),
        river: abs(Int32(rivers[x])), road: abs(Int32(roads[x])), town: Int32(towns[x]))
    }
    above.base.update(from: heights, count: width)
    rowAbove = y
  }

  @inline(__always)
  private func water(
    _ x: Int, _ level: Int32, _ slope: Int32, _ wave: Int32, _ climate: Int32
  ) -> Tint {
    // Shallow water is bright and shows the ground; far out there is only swell and plankton.
    let depth = 250 &+ level &>> 4
    let swell = wave &>> 6 &+ climate &>> 7 &+ slope &>> 4
    let ground = (max(0, 900 &+ level) &* slope) &>> 10
    let tint = sea[max(56, depth) &+ swell &+ ground].lit(256 &+ wave &>> 6)
    // Surf where the sea is only a step deep, boats where it is deep enough.
    let surf: Int32 = level > -70 &+ wave &>> 5 ? 150 : 0
    return tint.mixed(Tint(0xE8F3EE), level < -400 ? parcels.boat(x) : surf)
  }

  @inline(__always)
  private func land(
    _ x: Int, level: Int32, slope: Int32, leaf: Int32, climate: Int32, river: Int32, road: Int32,
    town: Int32
  ) -> Tint {
    let band = level &>> 5
    let moisture = max(0, min(256, climate &>> 4 &+ 150))
    let light = max(96, min(420, 256 &+ slope &* 2))
    // Rivers are wide in the plain and end in the mountains.
    let bed = 150 &- level &>> 5
    if river < bed {
      return river > bed &- 45 &- leaf &>> 6
        ? Tint(0xC2B58A).lit(light) : sea[205 &+ leaf &>> 7 &- level &>> 6]
    }
    let isPlain = level < 3300
    if isPlain, town > 2700, level > 120 {
      return parcels.town(x, density: town).lit(288 &+ slope &>> 1)
    }
    if isPlain, road < 46 {
      return Tint(road < 30 ? 0xB9B4AA : 0x8E8672).lit(256 &+ slope)
    }
    var tint = dry[band].mixed(wet[band], moisture)
    // Woods where it is wet enough, with single trees at their edge.
    let wood = moisture &* 12 &- 1500 &+ leaf &>> 1
    let isField = isPlain && level > 260 && climate &+ leaf &>> 3 > -1100 && climate < 900
    if isField {
      tint = parcels.field(x, leaf: leaf).mixed(tint, min(200, band &* 2))
    } else if wood > 0, band < 175 {
      let crown = max(60, min(330, 200 &+ leaf &>> 4))
      tint = tint.mixed(Tint(0x2A4A1E), min(220, wood &>> 2)).lit(crown)
    } else {
      tint = tint.lit(256 &+ leaf &>> 6)
    }
    return tint.lit(light)
  }
}
