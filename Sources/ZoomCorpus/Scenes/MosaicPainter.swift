/// A landscape from far above: sea, coasts, rivers, fields, forests, towns, rock and snow.
///
/// Heights carry octaves from a quarter of the picture down to four pixels, and each kind of ground
/// has another texture, so that there is detail at every magnification.
final class MosaicPainter: RowPainter {
  let grain = 120
  private let plan: ScenePlan
  private let heights, climate, rivers, roads, towns, canopy: FractalRow
  /// The heights of the row above, for the light on slopes.
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
    let top = min(13, plan.scale(2))
    heights = plan.noise(1, coarse: top, fine: 2, amplitude: 4200, gain: 62)
    climate = plan.noise(2, coarse: max(1, top - 1), fine: max(1, min(6, top - 4)), amplitude: 3800)
    rivers = plan.noise(3, coarse: max(1, top - 2), fine: max(1, min(5, top - 4)), amplitude: 5000)
    roads = plan.noise(4, coarse: min(10, top), fine: min(8, top), amplitude: 6000, gain: 40)
    towns = plan.noise(5, coarse: min(10, top), fine: min(7, top), amplitude: 5000)
    canopy = plan.noise(6, coarse: 4, fine: 1, amplitude: 1500, gain: 92)
    above = ScratchBuffer(count: plan.width, repeating: 0)
    parcels = MosaicParcels(seed: plan.seed(7))
  }

  func paint(_ y: Int, on canvas: RowCanvas) {
    let width = plan.width
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
    // Shallow water is bright and shows the ground; deep water shows only swell and plankton.
    let depth = 250 &+ level &>> 4
    let swell = wave &>> 6 &+ climate &>> 7 &+ slope &>> 4
    let ground = (max(0, 900 &+ level) &* slope) &>> 10
    let tint = sea[max(56, depth) &+ swell &+ ground].lit(256 &+ wave &>> 6)
    // Surf in shallow water, boats in deep water.
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
    // Woods where it is wet enough, and single trees at their edge.
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

/// Fields, towns and boats: cells whose properties are hashed once per cell, not once per pixel.
final class MosaicParcels {
  private let seed: UInt64
  private var y = 0
  private var fieldKey = Int.min
  private var field = FieldStyle()
  private var blockKey = Int.min
  private var block: UInt64 = 0
  private var boatKey = Int.min
  private var boat: UInt64 = 0

  private struct FieldStyle {
    var bits: UInt64 = 0
    var tint = Tint(0)
    var stripe = 8
  }

  private static let crops: [Tint] = [
    0x8FA04A, 0x6E8A3A, 0xB7A95A, 0xD2C077, 0x7C6A44, 0x9A7E52, 0x4E7433, 0xA8B862, 0xC9B04E,
    0x5F6F3A, 0xE0CF8C, 0x86945C,
  ].map { Tint($0) }
  private static let roofs: [Tint] = [
    0xB0543A, 0x9C4A36, 0xC07A5A, 0x8A8378, 0xA9A39A, 0xD6D0C4, 0x6F6A66, 0xC9A77C,
  ].map { Tint($0) }

  init(seed: UInt64) {
    self.seed = seed
  }

  func begin(_ y: Int) {
    self.y = y
    fieldKey = .min
    blockKey = .min
    boatKey = .min
  }

  /// Returns the colour of a field of some 128x64 pixels, with furrows and a hedge around it.
  @inline(__always)
  func field(_ x: Int, leaf: Int32) -> Tint {
    let u = x &+ y &>> 2
    let v = y &- x &>> 2 &+ (1 << 20)
    let column = u &>> 7
    let row = v &>> 6
    let key = column &<< 32 | row
    if key != fieldKey {
      fieldKey = key
      // Sometimes two rows share one crop.
      var bits = LatticeHash.wide(seed, column, row &>> 1)
      if bits & 3 != 0 { bits = LatticeHash.wide(seed, column, row &+ 1 << 24) }
      field.bits = bits
      field.tint = Self.crops[Int((bits &>> 8) % UInt64(Self.crops.count))]
        .lit(Int32(truncatingIfNeeded: 216 + (bits &>> 16) & 63))
      field.stripe = 3 + Int((bits &>> 24) & 7)
    }
    let inside = u & 127
    let down = v & 63
    if inside < 3 || down < 3 {
      return Tint(0x3A5226).lit(256 &+ leaf &>> 4)
    }
    let along = (field.bits &>> 32) & 1 == 0 ? u : v
    let furrow: Int32 = (along / field.stripe) & 1 == 0 ? 12 : -12
    return field.tint.lit(256 &+ furrow &+ leaf &>> 6)
  }

  /// Returns the colour of a town: blocks of 64 pixels with houses, shadows and gardens.
  @inline(__always)
  func town(_ x: Int, density: Int32) -> Tint {
    let u = x &- y &>> 3 &+ (1 << 20)
    let v = y &+ x &>> 3
    let inside = u & 63
    let down = v & 63
    if inside < 7 || down < 7 {
      let isLine = inside == 3 || down == 3
      return Tint(isLine ? 0xC8C4B4 : 0x77746E)
    }
    let key = (u &>> 4) &<< 32 | (v &>> 4)
    if key != blockKey {
      blockKey = key
      block = LatticeHash.wide(seed, u &>> 4, v &>> 4)
    }
    let across = Int32(truncatingIfNeeded: u & 15)
    let high = Int32(truncatingIfNeeded: v & 15)
    let isBuilt = Int32(truncatingIfNeeded: block & 0xFFF) < 900 &+ density &>> 1
    guard isBuilt else {
      return Tint((block &>> 12) & 3 == 0 ? 0x9C8E74 : 0x567A3C).lit(200 &+ (across ^ high) &* 7)
    }
    let width = 8 &+ Int32(truncatingIfNeeded: (block &>> 16) & 7)
    let depth = 7 &+ Int32(truncatingIfNeeded: (block &>> 20) & 7)
    if across < width, high < depth {
      let roof = Self.roofs[Int((block &>> 24) & 7)]
      let isRidge = (block &>> 28) & 1 == 0
      let place = isRidge ? across &* 2 &- width : high &* 2 &- depth
      return roof.lit(place < 0 ? 300 : place == 0 ? 340 : 205)
    }
    if across < width &+ 3, high < depth &+ 3, across > 1, high > 1 {
      return Tint(0x2E3A26)
    }
    return Tint(0x6C8A4A).lit(220 &+ (across &* high) & 31)
  }

  /// Returns the whiteness, 0...256, of boats and wakes, one in about half of the cells of 256
  /// pixels.
  @inline(__always)
  func boat(_ x: Int) -> Int32 {
    let key = x &>> 8
    if key != boatKey {
      boatKey = key
      boat = LatticeHash.wide(seed, x &>> 8, y &>> 8)
    }
    guard boat & 1 == 0 else { return 0 }
    let down = abs((y & 255) &- 32 &- Int(boat &>> 8 & 127))
    guard down < 16 else { return 0 }
    let across = (x & 255) &- 64 &- Int(boat &>> 16 & 127)
    // The bow points to either side; the wake widens towards the other.
    let ahead = boat &>> 24 & 1 == 0 ? across : -across
    if ahead >= 0 { return ahead < 18 &- down &* 2 && down < 4 ? 256 : 0 }
    let spread = ahead / -9
    guard ahead > -120, abs(down &- spread) < 2 || down < 2 && ahead > -60 else { return 0 }
    return Int32(truncatingIfNeeded: 190 &+ ahead &* 3 / 2)
  }
}
