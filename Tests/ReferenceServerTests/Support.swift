import ForeignPipelines
import ZoomGeometry
import ZoomPipeline

@testable import ReferenceServer

/// Pictures in which every place looks different, and servers of them.
enum Samples {
  /// Returns a picture whose red encodes the column and green the row; no band is symmetric.
  static func picture(_ width: Int, _ height: Int, alpha: Bool = false) throws -> Pixels {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        bytes += [
          UInt8(x * 251 / width), UInt8(y * 241 / height), UInt8((x * x + 7 * y + x * y / 5) % 256),
        ]
        if alpha { bytes.append(UInt8(255 - (x + y) % 200)) }
      }
    }
    return Pixels(
      size: try PixelSize(width: width, height: height), bands: alpha ? 4 : 3, format: .uint8,
      interpretation: .srgb, bytes: bytes)
  }

  static func grey(_ width: Int, _ height: Int) throws -> Pixels {
    Pixels(
      size: try PixelSize(width: width, height: height), bands: 1, format: .uint8,
      interpretation: .grey, bytes: (0..<width * height).map { UInt8($0 * 37 % 251) })
  }

  static func flat(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> Pixels {
    Pixels(
      size: try PixelSize(width: width, height: height), bands: pixel.count, format: .uint8,
      interpretation: pixel.count > 2 ? .srgb : .grey,
      bytes: (0..<width * height).flatMap { _ in pixel })
  }
}

extension ReferenceServer {
  func get(_ path: String, headers: [String] = []) throws -> ServerAnswer {
    try send(ServerRequest(path, headers: headers))
  }

  func status(_ path: String) throws -> Int { try get(path).status }

  func pixels(_ path: String) throws -> Pixels? {
    let answer = try get(path)
    return answer.status == 200 ? Pixels(storedPNG: answer.body) : nil
  }

  /// Returns the size of a PNG answer: "300x200".
  func size(_ path: String) throws -> String? {
    try pixels(path).map { "\($0.size)" }
  }
}

extension Pixels {
  /// Decodes the output of `PNGEncoder`: stored blocks, no filters.
  init?(storedPNG bytes: [UInt8]) {
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.count > 57, bytes[1...3].elementsEqual("PNG".utf8) else { return nil }
    let (width, height) = (number(16), number(20))
    guard let bands = [0: 1, 2: 3, 4: 2, 6: 4][Int(bytes[25])] else { return nil }
    var rows: [UInt8] = []
    // After the header chunk, the length and name of IDAT, and two bytes of zlib.
    var place = 33 + 8 + 2
    while rows.count < height * (width * bands + 1), place + 5 < bytes.count {
      let count = Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8
      rows += bytes[place + 5..<min(place + 5 + count, bytes.count)]
      place += 5 + count
    }
    guard rows.count == height * (width * bands + 1) else { return nil }
    var samples: [UInt8] = []
    for row in 0..<height {
      let start = row * (width * bands + 1) + 1
      samples += rows[start..<start + width * bands]
    }
    self.init(Extent(width: width, height: height), bands: bands, samples)
  }
}
