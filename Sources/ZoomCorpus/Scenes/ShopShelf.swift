/// One shelf of one pane: a board with goods on it under a strip of light.
struct ShopShelf: Sendable {
  let top, bottom: Int
  private let left, right, board: Int
  private let goods: [ShopItem]
  /// A second row of goods, further back and darker.
  private let behind: [ShopItem]

  /// Returns the shelves of all panes, filled with goods.
  static func stock(_ plan: ScenePlan, panels: Int) -> [ShopShelf] {
    let rows = 8
    let top = plan.down(175)
    let height = max(6, (plan.down(875) - top) / rows)
    let width = plan.width / panels
    return (0..<panels).flatMap { panel in
      (0..<rows).map { row in
        let seed = plan.seed(500 + panel * 16 + row)
        let board = max(2, height / 14)
        let y = top + row * height
        let left = panel * width
        let right = panel == panels - 1 ? plan.width : left + width
        return ShopShelf(
          top: y, bottom: y + height, left: left, right: right, board: board,
          goods: goods(seed, left..<right, floor: y + height - board, clear: height - board * 3),
          behind: goods(
            seed ^ 0xB, left..<right, floor: y + height - board * 5 / 2,
            clear: height - board * 4))
      }
    }
  }

  private static func goods(
    _ seed: UInt64, _ span: Range<Int>, floor: Int, clear: Int
  ) -> [ShopItem] {
    var items: [ShopItem] = []
    var x = span.lowerBound + clear / 16
    var number = 0
    while x < span.upperBound {
      let bits = LatticeHash.wide(seed, number, 3)
      let kind = ShopItem.Kind.allCases[Int(bits & 7) % ShopItem.Kind.allCases.count]
      let height = clear * (54 + LatticeHash.below(44, seed, number, 4)) / 100
      let narrow = kind == .bottle ? 30 : 46
      let width = max(2, height * (narrow + LatticeHash.below(50, seed, number, 5)) / 100)
      // Several copies of a product are placed side by side.
      for copy in 0..<1 + LatticeHash.below(5, seed, number, 6) {
        guard x + width <= span.upperBound else { break }
        let drop = clear * LatticeHash.below(4, seed, number * 8 + copy, 7) / 100
        items.append(
          ShopItem(
            left: x, right: x + width, top: floor - height + drop, bottom: floor, kind: kind,
            bits: bits))
        x += width + max(1, clear / 60)
      }
      x += clear * LatticeHash.below(9, seed, number, 8) / 100 + 1
      number += 1
    }
    return items
  }

  func paint(_ y: Int, glyphs: GlyphPainter, on canvas: RowCanvas) {
    let height = max(1, bottom - top)
    // Light falls off downwards from the strip of light under the board above.
    let light = Int32(300 - (y - top) * 120 / height)
    if y >= bottom - board {
      let inside = Int32((y - bottom + board) * 256 / board)
      for x in canvas.clipped(left, right) {
        // Price tags hang on the board's edge.
        let isTag = (x - left) % (board * 9) < board * 4 && inside > 60
        canvas[x] = isTag ? Tint(0xFAF6DC).lit(250) : Tint(0xE9E4DA).lit(270 - inside / 3)
      }
      return
    }
    for x in canvas.clipped(left, right) {
      canvas[x] = canvas[x].lit(light + 40)
    }
    if y < top + board {
      for x in canvas.clipped(left, right) { canvas[x] = Tint(0xFFF9E6) }
      return
    }
    for item in behind where y >= item.top && y < item.bottom {
      item.paint(y, light: (light * 5) >> 3, glyphs: glyphs, on: canvas)
    }
    for item in goods where y >= item.top {
      item.paint(y, light: light, glyphs: glyphs, on: canvas)
    }
  }
}

/// A box or a bottle.
struct ShopItem: Sendable {
  enum Kind: CaseIterable {
    case plainBox, bandedBox, printedBox, bottle, gradientBox
  }

  let left, right, top, bottom: Int
  let kind: Kind
  /// The hash of the product, equal for copies.
  let bits: UInt64

  private static let colours: [Tint] = [
    0xF4F2EC, 0xFFFFFF, 0xD8342C, 0x1F5FA8, 0xF2B632, 0x2E9A58, 0xE8E0CC, 0x7A3F98, 0xEE7A2C,
    0x57B4DC, 0xF3A6B8, 0x25384F, 0xA7CF4A, 0xFAF8F2, 0x0F8A8A, 0xC9D4DA,
  ].map { Tint($0) }

  private func colour(_ shift: UInt64) -> Tint {
    Self.colours[Int(bits &>> shift & 15)]
  }

  func paint(_ y: Int, light: Int32, glyphs: GlyphPainter, on canvas: RowCanvas) {
    let width = max(1, right - left)
    let down = (y - top) * 256 / max(1, bottom - top)
    // A bottle's neck is narrower than its body.
    let inset = kind == .bottle && down < 46 ? width / 4 : 0
    let main = colour(8)
    let second = colour(12)
    let third = colour(16)
    let unit = max(1, width / 34)
    for x in canvas.clipped(left + inset, right - inset) {
      let across = (x - left) * 256 / width
      var tint = main
      switch kind {
      case .plainBox:
        if (70...96).contains(down) { tint = second }
        tint = label(tint, third, x, y, down, 120, 230, unit, glyphs)
      case .bandedBox:
        if down > 160 { tint = second }
        if abs(down - 160) < 6 { tint = third }
        tint = label(tint, second.mixed(Tint(0), 120), x, y, down, 30, 140, unit, glyphs)
      case .printedBox:
        let dx = across - 128
        let dy = down - 90
        if dx * dx + dy * dy < 3600 { tint = second }
        if dx * dx + dy * dy < 1300 { tint = third }
        tint = label(tint, Tint(0x30343A), x, y, down, 170, 244, unit, glyphs)
      case .bottle:
        if down < 40 { tint = second }
        if (96...214).contains(down) { tint = Tint(0xF8F6F0) }
        tint = label(tint, third, x, y, down, 104, 206, unit, glyphs)
      case .gradientBox:
        tint = main.mixed(second, Int32((across + down) / 2))
        tint = label(tint, Tint(0xFDFDFD), x, y, down, 40, 150, unit, glyphs)
      }
      let place = Int32(across - 128)
      // Bottles are round, boxes have a bright and a dark edge.
      var shade: Int32 = kind == .bottle ? 300 - (place * place) / 90 : 268 - place / 6
      if x == left { shade += 50 } else if x >= right - max(1, width / 40) { shade -= 90 }
      canvas[x] = tint.lit((shade * light) >> 8)
    }
  }

  /// Draws lines of marks between two heights of the item.
  @inline(__always)
  private func label(
    _ ground: Tint, _ ink: Tint, _ x: Int, _ y: Int, _ down: Int, _ from: Int, _ to: Int,
    _ unit: Int, _ glyphs: GlyphPainter
  ) -> Tint {
    guard down >= from, down < to else { return ground }
    let line = (y - top) / (unit * 10)
    let row = (y - top) % (unit * 10) / unit
    let (letter, rest) = (x - left).quotientAndRemainder(dividingBy: unit * 6)
    guard row < 7, letter > 0, x < right - unit * 4, rest / unit < 5 else { return ground }
    let number = Int(bits &>> 20 & 0xFFFF) + line * 64 + letter
    return glyphs.isInk(number, rest / unit, row) ? ink : ground
  }
}
