/// Two lit towers with a bridge between them at dusk, over a low town and a park.
final class PetronasPainter: RowPainter {
  let grain = 200
  private let plan: ScenePlan
  private let clouds, park, smog: FractalRow
  /// The skyline of the town.
  private let buildings: [Building]
  private let trees: [Int32]
  /// The arc sine of n / 256 for n from -256 to 256; 256 means a quarter turn.
  private let arcs: [Int32]
  private let towerSeed: UInt64

  private let sky = Ramp([
    (0, 0x0B1A38), (60, 0x1B3A68), (120, 0x41699A), (170, 0x8798B4), (205, 0xD7A58A),
    (230, 0xF0BC86), (255, 0xF8D6A4),
  ])
  private let steel = Ramp([
    (0, 0x0C1420), (70, 0x2B3A4E), (130, 0x6C7E90), (190, 0xC6CDCB), (230, 0xF6F0DC),
    (255, 0xFFFFF6),
  ])
  private let foliage = Ramp([
    (0, 0x05090A), (90, 0x13201A), (160, 0x2C4028), (220, 0x6B7436), (255, 0xD8C474),
  ])

  private struct Building {
    let left, right, top: Int
    let seed: UInt64
  }

  init(_ plan: ScenePlan) {
    self.plan = plan
    towerSeed = plan.seed(4)
    let width = plan.width
    clouds = plan.noise(1, coarse: plan.scale(2), fine: plan.scale(7), amplitude: 3600, stretch: -2)
    park = plan.noise(2, coarse: plan.scale(5), fine: 1, amplitude: 2600, gain: 76)
    smog = plan.noise(3, coarse: plan.scale(1), fine: plan.scale(4), amplitude: 3000)
    trees = Self.treetops(plan)
    arcs = (-256...256).map { Self.arc($0) }
    var buildings: [Building] = []
    var left = 0
    while left < width {
      let seed = plan.seed(1000 + buildings.count)
      let span = max(3, plan.across(18 + LatticeHash.below(45, seed, 0, 0)))
      let top = plan.down(905 - LatticeHash.below(64, seed, 1, 0))
      buildings.append(Building(left: left, right: left + span, top: top, seed: seed))
      left += span
    }
    self.buildings = buildings
  }

  /// Returns the heights of the trees in each column: fractal noise of one variable.
  private static func treetops(_ plan: ScenePlan) -> [Int32] {
    let seed = plan.seed(5)
    var tops = [Int32](repeating: Int32(plan.down(945)), count: plan.width)
    var height = plan.down(12)
    for shift in stride(from: min(plan.scale(4), 15), through: 1, by: -1) {
      var cell = Int.min
      var left = 0
      var right = 0
      for x in tops.indices {
        if x >> shift != cell {
          cell = x >> shift
          left = LatticeHash.below(65536, seed, cell, shift) - 32768
          right = LatticeHash.below(65536, seed, cell + 1, shift) - 32768
        }
        let weight = Int(Smoothstep.weight(x & ((1 << shift) - 1), shift))
        let level = left + ((right - left) * weight) >> 15
        tops[x] += Int32(truncatingIfNeeded: (level * height) >> 15)
      }
      height /= 2
    }
    return tops
  }

  /// Inverts the sine by bisection on the series t - t^3/6 + t^5/120, in 16-bit fixed point.
  private static func arc(_ value: Int) -> Int32 {
    let wanted = abs(value) * 256
    var low = 0
    var high = 256
    while low < high {
      let middle = (low + high) / 2
      let t = middle * 102_944 / 256
      let square = (t * t) >> 16
      let cube = (t * square) >> 16
      let sine = t - cube / 6 + ((cube * square) >> 16) / 120
      if sine < wanted { low = middle + 1 } else { high = middle }
    }
    return Int32(value < 0 ? -low : low)
  }

  func paint(_ y: Int, on canvas: RowCanvas) {
    let clouds = clouds.row(y)
    let smog = smog.row(y)
    let grit = park.row(y)
    let height = Int32(min(255, y * 272 / plan.height))
    for x in 0..<plan.width {
      let cloud = Int32(clouds[x])
      var tint = sky[height &+ cloud &>> 9]
      let streak = cloud &+ Int32(smog[x]) &>> 1 &- 900
      if streak > 0 {
        let rose = Tint(height < 110 ? 0x66799A : 0xF2B79A)
        tint = tint.mixed(rose, min(110, streak &>> 5))
      }
      canvas[x] = tint
    }
    paintTown(y, smog, grit, canvas)
    for (index, place) in [318, 682].enumerated() {
      paintTower(index, centre: plan.across(place), y, grit, canvas)
    }
    paintBridge(y, canvas)
    paintPark(y, grit, canvas)
  }

  /// Returns half a tower's width in thousandths of the picture's, and the first row of its stage.
  private func profile(_ y: Int) -> (half: Int, stageTop: Int)? {
    let stages: [(top: Int, half: Int)] = [
      (52, 2), (92, 5), (100, 3), (128, 12), (140, 22), (172, 40), (182, 46), (232, 62), (244, 68),
      (318, 82), (332, 88), (460, 97), (474, 104), (940, 106),
    ]
    let place = y * 1000 / plan.height
    guard place >= stages[0].top, place < 940 else { return nil }
    let next = stages.firstIndex { $0.top > place } ?? stages.count - 1
    let (from, to) = (stages[next - 1], stages[next])
    // Short stages slope; long ones are vertical.
    if to.top - from.top <= 14 {
      let half = from.half + (to.half - from.half) * (place - from.top) / (to.top - from.top)
      return (half, plan.down(from.top))
    }
    return (from.half, plan.down(from.top))
  }

