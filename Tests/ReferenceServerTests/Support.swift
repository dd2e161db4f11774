import ForeignPipelines
import TestSupport
import ZoomGeometry
import ZoomPipeline

@testable import ReferenceServer

/// Pictures in which every place looks different.
enum Samples {
  /// Returns a picture whose red encodes the column and green the row; no band is symmetric.
  static func picture(_ width: Int, _ height: Int, alpha: Bool = false) throws -> Pixels {
    try Pixels(width: width, height: height, bands: alpha ? 4 : 3) { x, y, band in
      switch band {
      case 0: UInt8(x * 251 / width)
      case 1: UInt8(y * 241 / height)
      case 2: UInt8((x * x + 7 * y + x * y / 5) % 256)
      default: UInt8(255 - (x + y) % 200)
      }
    }
  }

  static func grey(_ width: Int, _ height: Int) throws -> Pixels {
    try Pixels(width: width, height: height, bands: 1, interpretation: .grey) { x, y, _ in
      UInt8((y * width + x) * 37 % 251)
    }
  }
}

extension ReferenceServer {
  func get(_ path: String, headers: [String] = []) throws -> ServerAnswer {
    try send(ServerRequest(path, headers: headers))
  }

  func status(_ path: String) throws -> Int { try get(path).status }

  /// Returns the pixels that libvips decodes from an answer; nil if the request is refused.
  func pixels(_ path: String) throws -> Pixels? {
    let answer = try get(path)
    guard answer.status == 200 else { return nil }
    let folder = try TestFolder()
    let file = try folder.write(answer.body, as: "answer")
    return try Picture(file).storedPixels()
  }

  /// Returns the size of a picture, such as "300x200"; nil if the request is refused.
  func size(_ path: String) throws -> String? {
    try pixels(path).map { "\($0.size)" }
  }
}
