/// A shop front: fascia with letters, panes with lit shelves full of boxes, stone and pavement.
final class PharmacyPainter: RowPainter {
  let grain = 560
  private let plan: ScenePlan
  private let shelves: [ShopShelf]
  private let glyphs: GlyphPainter
  private let stone, street: FractalRow
  private let panelWidth: Int
  private static let panels = 6

  init(_ plan: ScenePlan) {
    self.plan = plan
    panelWidth = max(8, plan.width / Self.panels)
    glyphs = GlyphPainter(seed: plan.seed(1))
    shelves = ShopShelf.stock(plan, panels: Self.panels)
    stone = plan.noise(2, coarse: 5, fine: 1, amplitude: 1700, gain: 96)
    street = plan.noise(3, coarse: plan.scale(2), fine: plan.scale(7), amplitude: 3600, gain: 58)
  }

  func paint(_ y: Int, on canvas: RowCanvas) {
    let stone = stone.row(y)
    let street = street.row(y)
    if y < plan.down(135) {
      paintFascia(y, stone, canvas)
    } else if y < plan.down(165) {
      paintAwning(y, canvas)
    } else if y < plan.down(885) {
      paintWindows(y, stone, street, canvas)
    } else {
      paintStreet(y, stone, street, canvas)
    }
  }

  private func paintFascia(_ y: Int, _ stone: UnsafePointer<Int16>, _ canvas: RowCanvas) {
    let height = max(1, plan.down(135))
    let inside = y * 256 / height
    let letterTop = plan.down(30)
    let letterHeight = max(7, plan.down(72))
    let letterWidth = letterHeight * 5 / 7
    for x in 0..<canvas.width {
      let far = Int32(abs(x - plan.across(500)) * 96 / max(1, canvas.width / 2))
      var tint = Tint(0x0E6B3F).lit(300 - Int32(inside) / 3 - far)
      tint = tint.lit(256 &+ Int32(stone[x]) &>> 8)
      if inside < 10 || inside > 244 { tint = Tint(0xC9D2CC).lit(180 + Int32(x & 7)) }
      canvas[x] = tint
    }
    // Letters are drawn on a lattice of 5x7 dots, softly shaded from above.
    for x in canvas.clipped(plan.across(230), plan.across(770)) {
      let place = x - plan.across(230)
      let (letter, across) = place.quotientAndRemainder(dividingBy: letterWidth * 5 / 4)
      let column = across * 5 / letterWidth
      let row = (y - letterTop) * 7 / letterHeight
      guard y >= letterTop, row < 7, column < 5, letter % 9 != 8 else { continue }
      if glyphs.isInk(letter, column, row) {
        canvas[x] = Tint(0xF7FBF2).lit(262 - Int32(inside) / 6)
      }
    }
    for centre in [plan.across(120), plan.across(880)] {
      paintCross(y, centre: centre, middle: plan.down(68), arm: max(3, plan.down(52)), canvas)
    }
  }

  private func paintCross(_ y: Int, centre: Int, middle: Int, arm: Int, _ canvas: RowCanvas) {
    let dy = abs(y - middle)
    guard dy < arm else { return }
    let half = dy < arm / 3 ? arm : arm / 3
    let dot = max(2, arm / 12)
    for x in canvas.clipped(centre - half, centre + half) {
      let isDot = (x / dot) & 1 == 0 && (y / dot) & 1 == 0
      let ring = Int32(max(abs(x - centre), dy) * 160 / arm)
      canvas[x] = isDot ? Tint(0xA8FFC0).lit(330 - ring) : Tint(0x127A34).lit(300 - ring)
    }
  }

  private func paintAwning(_ y: Int, _ canvas: RowCanvas) {
    let inside = Int32((y - plan.down(135)) * 256 / max(1, plan.down(165) - plan.down(135)))
    let stripe = max(4, plan.across(9))
    for x in 0..<canvas.width {
      let isLight = (x / stripe) & 1 == 0
      let fold = Int32(x % stripe * 40 / stripe)
      canvas[x] = Tint(isLight ? 0xEFEDE2 : 0x1C7A4A).lit(270 - inside / 2 - fold)
    }
  }

