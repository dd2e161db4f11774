/// A forest against the light: mist, three depths of trunks, undergrowth, leaves in front.
final class ForestPainter: RowPainter {
  let grain: Int
  private let plan: ScenePlan
  private let horizon: Int
  /// Closeness to the light in each column, 0...256.
  private let glow: [Int32]
  private let trunks: [ForestTrunk]
  private let groundLine: [Int32]
  private let shafts: [Int32]

  private let backdrop, clumps, leaves, bark, litter, dapple: FractalRow

  private let mist = Ramp([
    (0, 0x0E1608), (60, 0x24350F), (120, 0x557020), (180, 0xA5B550), (225, 0xE8E7A0),
    (255, 0xFFFBE2),
  ])
  private let leafRamp = Ramp([
    (0, 0x080D04), (70, 0x16230A), (130, 0x33500F), (180, 0x6C8A1C), (220, 0xB4C238),
    (255, 0xF0EE8C),
  ])
  private let soil = Ramp([
    (0, 0x0B0A05), (80, 0x2A2110), (140, 0x59431E), (190, 0x8E7136), (230, 0xCDB269),
    (255, 0xF7E8B0),
  ])
  private let moss = Ramp([
    (0, 0x070B03), (90, 0x1D2C0B), (150, 0x40591A), (200, 0x7E9632), (255, 0xDDE080),
  ])

  init(_ plan: ScenePlan) {
    self.plan = plan
    grain = plan.fine(460)
    horizon = plan.down(610)
    let centre = plan.across(570)
    let reach = max(1, plan.width * 3 / 10)
    glow = (0..<plan.width).map { Self.falloff($0 - centre, reach) }
    groundLine = plan.lines[0]
    shafts = plan.lines[1]
    trunks = ForestTrunk.plant(plan)
    backdrop = plan.noise(3, coarse: plan.scale(4), fine: 1, amplitude: 2600, gain: 66)
    clumps = plan.noise(4, coarse: plan.scale(2), fine: plan.scale(6), amplitude: 3800, gain: 62)
    leaves = plan.noise(5, coarse: 5, fine: 1, amplitude: plan.fine(2500), gain: 86)
    bark = plan.noise(6, coarse: 4, fine: 1, amplitude: plan.fine(2200), gain: 80, stretch: 2)
    litter = plan.noise(
      7, coarse: plan.scale(5), fine: 1, amplitude: plan.fine(2500), gain: 84, stretch: -1)
    dapple = plan.noise(8, coarse: plan.scale(3), fine: 3, amplitude: 3600, gain: 60, stretch: -2)
  }

  static func lines(_ plan: ScenePlan) -> [[Int32]] {
    let ground = Profile(plan.seed(1), coarse: plan.scale(2), fine: 2, amplitude: plan.down(22))
    // Beams fall along a slope of 5/8; the profile is read at x + 5y/8.
    let beam = Profile(plan.seed(2), coarse: plan.scale(4), fine: plan.scale(7), amplitude: 60)
    return [
      ground.values(0..<plan.width).map { Int32(plan.down(610)) + $0 },
      beam.values(0..<plan.width + plan.height).map { max(0, $0 - 12) },
    ]
  }

  /// Returns 256 / (1 + (distance / reach)^2).
  private static func falloff(_ distance: Int, _ reach: Int) -> Int32 {
    let ratio = distance * 256 / reach
    return Int32(256 * 65536 / (65536 + ratio * ratio))
  }

