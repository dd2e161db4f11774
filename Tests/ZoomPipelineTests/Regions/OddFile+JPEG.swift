import TestSupport
import ZoomCorpus

extension OddFile {
  /// Damaged and odd JPEGs.
  static let jpegs: [OddFile] =
    patches.map { name, patch in
      OddFile(testDescription: name, suffix: "jpg") {
        var jpeg = try JPEGBytes.small()
        patch(&jpeg)
        return jpeg.bytes
      }
    } + [
      // The first scan, of luma, uses quantisation table 0 and is over.
      OddFile(testDescription: "a table that changes between scans", suffix: "jpg") {
        var jpeg = try JPEGBytes(
          100, 80, JPEGEncoding(quality: 80).with(\.isOneScanPerComponent, true))
        let table: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        jpeg.bytes.insert(contentsOf: table, at: jpeg.places(of: 0xDA)[1] - 1)
        return jpeg.bytes
      }
    ]

  private static let patches: [(String, @Sendable (inout JPEGBytes) -> Void)] = [
    ("nothing", { _ in }),
    ("a restart marker numbered one too high", { $0.bytes[$0.restarts[2]] += 1 }),
    ("two restart markers swapped", { $0.bytes.swapAt($0.restarts[1], $0.restarts[2]) }),
    (
      "a restart marker cut out",
      { $0.bytes.removeSubrange($0.restarts[4] - 1...$0.restarts[4]) }
    ),
    (
      "the last segment cut out",
      { $0.bytes.removeSubrange($0.restarts[$0.restarts.count - 1] - 1..<$0.end - 1) }
    ),
    (
      "a whole segment cut out",
      { $0.bytes.removeSubrange($0.restarts[3] - 1..<$0.restarts[4] - 1) }
    ),
    ("a segment too many", { $0.repeatAtEnd($0.restarts[3] - 1..<$0.restarts[4] - 1) }),
    ("the end marker cut off", { $0.bytes.removeSubrange(($0.end - 1)...) }),
    ("cut inside the coded data", { $0.bytes.removeSubrange(($0.restarts[5] + 40)...) }),
    ("zeros after the end", { $0.bytes += [UInt8](repeating: 0, count: 999) }),
    ("markers after the end", { $0.bytes += [0xFF, 0xD3, 0xFF, 0xDA, 0xFF, 0xD9, 0xFF] }),
    ("a second picture after the end", { $0.bytes += $0.bytes }),
    ("a second scan after the first", { $0.repeatAtEnd($0.places(of: 0xDA)[0] - 1..<$0.end - 1) }),
    (
      "a table after the scan",
      { $0.repeatAtEnd($0.places(of: 0xDB)[0] - 1..<$0.places(of: 0xDB)[0] + 68) }
    ),
    ("the frame called progressive", { $0.frame(0xC2) }),
    ("the frame called extended", { $0.frame(0xC1) }),
    ("the frame called lossless", { $0.frame(0xC3) }),
    ("the frame called arithmetic", { $0.frame(0xC9) }),
    ("the frame called hierarchical", { $0.frame(0xC5) }),
    ("the frame called hierarchical and progressive", { $0.frame(0xC6) }),
    ("the frame called arithmetic and progressive", { $0.frame(0xCA) }),
    ("the frame called arithmetic and lossless", { $0.frame(0xCB) }),
    ("the frame called arithmetic and hierarchical", { $0.frame(0xCD) }),
    ("12 bits a sample", { $0.bytes[$0.places(of: 0xC0)[0] + 3] = 12 }),
    ("a height of zero", { $0 = $0.withHeight(0) }),
    ("fill bytes before all markers", { $0 = $0.filled(3) }),
    ("a restart interval of 7", { $0.interval(7) }),
    ("a restart interval of two rows", { $0.interval(20) }),
    ("a restart interval of zero", { $0.interval(0) }),
    ("half the height", { $0.bytes[$0.places(of: 0xC0)[0] + 5] /= 2 }),
    // SOI and the first marker take four bytes; the length includes its two bytes.
    (
      "bytes after the first segment",
      { $0.bytes.insert(contentsOf: [0, 0], at: 4 + Int($0.bytes[4]) << 8 + Int($0.bytes[5])) }
    ),
    (
      "bytes before the frame",
      { $0.bytes.insert(0x11, at: $0.places(of: 0xC0)[0] - 1) }
    ),
  ]
}

extension JPEGBytes {
  fileprivate mutating func frame(_ code: UInt8) { bytes[places(of: 0xC0)[0]] = code }

  /// Repeats a part of the file before the end marker.
  fileprivate mutating func repeatAtEnd(_ part: Range<Int>) {
    bytes.insert(contentsOf: Array(bytes[part]), at: end - 1)
  }

  fileprivate mutating func interval(_ mcus: Int) {
    let segment = places(of: 0xDD)[0]
    bytes[segment + 3] = UInt8(mcus >> 8)
    bytes[segment + 4] = UInt8(mcus & 255)
  }
}