  private func paintTower(
    _ index: Int, centre: Int, _ y: Int, _ grit: UnsafePointer<Int16>, _ canvas: RowCanvas
  ) {
    guard let (thousandths, stageTop) = profile(y) else { return }
    let half = max(1, plan.across(thousandths))
    let floor = max(4, plan.down(7))
    let level = y / floor
    let inFloor = (y % floor) * 256 / floor
    // Floodlights at each setback light the wall above them.
    let stageDepth = Int32((y - stageTop) * 256 / max(1, plan.height / 8))
    let flood = max(0, 190 - stageDepth)
    for x in canvas.clipped(centre - half, centre + half) {
      let place = (x - centre) * 256 / half
      let angle = arcs[place + 256]
      // Sixteen lobes around the tower, eight of them visible.
      let turn = angle &+ 256
      let lobe = turn & 63
      let bulge = 32 &- abs(lobe &- 32)
      let round = 256 &- (angle &* angle) &>> 8
      let shade = (round &* (150 &+ bulge &* 3 &+ Int32(grit[x]) &>> 8)) &>> 8
      if inFloor < 96 {
        // A bright sunshade over each ribbon of windows.
        let lip: Int32 = inFloor < 30 ? 40 : 0
        canvas[x] = steel[(shade &* (118 &+ (flood &* 3) &>> 2)) &>> 8 &+ lip]
        continue
      }
      let pane = Int(turn &>> 3) &+ index &* 100
      let bits = LatticeHash.value(towerSeed, pane &>> 1, level)
      let isLit = bits & 0xFF < 74
      if turn & 7 == 0 {
        canvas[x] = steel[(shade &* 90) &>> 8]
      } else if isLit {
        let glow = Int32(150 + (bits >> 8) & 63)
        let lamp = Tint(bits & 0x10000 == 0 ? 0xFFD98C : 0xFFF0CC)
        canvas[x] = lamp.lit((glow &* (shade &+ 60)) &>> 8)
      } else {
        canvas[x] = steel[(shade &* (52 &+ flood &>> 2)) &>> 8 &+ 10]
      }
    }
  }

  private func paintBridge(_ y: Int, _ canvas: RowCanvas) {
    let top = plan.down(538)
    let bottom = plan.down(552)
    let left = plan.across(318 + 100)
    let right = plan.across(682 - 100)
    let middle = (left + right) / 2
    if y >= top, y < bottom {
      let inside = (y - top) * 256 / max(1, bottom - top)
      let pane = max(3, plan.across(6))
      for x in canvas.clipped(left, right) {
        let isFrame = inside < 30 || abs(inside - 128) < 16 || inside > 226 || x % pane < 2
        canvas[x] = isFrame ? steel[150] : Tint(0xFFE2A0).lit(200)
      }
    } else if y >= bottom, y < plan.down(640) {
      let thick = max(1, plan.across(5))
      let drop = (y - bottom) * (right - left) / max(1, 2 * (plan.down(640) - bottom))
      for centre in [middle - drop, middle + drop] {
        for x in canvas.clipped(centre - thick, centre + thick) {
          let round = 256 - Int32(abs(x - centre) * 170 / thick)
          canvas[x] = steel[(round * 190) >> 8]
        }
      }
    }
  }

  private func paintTown(
    _ y: Int, _ smog: UnsafePointer<Int16>, _ grit: UnsafePointer<Int16>, _ canvas: RowCanvas
  ) {
    guard y > plan.down(800) else { return }
    let pane = max(3, plan.across(4))
    let floor = max(4, plan.down(4))
    for building in buildings where y >= building.top {
      let base = Int32(36 + LatticeHash.below(40, building.seed, 2, 0))
      let depth = Int32(min(120, (y - building.top) * 256 / max(1, plan.down(140))))
      for x in canvas.clipped(building.left, building.right) {
        let bits = LatticeHash.value(building.seed, x / pane, y / floor)
        let isGap = x % pane == 0 || y % floor < floor / 3
        let wall = steel[base &+ Int32(smog[x]) &>> 9 &+ Int32(grit[x]) &>> 8]
        let lamp = Tint(bits & 0x100 == 0 ? 0xFFC878 : 0xE8ECFF)
        let tint = !isGap && bits & 0xFF < 60 ? lamp.lit(120 + Int32(bits >> 16 & 127)) : wall
        canvas[x] = tint.mixed(Tint(0xE7B48A), 92 &- depth &>> 1)
      }
    }
  }

  private func paintPark(_ y: Int, _ park: UnsafePointer<Int16>, _ canvas: RowCanvas) {
    guard y > plan.down(900) else { return }
    let lampRow = plan.down(968)
    let lampGap = max(8, plan.across(58))
    for x in 0..<plan.width where Int32(y) > trees[x] {
      let deep = Int32(y) &- trees[x]
      let rim = max(0, 40 &- deep)
      let dx = x % lampGap - lampGap / 2
      let dy = y - lampRow
      let distance = Int32((dx * dx + 2 * dy * dy) * 256 / (lampGap * lampGap))
      let lamp = 190 * 24 / (24 &+ distance)
      let tone = 30 &+ rim &+ Int32(park[x]) &>> 6 &+ lamp
      canvas[x] = foliage[tone].mixed(Tint(0xFFE9B0), max(0, lamp &- 120) &* 3)
    }
  }
}
