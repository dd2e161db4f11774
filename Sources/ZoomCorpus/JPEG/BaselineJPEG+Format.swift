extension BaselineJPEG {
  /// Options that have been checked against a size, with everything that follows from them.
  struct Format: Sendable {
    let options: Options
    let layout: Layout
    let scans: [Scan]
    let quantisation: [Quantisation]
    var huffman: HuffmanTables

    init(size: SceneSize, options: Options) throws(Failure) {
      guard (1...maximumSide).contains(size.width), (1...maximumSide).contains(size.height) else {
        throw .invalidSize(size)
      }
      guard (1...100).contains(options.quality) else { throw .invalidQuality(options.quality) }
      guard (0...255).contains(options.fillBytes) else { throw .invalidPadding(options.fillBytes) }
      guard options.trailer.count >= 0 else { throw .invalidPadding(options.trailer.count) }
      try options.metadata.validate()
      let count = options.colour.componentCount
      guard options.sampling.count == count else {
        throw .wrongSamplingCount(expected: count, got: options.sampling.count)
      }
      for (index, factor) in options.sampling.enumerated() {
        guard (1...4).contains(factor.horizontal), (1...4).contains(factor.vertical) else {
          throw .invalidSampling(component: index, factor)
        }
      }
      self.options = options
      let layout = Layout(size: size, colour: options.colour, sampling: options.sampling)
      self.layout = layout
      let groups =
        options.isOneScanPerComponent ? (0..<count).map { [$0] } : [Array(0..<count)]
      var scans: [Scan] = []
      for group in groups {
        let blocks = group.map { options.sampling[$0].horizontal * options.sampling[$0].vertical }
        if group.count > 1, blocks.reduce(0, +) > 10 {
          throw .tooManyBlocksInMCU(blocks.reduce(0, +))
        }
        scans.append(try Scan(components: group, layout: layout, restart: options.restart))
      }
      self.scans = scans
      quantisation = (0..<options.colour.tableCount).map {
        Quantisation(table: $0, quality: options.quality)
      }
      huffman = .annexK(count: options.colour.tableCount)
    }

    /// Everything from SOI to the last table.
    var prologue: [UInt8] {
      var writer = MarkerWriter(fillBytes: options.fillBytes)
      writer.marker(0xD8)
      options.metadata.write(for: options.colour, to: &writer)
      for (index, table) in quantisation.enumerated() {
        let steps = Quantisation.zigzag.map { UInt8(table.steps[$0]) }
        writer.segment(0xDB, [UInt8(index)] + steps)
      }
      let height = options.definesHeightLate ? 0 : layout.size.height
      var frame: [UInt8] = [8]
      frame += MarkerWriter.word(height) + MarkerWriter.word(layout.size.width)
      frame.append(UInt8(layout.components.count))
      for component in layout.components {
        let factor = component.sampling
        frame.append(component.identifier)
        frame.append(UInt8(factor.horizontal << 4 | factor.vertical))
        frame.append(UInt8(component.table))
      }
      writer.segment(options.isExtendedSequential ? 0xC1 : 0xC0, frame)
      for (index, table) in huffman.tables.enumerated() {
        // The class, 0 for DC, is in the upper half of the first byte.
        let head = UInt8((index & 1) << 4 | index >> 1)
        writer.segment(0xC4, [head] + table.counts.map { UInt8($0) } + table.symbols)
      }
      return writer.bytes
    }

    /// The header of a scan, with the restart interval if it is not the one already in force.
    func header(ofScan number: Int) -> [UInt8] {
      var writer = MarkerWriter(fillBytes: options.fillBytes)
      let scan = scans[number]
      let interval = number == 0 ? 0 : scans[number - 1].restartInterval
      if scan.restartInterval != interval {
        writer.segment(0xDD, MarkerWriter.word(scan.restartInterval))
      }
      var payload = [UInt8(scan.components.count)]
      for index in scan.components {
        let component = layout.components[index]
        payload += [component.identifier, UInt8(component.table << 4 | component.table)]
      }
      writer.segment(0xDA, payload + [0, 63, 0])
      return writer.bytes
    }

    /// What follows the data of a scan: the height, after the first one, if it was left open.
    func footer(ofScan number: Int) -> [UInt8] {
      var writer = MarkerWriter(fillBytes: options.fillBytes)
      if number == 0, options.definesHeightLate {
        writer.segment(0xDC, MarkerWriter.word(layout.size.height))
      }
      return writer.bytes
    }

    /// EOI and the bytes after it.
    var epilogue: [UInt8] {
      var writer = MarkerWriter(fillBytes: options.fillBytes)
      writer.marker(0xD9)
      return writer.bytes + options.trailer.bytes
    }
  }
}
