/// Houses along the shore, farther ones smaller and higher up.
struct PanoramaTown: Sendable {
  private struct House {
    let left: Int
    let width: Int
    let eaves: Int
    let ridge: Int
    let foot: Int
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
      // The town lies between 30 and 80 per cent of the width and thins out at its ends.
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
          / plan.size.width
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