  private func paintWindows(
    _ y: Int, _ stone: UnsafePointer<Int16>, _ street: UnsafePointer<Int16>, _ canvas: RowCanvas
  ) {
    let top = plan.down(165)
    let bottom = plan.down(885)
    let pegGap = max(4, plan.across(4))
    let pegSize = max(1, pegGap / 5)
    // Back wall: bright under each lamp strip.
    for x in 0..<canvas.width {
      let peg: Int32 = x % pegGap < pegSize && y % pegGap < pegSize ? -60 : 0
      canvas[x] = Tint(0xD9CFB8).lit(140 &+ peg &+ Int32(street[x]) &>> 7)
    }
    for shelf in shelves where y >= shelf.top && y < shelf.bottom {
      shelf.paint(y, glyphs: glyphs, on: canvas)
    }
    for x in 0..<canvas.width {
      // Print, paper and dust add texture, so that no surface behind the glass is perfectly plain.
      canvas[x] = canvas[x].lit(256 &+ Int32(stone[x]) &>> 7)
    }
    let fromTop = Int32((y - top) * 256 / max(1, bottom - top))
    let slope = (y - top) / 2
    let frame = max(2, plan.across(5))
    for x in 0..<canvas.width {
      // The glass mirrors the street faintly, in slanted bands.
      let band = Int32(((x &+ slope) * 7 / max(1, canvas.width / 6)) & 3)
      let mirrored = Int32(street[x])
      let weight = max(0, 34 &- fromTop &>> 3 &+ (band == 1 ? 20 : 0) &+ mirrored &>> 7)
      canvas.blend(x, Tint(0xBFD0DA), weight)
      let inPanel = x % panelWidth
      if inPanel < frame {
        let round = Int32(inPanel * 256 / frame)
        let shine = 120 &+ (round &* (256 &- round)) &>> 7
        canvas[x] = Tint(0x3C4448).lit(shine &+ Int32(stone[x]) &>> 9)
      } else if inPanel < frame * 2 {
        // The frame's shadow on the goods.
        canvas[x] = canvas[x].lit(180)
      }
    }
    if y - top < frame * 2 || bottom - y < frame {
      for x in 0..<canvas.width { canvas[x] = canvas[x].lit(120) }
    }
  }

  private func paintStreet(
    _ y: Int, _ stone: UnsafePointer<Int16>, _ street: UnsafePointer<Int16>, _ canvas: RowCanvas
  ) {
    let base = plan.down(885)
    let kerb = plan.down(935)
    let tile = max(6, plan.across(14))
    let tall = max(3, plan.height - kerb)
    let depth = max(1, y - kerb + tall / 2)
    let slab = max(16, canvas.width * 60 / tall)
    let far = tall * 2304 / depth
    let (row, along) = far.quotientAndRemainder(dividingBy: 512)
    let isCross = along < 2304 / depth * 2
    for x in 0..<canvas.width {
      let speckle = Int32(stone[x])
      if y < kerb {
        let block = (x / (tile * 3)) &+ (y - base) / max(1, (kerb - base) / 2)
        let tone = 190 + Int32(LatticeHash.below(40, plan.seed(4), block, 0))
        let isJoint = x % (tile * 3) < 2 || (y - base) % max(2, (kerb - base) / 2) < 2
        canvas[x] = Tint(0x8C8880).lit(isJoint ? 120 : tone &+ speckle &>> 6)
      } else {
        // Slabs in perspective: their joints converge at a point above the middle.
        let reach = x - plan.across(500)
        let u = reach * 1024 / depth + 1 << 24
        let (column, inside) = u.quotientAndRemainder(dividingBy: slab)
        let tone = Int32(LatticeHash.below(60, plan.seed(5), column, row))
        let isJoint = isCross || inside < 2048 / depth
        let wet = max(0, Int32(street[x])) &>> 6
        let lit = (isJoint ? 120 : 186 &+ tone) &+ speckle &>> 6
        canvas[x] = Tint(0x7D7A78).lit(lit).mixed(Tint(0xE8D9B0), wet)
      }
    }
  }
}

/// Letter-like marks on a 5x7 lattice: the left half is hashed, and the right half may mirror it.
struct GlyphPainter: Sendable {
  let seed: UInt64

  @inline(__always)
  func isInk(_ number: Int, _ column: Int, _ row: Int) -> Bool {
    let bits = LatticeHash.wide(seed, number, 0)
    // One vertical and one horizontal bar make a mark look like a letter.
    let upright = Int(bits & 3) &+ Int(bits &>> 2 & 1)
    let bar = Int(bits &>> 3 & 3) &* 2
    if column == upright || row == bar { return true }
    let mirrored = bits &>> 5 & 1 == 0 && column > 2 ? 4 &- column : column
    return bits &>> UInt64(8 &+ row &* 5 &+ mirrored) & 3 == 0
  }
}
