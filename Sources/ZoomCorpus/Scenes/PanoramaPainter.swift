/// A wide landscape: clouds, overlapping ridges, woods, a town at a lake, a meadow.
final class PanoramaPainter: RowPainter {
  let grain: Int
  private let plan: ScenePlan
  /// A 256th of the height, the unit of depths and heights.
  private let unit: Int32
  private let shore, bank: [Int32]
  private let clouds, rock, woods, ripples, grass, meadow: FractalRow
  private let houses: PanoramaTown

  private let sky = Ramp([
    (0, 0x2C63A8), (110, 0x5E97CF), (200, 0xA9CBE6), (255, 0xE6EEF0),
  ])
  private let stone = Ramp([
    (0, 0x1E2430), (80, 0x454B55), (150, 0x7F7F7E), (210, 0xB9B2A6), (255, 0xF0E8DA),
  ])
  private let forest = Ramp([
    (0, 0x0A140C), (80, 0x1B3218), (150, 0x3A5A24), (205, 0x7A8A35), (255, 0xC9B856),
  ])
  private let lake = Ramp([
    (0, 0x0C2633), (90, 0x1E4A5C), (160, 0x477C8C), (220, 0x9CBFC8), (255, 0xEFF6F4),
  ])
  private let pasture = Ramp([
    (0, 0x17240C), (80, 0x3B5A1C), (150, 0x6F9430), (210, 0xB4C050), (255, 0xEFE79A),
  ])

  init(_ plan: ScenePlan) {
    self.plan = plan
    grain = plan.fine(150)
    unit = Int32(max(1, plan.height / 256))
    shore = plan.lines[4]
    bank = plan.lines[5]
    clouds = plan.noise(1, coarse: plan.scale(2), fine: 3, amplitude: 3900, gain: 58, stretch: -1)
    rock = plan.noise(2, coarse: plan.scale(4), fine: 1, amplitude: 3300, gain: 66, stretch: 1)
    woods = plan.noise(3, coarse: 7, fine: 1, amplitude: plan.fine(1700), gain: 86)
    ripples = plan.noise(
      4, coarse: plan.scale(5), fine: 2, amplitude: plan.fine(1300), gain: 80, stretch: -2)
    grass = plan.noise(5, coarse: 4, fine: 1, amplitude: plan.fine(2100), gain: 88, stretch: 1)
    meadow = plan.noise(6, coarse: plan.scale(2), fine: 5, amplitude: 3000, gain: 60, stretch: -1)
    houses = PanoramaTown(plan)
  }

  /// Returns four ridges from far to near, the lake's far shore and its near bank.
  static func lines(_ plan: ScenePlan) -> [[Int32]] {
    let tops = [215, 310, 415, 490, 655, 845]
    let rises = [150, 120, 64, 40, 9, 34]
    let gains = [52, 52, 48, 47, 50, 50]
    return tops.indices.map { index in
      let line = Profile(
        plan.seed(10 + index), coarse: plan.scale(index < 2 ? 2 : 1), fine: 1,
        amplitude: plan.down(rises[index]), gain: gains[index])
      return line.values(0..<plan.width).map { Int32(plan.down(tops[index])) + $0 }
    }
  }

  func paint(_ y: Int, on canvas: RowCanvas) {
    let shoreTop = plan.down(600)
    if y < plan.down(560) { paintSky(y, canvas) }
    if y > plan.down(60), y < plan.down(700) { paintRidges(y, canvas) }
    if y > shoreTop, y < plan.down(960) { paintLake(y, canvas) }
    if y > plan.down(540), y < plan.down(680) {
      houses.paint(y, shore: shore, texture: woods.row(y), on: canvas)
    }
    if y > plan.down(740) { paintMeadow(y, canvas) }
  }

  private func paintSky(_ y: Int, _ canvas: RowCanvas) {
    let clouds = clouds.row(y)
    let height = Int32(y * 380 / plan.height)
    let cut = Int32(900) - height * 4
    for x in 0..<canvas.width {
      let cloud = Int32(clouds[x]) &- cut
      var tint = sky[height]
      if cloud > 0 {
        // Thick parts are greyer: light comes from above.
        let body = Tint(0xFDFDFB).mixed(Tint(0xB4BECB), min(200, cloud &>> 4))
        tint = tint.mixed(body, min(240, cloud &>> 3))
      }
      canvas[x] = tint
    }
  }

