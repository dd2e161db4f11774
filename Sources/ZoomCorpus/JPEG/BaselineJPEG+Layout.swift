extension BaselineJPEG {
  /// One component of the frame.
  struct Component: Sendable {
    let identifier: UInt8
    let sampling: Sampling
    /// 0 for luma-like, 1 for chroma; quantisation and Huffman tables carry the same number.
    let table: Int
    /// Blocks that hold picture samples: what a scan of this component alone codes (T.81 A.2.2).
    let blocksWide: Int
    let blocksHigh: Int
  }

  /// Which blocks the scans of a picture hold, and how many (T.81 A.1.1, A.2).
  struct Layout: Sendable {
    let size: SceneSize
    let components: [Component]
    let horizontalMaximum: Int
    let verticalMaximum: Int
    /// MCUs in a row of an interleaved scan; a *band* is such a row, whatever the scans look like.
    let mcusWide: Int
    let bandCount: Int

    /// Picture rows in a band; the last band may hold fewer.
    var bandHeight: Int { 8 * verticalMaximum }

    init(size: SceneSize, colour: Colour, sampling: [Sampling]) {
      let horizontal = sampling.map(\.horizontal).max() ?? 1
      let vertical = sampling.map(\.vertical).max() ?? 1
      self.size = size
      horizontalMaximum = horizontal
      verticalMaximum = vertical
      mcusWide = Self.divideUp(size.width, 8 * horizontal)
      bandCount = Self.divideUp(size.height, 8 * vertical)
      components = sampling.indices.map { index in
        let factor = sampling[index]
        let width = Self.divideUp(size.width * factor.horizontal, horizontal)
        let height = Self.divideUp(size.height * factor.vertical, vertical)
        return Component(
          identifier: colour.identifier(of: index), sampling: factor,
          table: colour.table(of: index),
          blocksWide: Self.divideUp(width, 8), blocksHigh: Self.divideUp(height, 8))
      }
    }

    /// Picture rows of a band.
    func rows(ofBand band: Int) -> Range<Int> {
      band * bandHeight..<min(size.height, (band + 1) * bandHeight)
    }

    static func divideUp(_ value: Int, _ divisor: Int) -> Int {
      (value + divisor - 1) / divisor
    }
  }

  /// One scan: all components interleaved, or one alone.
  struct Scan: Sendable {
    let components: [Int]
    /// MCUs in one row of the scan; in a scan of one component an MCU is one block.
    let mcusWide: Int
    /// MCU rows of the scan in one band.
    let rowsPerBand: Int
    /// MCU rows in the whole scan.
    let rowCount: Int
    /// MCUs between restart markers; 0 for none.
    let restartInterval: Int

    init(components: [Int], layout: Layout, restart: Restart) throws(Failure) {
      self.components = components
      if components.count == 1 {
        let component = layout.components[components[0]]
        mcusWide = component.blocksWide
        rowsPerBand = component.sampling.vertical
        rowCount = component.blocksHigh
      } else {
        mcusWide = layout.mcusWide
        rowsPerBand = 1
        rowCount = layout.bandCount
      }
      let interval: Int
      switch restart {
      case .none:
        interval = 0
      case .mcus(let count):
        guard count > 0 else { throw .invalidRestartInterval(count) }
        interval = count
      case .rows(let count):
        guard count > 0, count <= 0xFFFF else { throw .invalidRestartInterval(count) }
        interval = count * mcusWide
      }
      guard interval <= 0xFFFF else { throw .invalidRestartInterval(interval) }
      restartInterval = interval
    }

    /// MCU rows of the scan that a band holds; fewer than `rowsPerBand` at the bottom.
    func mcuRows(ofBand band: Int) -> Range<Int> {
      let first = min(rowCount, band * rowsPerBand)
      return first..<min(rowCount, first + rowsPerBand)
    }

    /// Whether coding can start at a band without knowing what came before it.
    func isIndependent(band: Int) -> Bool {
      let first = band * rowsPerBand * mcusWide
      return band == 0 || (restartInterval > 0 && first % restartInterval == 0)
    }
  }
}

extension BaselineJPEG.Colour {
  fileprivate func identifier(of index: Int) -> UInt8 {
    switch self {
    case .rgbIdentifiers: Array("RGB".utf8)[index]
    case .gray, .yCbCr, .rgbAdobe, .cmyk, .ycck: UInt8(index + 1)
    }
  }

  fileprivate func table(of index: Int) -> Int {
    switch self {
    case .yCbCr, .ycck: index == 1 || index == 2 ? 1 : 0
    case .gray, .rgbIdentifiers, .rgbAdobe, .cmyk: 0
    }
  }

  /// Number of quantisation and Huffman table pairs in use.
  var tableCount: Int {
    self == .yCbCr || self == .ycck ? 2 : 1
  }
}
