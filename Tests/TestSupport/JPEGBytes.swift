package import ZoomCorpus
internal import ZoomGeometry

/// The bytes and markers of a small JPEG, from which tests make files that no encoder writes.
package struct JPEGBytes: Sendable {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Encodes a picture with edges and texture.
  package init(
    _ width: Int, _ height: Int, _ options: JPEGEncoding, seed: UInt64 = 7
  ) throws {
    let size = try PixelSize(width: width, height: height)
    let scene = try SyntheticScene(
      .petronas, size: size, seed: seed, form: options.colour.sourceForm)
    bytes = try JPEGEncoder.encode(scene.pixels(), size: size, options)
  }

  package static func progressive(_ width: Int, _ height: Int) throws -> JPEGBytes {
    try JPEGBytes(width, height, JPEGEncoding(quality: 85).with(\.coding, .progressive))
  }

  /// Returns a small 4:2:0 picture with a restart marker after every MCU row.
  package static func small(_ width: Int = 150, _ height: Int = 203) throws -> JPEGBytes {
    try JPEGBytes(width, height, JPEGEncoding(quality: 85).with(\.restart, .rows(1)))
  }

  /// The markers up to the end marker, each with the offset of its second byte.
  ///
  /// This works for files of our encoder only: a wrong segment length ends the list.
  package var markers: [(at: Int, code: UInt8)] {
    var found: [(at: Int, code: UInt8)] = []
    var at = 0
    while at + 1 < bytes.count {
      guard bytes[at] == 0xFF, bytes[at + 1] != 0, bytes[at + 1] != 0xFF else {
        at += 1
        continue
      }
      let code = bytes[at + 1]
      found.append((at + 1, code))
      at += 2
      if code == 0xD9 { break }
      if !(0xD0...0xD8).contains(code), at + 1 < bytes.count {
        at += Int(bytes[at]) << 8 | Int(bytes[at + 1])
      }
    }
    return found
  }

  /// Returns the offsets of the second bytes of markers.
  package func places(of code: UInt8) -> [Int] {
    markers.filter { $0.code == code }.map(\.at)
  }

  /// The offsets of the second bytes of the restart markers.
  package var restarts: [Int] { markers.filter { (0xD0...0xD7).contains($0.code) }.map(\.at) }

  /// The offset of the first byte of entropy-coded data.
  package var codedStart: Int {
    guard let scan = places(of: 0xDA).first, scan + 2 < bytes.count else { return bytes.count }
    return scan + 1 + (Int(bytes[scan + 1]) << 8 | Int(bytes[scan + 2]))
  }

  /// The offset of the second byte of the end marker.
  package var end: Int { places(of: 0xD9).first ?? bytes.count }

  package func patched(_ change: (inout [UInt8]) -> Void) -> JPEGBytes {
    var copy = self
    change(&copy.bytes)
    return copy
  }
}

// Files that encoders do not write.
extension JPEGBytes {
  /// The offset of the second byte of the frame's marker (T.81 B.1.1.3).
  package var frame: Int? {
    markers.first { (0xC0...0xCF).contains($0.code) && ![0xC4, 0xC8, 0xCC].contains($0.code) }?.at
  }

  package static func segment(_ code: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, code, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }

  /// Returns the file with `count` fill bytes before every marker but the first (T.81 B.1.1.2).
  package func filled(_ count: Int) -> JPEGBytes {
    let places = markers.map { $0.at - 1 }.filter { $0 > 0 }
    return patched { bytes in
      for place in places.reversed() {
        bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: count), at: place)
      }
    }
  }

  /// Returns the file with the frame marker of extended sequential coding (SOF1).
  package func extended() -> JPEGBytes {
    guard let frame else { return self }
    return patched { $0[frame] = 0xC1 }
  }

  /// Returns the file with another height in the frame header.
  package func withHeight(_ height: Int) -> JPEGBytes {
    guard let frame else { return self }
    // After the marker come two bytes of length and one of precision.
    return patched {
      $0[frame + 4] = UInt8(height >> 8)
      $0[frame + 5] = UInt8(height & 0xFF)
    }
  }

  /// Returns the file with its height only in a DNL segment after the first scan (T.81 B.2.5), and
  /// 0 in the frame header.
  package func withLateHeight() -> JPEGBytes {
    guard let frame, let scan = places(of: 0xDA).first,
      let next = markers.first(where: { $0.at > scan && !(0xD0...0xD7).contains($0.code) })
    else { return self }
    let height = Array(bytes[frame + 4...frame + 5])
    return withHeight(0).patched {
      $0.insert(contentsOf: Self.segment(0xDC, height), at: next.at - 1)
    }
  }

  /// Returns the file with other sampling factors in the frame header.
  ///
  /// The data stay valid if MCUs and their blocks are the same. T.81 allows factors that do not
  /// divide the largest, but libjpeg does not encode them.
  package func withSampling(_ sampling: [JPEGEncoding.Sampling]) -> JPEGBytes {
    guard let frame else { return self }
    return patched { bytes in
      for (place, factors) in sampling.enumerated() {
        // Each component has three bytes after the component count; the second holds the factors.
        bytes[frame + 10 + 3 * place] = UInt8(factors.horizontal << 4 | factors.vertical)
      }
    }
  }
}

extension JPEGEncoding {
  package func with<Value>(
    _ setting: WritableKeyPath<JPEGEncoding, Value>, _ value: Value
  ) -> JPEGEncoding {
    var copy = self
    copy[keyPath: setting] = value
    return copy
  }
}