  func paint(_ y: Int, on canvas: RowCanvas) {
    let width = plan.width
    let backdrop = backdrop.row(y)
    let clumps = clumps.row(y)
    let leaves = leaves.row(y)
    let bark = bark.row(y)
    let vertical = Self.falloff(y - plan.down(430), max(1, plan.down(300)))

    for x in 0..<width {
      let light = (glow[x] &* vertical) &>> 8
      let texture = Int32(backdrop[x]) &+ Int32(clumps[x]) &>> 1 &+ Int32(leaves[x]) &>> 1
      canvas[x] = mist[50 &+ (light &* 190) &>> 8 &+ (texture &* (300 &- light)) &>> 14]
    }
    for trunk in trunks where trunk.depth == 0 { paint(trunk, y, bark, vertical, canvas) }
    paintFoliage(y, backdrop, leaves, shift: plan.width / 3, density: -700, vertical, canvas)
    for trunk in trunks where trunk.depth == 1 { paint(trunk, y, bark, vertical, canvas) }
    paintGround(y, leaves, vertical, canvas)
    paintShafts(y, vertical, canvas)
    for trunk in trunks where trunk.depth == 2 { paint(trunk, y, bark, vertical, canvas) }
    paintFoliage(y, clumps, leaves, shift: 0, density: 900, vertical, canvas)
  }

  /// Leaves where a coarse and a fine field together pass a threshold that rises downwards.
  private func paintFoliage(
    _ y: Int, _ coarse: UnsafePointer<Int16>, _ fine: UnsafePointer<Int16>, shift: Int,
    density: Int, _ vertical: Int32, _ canvas: RowCanvas
  ) {
    let threshold = Int32(y * 9000 / plan.height - 2600 - density)
    guard threshold < 9500 else { return }
    let isFar = shift != 0
    for x in 0..<plan.width {
      // The sides have more foliage than the middle, where the light comes from.
      let open = glow[x] &* 9
      let cover = Int32(coarse[x]) &+ Int32(fine[x]) &- open &+ 900 &- threshold
      guard cover > 0 else { continue }
      let light = (glow[x] &* vertical) &>> 8
      let other = Int32(fine[(x + shift) % plan.width])
      var tone = (isFar ? 66 : 56) &+ (light &* (isFar ? 150 : 108)) &>> 8
      tone = tone &+ (other &* (150 &+ light)) &>> 13
      // Thin cover is a single leaf that lets light through.
      if cover < 700 { tone = tone &+ ((700 &- cover) &* light) &>> 10 }
      var leaf = leafRamp[tone]
      if isFar { leaf = leaf.mixed(mist[60 &+ (light &* 170) &>> 8], 96) }
      canvas.blend(x, leaf, min(256, cover &>> 1))
    }
  }

  private func paint(
    _ trunk: ForestTrunk, _ y: Int, _ bark: UnsafePointer<Int16>, _ vertical: Int32,
    _ canvas: RowCanvas
  ) {
    guard y < trunk.foot else { return }
    let centre = trunk.centre(at: y)
    let half = trunk.half(at: y)
    let lightSide: Int32 = centre < plan.across(570) ? 1 : -1
    for x in canvas.clipped(centre - half, centre + half) {
      let place = Int32((x - centre) * 256 / half)
      let light = (glow[x] &* vertical) &>> 8
      let texture = Int32(bark[x])
      // A bright rim on the lit side, dark in the middle.
      let rim = max(0, place &* lightSide &- 90)
      var tone = 38 &+ (light &* 44) &>> 8 &+ (rim &* light) &>> 8
      tone = tone &+ (texture &* (44 &+ light &>> 2)) &>> 12
      let haze = trunk.haze &+ (light &* trunk.haze) &>> 8
      let tint = soil[tone].mixed(mist[30 &+ (light &* 200) &>> 8], min(235, haze))
      // Distance from the edge in 1/256 of a pixel: the edge is one pixel soft.
      let edge = min(256, (256 &- abs(place)) &* Int32(half))
      canvas.blend(x, tint, edge)
    }
  }

