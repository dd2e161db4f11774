extension BaselineJPEG {
  /// Codes the blocks of a scan, band by band (T.81 F.1).
  final class BandCoder {
    private let format: Format
    let sampler: BandSampler
    private let block = ScratchBuffer<Int32>(count: 64, repeating: 0)
    /// Quantisation reciprocals in natural order, 64 a table.
    private let reciprocals: ScratchBuffer<UInt64>
    /// Half of the divisor, for rounding.
    private let halves: ScratchBuffer<Int32>
    private let zigzag = ScratchBuffer<UInt8>(count: 64, repeating: 0)
    /// The last DC value of each component.
    private let predictions = ScratchBuffer<Int32>(count: 4, repeating: 0)

    init(format: Format) {
      self.format = format
      sampler = BandSampler(layout: format.layout, colour: format.options.colour)
      let count = format.quantisation.count * 64
      reciprocals = ScratchBuffer(count: count, repeating: 0)
      halves = ScratchBuffer(count: count, repeating: 0)
      for (table, quantisation) in format.quantisation.enumerated() {
        for (index, value) in quantisation.reciprocals.enumerated() {
          reciprocals.base[table * 64 + index] = value
          halves.base[table * 64 + index] = Int32(quantisation.steps[index] * 4)
        }
      }
      for (position, index) in Quantisation.zigzag.enumerated() {
        zigzag.base[position] = UInt8(index)
      }
    }

    /// Bytes that coding a band of a scan may write at most.
    static func capacity(format: Format, scan: Scan) -> Int {
      let blocks = scan.components.map { index in
        let component = format.layout.components[index]
        let wide = format.layout.mcusWide * component.sampling.horizontal
        return wide * component.sampling.vertical
      }.reduce(0, +)
      let restart = BitWriter.restartCapacity(fillBytes: format.options.fillBytes)
      let restarts = scan.restartInterval > 0 ? scan.mcusWide * scan.rowsPerBand : 0
      return blocks * BitWriter.blockCapacity + restarts * restart + 64
    }

    /// Codes the band that the sampler holds, beginning at band 0 or at an independent one.
    func code(_ scan: Scan, band: Int, into sink: inout some SymbolSink) {
      if scan.isIndependent(band: band) { forget() }
      let rows = scan.mcuRows(ofBand: band)
      for row in rows {
        for column in 0..<scan.mcusWide {
          let mcu = row * scan.mcusWide + column
          if scan.restartInterval > 0, mcu > 0, mcu % scan.restartInterval == 0 {
            sink.restart((mcu / scan.restartInterval - 1) & 7)
            forget()
          }
          if scan.components.count == 1 {
            code(scan.components[0], column, row - rows.lowerBound, into: &sink)
          } else {
            for component in scan.components {
              let factor = format.layout.components[component].sampling
              for y in 0..<factor.vertical {
                for x in 0..<factor.horizontal {
                  code(component, column &* factor.horizontal &+ x, y, into: &sink)
                }
              }
            }
          }
        }
      }
    }

    private func forget() {
      predictions.base.update(repeating: 0, count: 4)
    }

    /// Codes the block in a column and row of blocks of a component's plane.
    @inline(__always)
    private func code(_ component: Int, _ x: Int, _ y: Int, into sink: inout some SymbolSink) {
      let stride = sampler.stride(of: component)
      let samples = sampler.plane(component) + (y &* 8 &* stride &+ x &* 8)
      let block = block.base
      for row in 0..<8 {
        for column in 0..<8 {
          block[row &* 8 &+ column] = Int32(samples[row &* stride &+ column]) &- 128
        }
      }
      ForwardDCT.transform(block)
      let table = format.layout.components[component].table
      quantise(table)
      emit(component, table, into: &sink)
    }

    /// Divides by the steps, halves away from zero.
    @inline(__always)
    private func quantise(_ table: Int) {
      let block = block.base
      let reciprocals = reciprocals.base + table &* 64
      let halves = halves.base + table &* 64
      for index in 0..<64 {
        let value = block[index]
        let sign = value &>> 31
        let magnitude = UInt64(UInt32(truncatingIfNeeded: (value ^ sign) &- sign &+ halves[index]))
        let quotient = Int32(truncatingIfNeeded: (magnitude &* reciprocals[index]) &>> 32)
        block[index] = (quotient ^ sign) &- sign
      }
    }

    /// Writes the DC difference and the runs of AC coefficients (T.81 F.1.2.1, F.1.2.2).
    @inline(__always)
    private func emit(_ component: Int, _ table: Int, into sink: inout some SymbolSink) {
      let block = block.base
      let zigzag = zigzag.base
      let tables = table &* 512
      let difference = block[0] &- predictions.base[component]
      predictions.base[component] = block[0]
      let size = Self.category(difference)
      sink.symbol(tables &+ size, extra: Self.bits(difference, size), extraLength: size)

      var run = 0
      for position in 1..<64 {
        // 8-bit samples keep every AC coefficient inside the 10 bits that baseline allows.
        let value = block[Int(zigzag[position])]
        if value == 0 {
          run &+= 1
          continue
        }
        while run > 15 {
          sink.symbol(tables &+ 256 &+ 0xF0, extra: 0, extraLength: 0)
          run &-= 16
        }
        let size = Self.category(value)
        let slot = tables &+ 256 &+ (run &<< 4 | size)
        sink.symbol(slot, extra: Self.bits(value, size), extraLength: size)
        run = 0
      }
      if run > 0 {
        sink.symbol(tables &+ 256, extra: 0, extraLength: 0)
      }
    }

    /// Number of bits of the magnitude (T.81 Tables F.1 and F.2).
    @inline(__always)
    private static func category(_ value: Int32) -> Int {
      32 &- value.magnitude.leadingZeroBitCount
    }

    /// The additional bits: the value itself, or one less for a negative one.
    @inline(__always)
    private static func bits(_ value: Int32, _ size: Int) -> UInt32 {
      let shifted = UInt32(truncatingIfNeeded: value &+ (value &>> 31))
      return shifted & ((1 &<< UInt32(truncatingIfNeeded: size)) &- 1)
    }
  }
}
