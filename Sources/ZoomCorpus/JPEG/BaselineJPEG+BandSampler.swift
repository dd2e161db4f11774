extension BaselineJPEG {
  /// Turns the rows of one band into sample planes, one a component, padded to whole MCUs.
  ///
  /// Padding repeats the last column and row before chroma is averaged, so that blocks beyond the
  /// edge cost little and the edge itself does not darken.
  final class BandSampler {
    private let layout: Layout
    private let colour: Colour
    /// Width of a component at full resolution, a whole number of MCUs.
    private let fullWidth: Int
    /// Components before downsampling; the same buffer as `planes` where nothing is to be done.
    private let full: [ScratchBuffer<UInt8>]
    private let planes: [ScratchBuffer<UInt8>]

    init(layout: Layout, colour: Colour) {
      self.layout = layout
      self.colour = colour
      let width = layout.mcusWide * 8 * layout.horizontalMaximum
      fullWidth = width
      planes = layout.components.map { component in
        ScratchBuffer(
          count: layout.mcusWide * 64 * component.sampling.horizontal
            * component.sampling.vertical, repeating: 0)
      }
      let own = planes
      full = layout.components.indices.map { index in
        let isFull = layout.isFullResolution(index)
        return isFull ? own[index] : ScratchBuffer(count: width * layout.bandHeight, repeating: 0)
      }
    }

    /// Samples of a component's plane; `stride(of:)` apart from row to row.
    func plane(_ component: Int) -> UnsafePointer<UInt8> {
      UnsafePointer(planes[component].base)
    }

    func stride(of component: Int) -> Int {
      layout.mcusWide * 8 * layout.components[component].sampling.horizontal
    }

    /// Fills the planes from the band's rows in the colour's source form, without padding.
    ///
    /// - Parameters:
    ///   - pixels: `rowCount` rows of the picture's width.
    ///   - rowCount: Rows of the picture in this band, 1...`layout.bandHeight`.
    func load(_ pixels: UnsafePointer<UInt8>, rowCount: Int) {
      precondition((1...layout.bandHeight).contains(rowCount), "a band has another number of rows")
      let rowBytes = layout.size.width * colour.sourceForm.bytesPerPixel
      for row in 0..<rowCount {
        let offset = row * fullWidth
        let source = pixels + row * rowBytes
        let width = layout.size.width
        switch colour {
        case .gray:
          (full[0].base + offset).update(from: source, count: width)
        case .yCbCr:
          RowColour.yCbCr(
            source, 3, width, full[0].base + offset, full[1].base + offset, full[2].base + offset)
        case .rgbIdentifiers, .rgbAdobe:
          for band in 0..<3 {
            RowColour.extract(source + band, 3, width, 0, full[band].base + offset)
          }
        case .cmyk:
          for band in 0..<4 {
            RowColour.extract(source + band, 4, width, 0xFF, full[band].base + offset)
          }
        case .ycck:
          // Inverted ink is what YCCK calls CMY, and the transform inverts CMY once more.
          RowColour.yCbCr(
            source, 4, width, full[0].base + offset, full[1].base + offset, full[2].base + offset)
          RowColour.extract(source + 3, 4, width, 0xFF, full[3].base + offset)
        }
      }
      for (index, buffer) in full.enumerated() {
        extend(buffer.base, rowCount: rowCount)
        if !layout.isFullResolution(index) { reduce(index) }
      }
    }

    /// Repeats the last column and the last row out to the MCU's edge.
    private func extend(_ base: UnsafeMutablePointer<UInt8>, rowCount: Int) {
      let width = layout.size.width
      for row in 0..<rowCount {
        let line = base + row * fullWidth
        (line + width).update(repeating: line[width - 1], count: fullWidth - width)
      }
      let last = base + (rowCount - 1) * fullWidth
      for row in rowCount..<max(rowCount, layout.bandHeight) {
        (base + row * fullWidth).update(from: last, count: fullWidth)
      }
    }

    /// Averages the samples that a reduced component's sample covers, rounding halves up.
    ///
    /// Where the factors do not divide, a sample covers every full sample that it touches.
    private func reduce(_ index: Int) {
      let factor = layout.components[index].sampling
      let source = full[index].base
      let target = planes[index].base
      let width = stride(of: index)
      let across = layout.horizontalMaximum
      let down = layout.verticalMaximum
      if across == 2 * factor.horizontal, down == 2 * factor.vertical {
        for row in 0..<8 * factor.vertical {
          RowColour.halve(
            source + 2 * row * fullWidth, source + (2 * row + 1) * fullWidth, width,
            target + row * width)
        }
        return
      }
      for row in 0..<8 * factor.vertical {
        let top = row * down / factor.vertical
        let bottom = Layout.divideUp((row + 1) * down, factor.vertical)
        for column in 0..<width {
          let left = column * across / factor.horizontal
          let right = Layout.divideUp((column + 1) * across, factor.horizontal)
          var sum = 0
          for y in top..<bottom {
            for x in left..<right {
              sum &+= Int(source[y &* fullWidth &+ x])
            }
          }
          let area = (bottom - top) * (right - left)
          target[row * width + column] = UInt8(truncatingIfNeeded: (sum + area / 2) / area)
        }
      }
    }
  }

  /// Loops over the samples of a row.
  ///
  /// They run without bounds checks; callers own both ends.
  enum RowColour {
    /// The JFIF transform with 16-bit fractions, rounded as libjpeg rounds it.
    ///
    /// 0.299, 0.587, 0.114; -0.168736, -0.331264, 0.5; 0.5, -0.418688, -0.081312, times 65536.
    @inline(__always)
    static func yCbCr(
      _ source: UnsafePointer<UInt8>, _ step: Int, _ width: Int,
      _ luma: UnsafeMutablePointer<UInt8>, _ blue: UnsafeMutablePointer<UInt8>,
      _ red: UnsafeMutablePointer<UInt8>
    ) {
      let centre: Int32 = 128 << 16 + 32767
      for x in 0..<width {
        let r = Int32(source[x &* step])
        let g = Int32(source[x &* step &+ 1])
        let b = Int32(source[x &* step &+ 2])
        let y = (19595 &* r &+ 38470 &* g &+ 7471 &* b &+ 32768) &>> 16
        let cb = (32768 &* b &- 11059 &* r &- 21709 &* g &+ centre) &>> 16
        let cr = (32768 &* r &- 27439 &* g &- 5329 &* b &+ centre) &>> 16
        luma[x] = UInt8(truncatingIfNeeded: y)
        blue[x] = UInt8(truncatingIfNeeded: cb)
        red[x] = UInt8(truncatingIfNeeded: cr)
      }
    }

    /// One band of interleaved samples, each combined with `mask` by exclusive or.
    @inline(__always)
    static func extract(
      _ source: UnsafePointer<UInt8>, _ step: Int, _ width: Int, _ mask: UInt8,
      _ target: UnsafeMutablePointer<UInt8>
    ) {
      for x in 0..<width {
        target[x] = source[x &* step] ^ mask
      }
    }

    /// Averages of 2x2 samples.
    @inline(__always)
    static func halve(
      _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, _ width: Int,
      _ target: UnsafeMutablePointer<UInt8>
    ) {
      for x in 0..<width {
        let sum =
          UInt16(upper[2 &* x]) &+ UInt16(upper[2 &* x &+ 1])
          &+ UInt16(lower[2 &* x]) &+ UInt16(lower[2 &* x &+ 1])
        target[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
      }
    }
  }
}

extension BaselineJPEG.Layout {
  /// Whether a component has as many samples as the picture has pixels.
  func isFullResolution(_ component: Int) -> Bool {
    let factor = components[component].sampling
    return factor.horizontal == horizontalMaximum && factor.vertical == verticalMaximum
  }
}