  private func paintGround(
    _ y: Int, _ leaves: UnsafePointer<Int16>, _ vertical: Int32, _ canvas: RowCanvas
  ) {
    guard y > horizon - plan.down(60) else { return }
    let litter = litter.row(y)
    let dapple = dapple.row(y)
    let depth = Int32(max(0, y - horizon) * 256 / max(1, plan.height - horizon))
    let pathCentre =
      plan.across(560)
      + Profile(
        plan.seed(9), coarse: plan.scale(2), fine: 3, amplitude: plan.across(40)
      ).value(y)
    let pathHalf = max(2, plan.across(16) + Int(depth) * plan.across(190) / 256)
    for x in 0..<plan.width where Int32(y) >= groundLine[x] {
      let light = (glow[x] &* (256 &- (depth &* 3) &>> 3)) &>> 8
      let texture = Int32(litter[x])
      let patch = max(0, Int32(dapple[x]) &- 500)
      let sun = (min(patch, 2600) &* (light &+ 20)) &>> 13
      let base = 62 &+ (light &* 86) &>> 8 &+ sun
      let swing = (texture &* (40 &+ base &>> 1)) &>> 12
      let away = Int32(abs(x - pathCentre) * 256 / pathHalf)
      let growth = away &- 210 &+ (Int32(leaves[x]) &+ texture) &>> 4
      let weight = max(0, min(256, growth &* 4))
      let path = soil[base &+ 14 &+ swing]
      let green = moss[base &- 6 &+ swing &+ Int32(leaves[x]) &>> 6]
      let near = path.mixed(green, weight)
      let haze = max(0, 150 &- depth &* 3)
      let tint = near.mixed(mist[40 &+ (glow[x] &* 190) &>> 8], (haze &* glow[x]) &>> 8)
      canvas.blend(x, tint, min(256, (Int32(y) &- groundLine[x] &+ 1) &* 64))
    }
  }

  private func paintShafts(_ y: Int, _ vertical: Int32, _ canvas: RowCanvas) {
    let warm = Tint(0xFFF6CC)
    for x in 0..<plan.width {
      let beam = shafts[x &+ (y &* 5) &>> 3]
      let light = (glow[x] &* (vertical &+ 40)) &>> 8
      canvas.blend(x, warm, (beam &* light) &>> 8)
    }
  }
}

/// A trunk, drawn from the top of the picture down to its foot.
struct ForestTrunk: Sendable {
  let depth: Int
  let place: Int
  private let halfWidth: Int
  /// Sideways drift in thousandths of the height.
  private let lean: Int
  let foot: Int
  let haze: Int32
  private let wobble: Profile

  func centre(at y: Int) -> Int {
    place + (foot - y) * lean / 1000 + wobble.value(y)
  }

  /// Wider towards the foot, widest in the last tenth, where the roots begin.
  func half(at y: Int) -> Int {
    let height = max(1, foot)
    let taper = halfWidth * (700 + 300 * y / height) / 1000
    let root = max(0, y - foot * 9 / 10) * halfWidth / max(1, height / 10)
    return max(1, taper + root * root / max(1, halfWidth * 2))
  }

  /// Trunks of three depths, the farthest first.
  static func plant(_ plan: ScenePlan) -> [ForestTrunk] {
    let counts = [24, 13, 5]
    let halves = [4, 9, 23]
    let feet = [625, 690, 960]
    return counts.indices.flatMap { depth in
      (0..<counts[depth]).map { number in
        let seed = plan.seed(100 + depth * 100 + number)
        let slot = 1000 * number / counts[depth]
        let jitter = LatticeHash.below(1000 / counts[depth], seed, 0, 0)
        var place = slot + jitter
        // The path stays free of near trunks.
        if depth == 2, (380...700).contains(place) { place = place < 560 ? 250 : 840 }
        return ForestTrunk(
          depth: depth, place: plan.across(place),
          halfWidth: max(1, plan.across(halves[depth] * (70 + LatticeHash.below(70, seed, 1, 0))))
            / 100,
          lean: LatticeHash.below(200, seed, 2, 0) - 100,
          foot: plan.down(feet[depth] + LatticeHash.below(40, seed, 3, 0)),
          haze: [150, 84, 14][depth],
          wobble: Profile(
            seed, coarse: plan.scale(2), fine: 3, amplitude: plan.across(halves[depth]) / 2))
      }
    }
  }
}
