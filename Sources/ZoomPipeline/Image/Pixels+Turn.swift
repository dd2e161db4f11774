public import ZoomGeometry

extension Pixels {
  /// Returns the pixels turned clockwise; their values do not change.
  public func turned(by turn: QuarterTurn) -> Pixels { turned(by: turn, isMirrored: false) }

  /// Returns the pixels turned upright from the way that the picture's file stores them.
  package func upright(from orientation: Orientation) -> Pixels {
    turned(
      by: QuarterTurn(rawValue: orientation.quarterTurnsClockwise) ?? QuarterTurn.none,
      isMirrored: orientation.mirrorsHorizontally)
  }

  /// Returns the pixels turned clockwise, then mirrored left-right.
  private func turned(by turn: QuarterTurn, isMirrored: Bool) -> Pixels {
    if turn == .none, !isMirrored { return self }
    let (width, height) = (size.width, size.height)
    // The index of the pixel that becomes the first, and the steps from there to the pixels that
    // become its right and its lower neighbour.
    let (first, right, down): (Int, Int, Int) =
      switch turn {
      case .none: (0, 1, width)
      case .clockwise: ((height - 1) * width, -width, 1)
      case .half: (width * height - 1, -1, -width)
      case .counterclockwise: (width - 1, width, -1)
      }
    let turned = size.turned(by: turn)
    let (start, step) = isMirrored ? (first + right * (turned.width - 1), -right) : (first, right)
    return Pixels(
      size: turned, bands: bands, format: format, interpretation: interpretation,
      bytes: rearranged(first: start, right: step, down: down, rowLength: turned.width))
  }

  private func rearranged(first: Int, right: Int, down: Int, rowLength: Int) -> [UInt8] {
    let count = size.area
    let pixelBytes = bands * format.byteCount
    return unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, initialized in
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let target = buffer.baseAddress, let source = source.baseAddress else { return }
        // With a length known to the compiler, a pixel is copied without a loop.
        @inline(__always) func copy(_ length: Int) {
          var target = unsafe target
          for row in 0..<count / rowLength {
            var from = unsafe source + (first + row * down) * length
            for _ in 0..<rowLength {
              for byte in 0..<length { unsafe target[byte] = unsafe from[byte] }
              unsafe target += length
              unsafe from += right * length
            }
          }
        }
        switch pixelBytes {
        case 1: copy(1)
        case 3: copy(3)
        case 4: copy(4)
        default: copy(pixelBytes)
        }
      }
      initialized = bytes.count
    }
  }
}
