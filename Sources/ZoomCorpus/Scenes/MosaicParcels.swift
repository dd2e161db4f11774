/// Fields, towns and boats: cells whose properties are hashed once a cell, not once a pixel.
final class MosaicParcels {
  private let seed: UInt64
  private var y = 0
  private var fieldKey = Int.min
  private var field = FieldStyle(bits: 0)
  private var blockKey = Int.min
  private var block: UInt64 = 0
  private var boatKey = Int.min
  private var boat: UInt64 = 0

  private struct FieldStyle {
    var bits: UInt64
    var tint = Tint(0)
    var stripe = 8

    init(bits: UInt64) {
      self.bits = bits
    }
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

  /// A field of 128 pixels by 96 or a part of one, with furrows and a hedge around it.
  @inline(__always)
  func field(_ x: Int, leaf: Int32) -> Tint {
    let u = x &+ y &>> 2
    let v = y &- x &>> 2 &+ (1 << 20)
    let column = u &>> 7
    let row = v &>> 6
    let key = column &<< 32 | row
    if key != fieldKey {
      fieldKey = key
      // Pairs of rows are often one field.
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

  /// Blocks of 64 pixels between streets, cut into houses with shadows, gardens in between.
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

  /// Whiteness 0...256 of a boat and its wake; every other cell of 256 pixels has one.
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
    // The bow points to either side; the wake opens behind it.
    let ahead = boat &>> 24 & 1 == 0 ? across : -across
    if ahead >= 0 { return ahead < 18 &- down &* 2 && down < 4 ? 256 : 0 }
    let spread = ahead / -9
    guard ahead > -120, abs(down &- spread) < 2 || down < 2 && ahead > -60 else { return 0 }
    return Int32(truncatingIfNeeded: 190 &+ ahead &* 3 / 2)
  }
}
