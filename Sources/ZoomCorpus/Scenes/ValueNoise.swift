/// The polynomial 3t^2 - 2t^3 in fixed point.
enum Smoothstep {
  /// Returns the weight, 0...32767, at a place in a cell of 2^`shift` steps; `shift` is at most 16.
  static func weight(_ place: Int, _ shift: Int) -> Int16 {
    let t = (place << 16) >> shift
    let value = (t * t * ((3 << 16) - 2 * t)) >> 33
    return Int16(truncatingIfNeeded: min(32767, value))
  }

  static func weights(_ shift: Int) -> ScratchBuffer<Int16> {
    let table = ScratchBuffer<Int16>(count: 1 << shift, repeating: 0)
    for place in 0..<1 << shift {
      table.base[place] = weight(place, shift)
    }
    return table
  }
}

/// One octave of value noise: random heights on a lattice, joined by smoothstep in 16-bit integers.
///
/// Rows can be computed in any order; consecutive rows are cheapest. A plain lattice shows as a
/// grid. Two things hide it at almost no cost: each lattice column has a different vertical phase,
/// and the whole row is shifted sideways by a slow noise of `y`.
final class NoiseRow {
  private let seed: UInt64
  /// Base-2 logarithms of the lattice spacing in pixels, 0...14.
  private let shiftX, shiftY: Int
  /// Largest height, 0...8191; heights lie in `-amplitude...amplitude`.
  private let amplitude: Int32
  private let width: Int
  /// The heights above and below the current row at the lattice columns.
  private let top, bottom: ScratchBuffer<Int16>
  /// The lattice row of `top` for each column, because each column has a different phase.
  private let cellRow: ScratchBuffer<Int32>
  private let phase: ScratchBuffer<Int32>
  /// The heights on the current row at the lattice columns.
  private let values: ScratchBuffer<Int16>
  private let weightsX, weightsY: ScratchBuffer<Int16>

  /// Creates an octave; those with different seeds are independent.
  init(seed: UInt64, shiftX: Int, shiftY: Int, amplitude: Int, width: Int) {
    self.seed = LatticeHash.wide(seed, shiftX, shiftY)
    self.shiftX = min(14, max(0, shiftX))
    self.shiftY = min(14, max(0, shiftY))
    self.amplitude = Int32(min(8191, max(0, amplitude)))
    self.width = width
    let columns = (width >> self.shiftX) + 7
    top = ScratchBuffer(count: columns, repeating: 0)
    bottom = ScratchBuffer(count: columns, repeating: 0)
    cellRow = ScratchBuffer(count: columns, repeating: .min)
    phase = ScratchBuffer(count: columns, repeating: 0)
    values = ScratchBuffer(count: columns, repeating: 0)
    weightsX = Smoothstep.weights(self.shiftX)
    weightsY = Smoothstep.weights(self.shiftY)
    for column in 0..<columns {
      // A common phase is invisible at spacings up to 4 pixels.
      let place = self.shiftX <= 2 ? 0 : column
      phase.base[column] = Int32(LatticeHash.below(1 << self.shiftY, self.seed, place, -1))
    }
  }

  /// Adds the heights of row `y` to `width` values; their sums must fit into 16 bits, unchecked.
  func add(row y: Int, to sum: UnsafeMutablePointer<Int16>) {
    let start = sway(y)
    let first = start >> shiftX
    interpolate(row: y, columns: first..<((start + width - 1) >> shiftX) + 2)
    let cell = 1 << shiftX
    let inside = start & (cell - 1)
    var column = first
    var x = 0
    if inside > 0 {
      x = min(cell - inside, width)
      addPart(of: column, from: inside, count: x, to: sum)
      column += 1
    }
    let whole = (width - x) >> shiftX
    // Constant widths let the compiler unroll the inner loop of short cells.
    switch cell {
    case 1: addCells(from: column, whole, width: 1, to: sum + x)
    case 2: addCells(from: column, whole, width: 2, to: sum + x)
    case 4: addCells(from: column, whole, width: 4, to: sum + x)
    default: addCells(from: column, whole, width: cell, to: sum + x)
    }
    x += whole << shiftX
    if x < width {
      addPart(of: column + whole, from: 0, count: width - x, to: sum + x)
    }
  }

  /// Returns the shift of a row in pixels, `0..<4 << shiftX`.
  private func sway(_ y: Int) -> Int {
    let step = shiftY + 2
    let above = LatticeHash.below(4 << shiftX, seed ^ 0x5A, 0, y >> step)
    let below = LatticeHash.below(4 << shiftX, seed ^ 0x5A, 0, (y >> step) + 1)
    let weight = Int(Smoothstep.weight(y & ((1 << step) - 1), step))
    return above + ((below - above) * weight) >> 15
  }

  @inline(__always)
  private func height(_ column: Int, _ row: Int) -> Int16 {
    let signed = Int32(Int16(truncatingIfNeeded: LatticeHash.value(seed, column, row)))
    return Int16(truncatingIfNeeded: (signed &* amplitude) &>> 15)
  }

  @inline(__always)
  private func addCells(
    from column: Int, _ count: Int, width: Int, to target: UnsafeMutablePointer<Int16>
  ) {
    for cell in 0..<count {
      addPart(of: column &+ cell, from: 0, count: width, to: target + cell &* width)
    }
  }

  @inline(__always)
  private func addPart(
    of column: Int, from inside: Int, count: Int, to target: UnsafeMutablePointer<Int16>
  ) {
    let left = values.base[column]
    // Twice the difference times a 15-bit weight: the product's upper half is the offset.
    let slope = Int32(values.base[column &+ 1] &- left) &* 2
    let steps = weightsX.base + inside
    for step in 0..<count {
      let offset = Int16(truncatingIfNeeded: (slope &* Int32(steps[step])) &>> 16)
      target[step] = target[step] &+ left &+ offset
    }
  }

  /// Computes the heights of row `y` at the given lattice columns.
  ///
  /// Each column has its own lattice row and weight, because the phases differ.
  private func interpolate(row y: Int, columns: Range<Int>) {
    let mask = (1 << shiftY) - 1
    for column in columns {
      let place = y &+ Int(phase.base[column])
      let row = place &>> shiftY
      if cellRow.base[column] != Int32(truncatingIfNeeded: row) {
        let isNext = cellRow.base[column] == Int32(truncatingIfNeeded: row &- 1)
        top.base[column] = isNext ? bottom.base[column] : height(column, row)
        bottom.base[column] = height(column, row &+ 1)
        cellRow.base[column] = Int32(truncatingIfNeeded: row)
      }
      let above = top.base[column]
      let slope = Int32(bottom.base[column] &- above) &* 2
      let weight = Int32(weightsY.base[place & mask])
      values.base[column] = above &+ Int16(truncatingIfNeeded: (slope &* weight) &>> 16)
    }
  }
}