  private func paintRidges(_ y: Int, _ canvas: RowCanvas) {
    let rock = rock.row(y)
    let woods = woods.row(y)
    let row = Int32(y)
    let (far, middle, near, front) = (plan.lines[0], plan.lines[1], plan.lines[2], plan.lines[3])
    for x in 0..<canvas.width {
      let depth: Int32
      let relief = Int32(rock[x])
      let leaf = Int32(woods[x])
      // Light comes from the left: the wide difference shows gullies, the narrow one cracks.
      let slope = relief &- Int32(rock[max(0, x &- 12)])
      let crack = relief &- Int32(rock[max(0, x &- 2)])
      var tint: Tint
      let air: Int32
      if row >= near[x] {
        let isFront = row >= front[x]
        depth = (row &- (isFront ? front[x] : near[x])) / unit
        tint = wood(depth, slope, leaf, relief)
        air = isFront ? 18 : 62
      } else if row >= far[x] || row >= middle[x] {
        let isMiddle = row >= middle[x]
        depth = (row &- (isMiddle ? middle[x] : far[x])) / unit
        tint = cliff(row / unit, slope, crack, leaf, relief)
        air = isMiddle ? 62 : 112
      } else {
        continue
      }
      // Distant layers fade towards the sky, most of all near their foot.
      tint = tint.mixed(Tint(0xA9C3DC), air &+ min(30, depth &>> 1))
      canvas[x] = tint
    }
  }

  /// Returns the colour of bare rock, with snow above a ragged line and woods below another.
  @inline(__always)
  private func cliff(
    _ row: Int32, _ slope: Int32, _ crack: Int32, _ leaf: Int32, _ relief: Int32
  ) -> Tint {
    let rough = relief &>> 7 &+ leaf &>> 8
    let light = slope &>> 4
    var face = stone[112 &+ light &+ crack &>> 4 &+ leaf &>> 7]
    let snow = 76 &- row &+ rough &- abs(light) &>> 2
    if snow > 0 {
      let white = Tint(0xF2F6FC).lit(244 &+ light &+ crack &>> 5)
      face = face.mixed(white, min(245, snow &* 28))
    }
    let wooded = row &- 112 &+ rough &- light &>> 2
    if wooded > 0 {
      face = face.mixed(forest[84 &+ light &>> 1 &+ leaf &>> 5], min(240, wooded &* 24))
    }
    return face
  }

  /// Returns the colour of tree crowns, yellow in patches.
  @inline(__always)
  private func wood(_ depth: Int32, _ slope: Int32, _ leaf: Int32, _ relief: Int32) -> Tint {
    let autumn = relief > 1500 ? min(64, (relief &- 1500) &>> 5) : 0
    return forest[96 &+ leaf &>> 5 &+ slope &>> 6 &+ autumn &- min(20, depth)]
  }

  private func paintLake(_ y: Int, _ canvas: RowCanvas) {
    let ripples = ripples.row(y)
    let middle = plan.lines[1]
    let row = Int32(y)
    for x in 0..<canvas.width where row > shore[x] {
      let depth = (row &- shore[x]) / unit
      let wave = Int32(ripples[x])
      // The lake mirrors the dark far bank near the shore and the sky further out.
      let height = (middle[x] &- Int32(plan.down(310))) / unit
      let mirror = max(0, min(150, depth &* 3 &+ height))
      let tone = 52 &+ mirror &+ (wave &* (26 &+ mirror &>> 2)) &>> 11
      var tint = lake[tone]
      if wave > 3300 { tint = tint.mixed(Tint(0xFFFDF0), min(180, (wave &- 3300) &>> 3)) }
      if row &- shore[x] < 3 { tint = Tint(0xD8CDB0) }
      canvas[x] = tint
    }
  }

  private func paintMeadow(_ y: Int, _ canvas: RowCanvas) {
    let grass = grass.row(y)
    let meadow = meadow.row(y)
    let row = Int32(y)
    for x in 0..<canvas.width where row > bank[x] {
      let depth = (row &- bank[x]) / unit
      let blade = Int32(grass[x])
      let patch = Int32(meadow[x])
      var tint = pasture[104 &+ blade &>> 5 &+ patch &>> 6 &- min(24, depth)]
      // Flowers grow in patches, in clumps of 4x4 pixels.
      if patch > 700 {
        let bits = LatticeHash.value(plan.seed(30), x &>> 2, y &>> 2)
        if bits & 0xFF < UInt32(min(60, (patch &- 700) &>> 4)) {
          let petals: [UInt32] = [0xF6F2F4, 0xE9C93A, 0xC24A6A, 0x8A6CC0]
          tint = Tint(petals[Int(bits >> 8 & 3)]).lit(230 &+ blade &>> 6)
        }
      }
      if row &- bank[x] < unit, blade > 0 { tint = tint.mixed(Tint(0x2A3A14), 140) }
      canvas[x] = tint
    }
  }
}

/// Houses along the shore; the more distant ones are smaller and higher up.
struct PanoramaTown: Sendable {
  private struct House {
    let left, width, eaves, ridge, foot: Int
    let bits: UInt64
  }

  private let houses: [House]

  private static let walls: [Tint] = [
    0xF1E9D8, 0xE6D2AE, 0xD9B48C, 0xF7F4EC, 0xC9CCC8, 0xE3C0A0, 0xBFD0C8, 0xEBDDA8,
  ].map { Tint($0) }
  private static let roofs: [Tint] = [
    0xA4472E, 0x8C3B2A, 0xB8623E, 0x5B5654, 0x7A4A38, 0x94513A, 0x6C6460, 0xC07048,
  ].map { Tint($0) }

  init(_ plan: ScenePlan) {
    var houses: [House] = []
    for row in 0..<9 {
      // The town extends from 30 to 80 per cent of the width and thins out at its ends.
      var x = plan.across(300)
      var number = 0
      while x < plan.across(800) {
        let seed = plan.seed(2000 + row * 65536 + number)
        let width = max(
          4, plan.across(10 + row * 2) * (28 + LatticeHash.below(36, seed, 0, 0)) / 100)
        let foot = plan.down(582 + row * 9 + LatticeHash.below(7, seed, 1, 0))
        let wall = width * (50 + LatticeHash.below(60, seed, 2, 0)) / 100
        let isTower = LatticeHash.below(34, seed, 3, 0) == 0
        let height = isTower ? wall * 3 : wall
        if LatticeHash.below(1000, seed, 4, 0) < 940 - abs(x - plan.across(550)) * 3400
          / plan.width
        {
          houses.append(
            House(
              left: x, width: width, eaves: foot - height,
              ridge: foot - height - width * (isTower ? 160 : 45) / 100, foot: foot,
              bits: LatticeHash.wide(seed, 5, 0)))
        }
        x += width * (90 + LatticeHash.below(60, seed, 6, 0)) / 100 + 1
        number += 1
      }
    }
    self.houses = houses
  }

  func paint(
    _ y: Int, shore: [Int32], texture: UnsafePointer<Int16>, on canvas: RowCanvas
  ) {
    for house in houses where y >= house.ridge && y < house.foot {
      if y < house.eaves {
        let rise = max(1, house.eaves - house.ridge)
        let half = max(1, house.width * (y - house.ridge) / (2 * rise))
        let middle = house.left + house.width / 2
        let roof = Self.roofs[Int(house.bits & 7)]
        for x in canvas.clipped(middle - half, middle + half) where Int32(y) < shore[x] {
          let tile: Int32 = ((y / 3) & 1 == 0 ? 12 : -12) &+ Int32(texture[x]) &>> 6
          canvas[x] = roof.lit((x < middle ? 290 : 214) + tile)
        }
      } else {
        let wall = Self.walls[Int(house.bits >> 3 & 7)]
        let pane = max(3, house.width / 9)
        for x in canvas.clipped(house.left, house.left + house.width) where Int32(y) < shore[x] {
          let across = (x - house.left) / pane
          let down = (y - house.eaves) / pane
          let isWindow = across & 1 == 1 && down % 3 == 1
          let shade: Int32 = 262 - Int32((x - house.left) * 60 / house.width)
          let isShadow = y - house.eaves < pane / 2
          canvas[x] =
            isWindow
            ? Tint(0x2E3A44).lit(256)
            : wall.lit((isShadow ? 170 : shade) &+ Int32(texture[x]) &>> 7)
        }
      }
    }
  }
}
