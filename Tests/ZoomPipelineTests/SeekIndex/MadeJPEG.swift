import SystemPackage
import TestSupport
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// A JPEG made for a test, in a folder that goes with it.
struct MadeJPEG {
  private let folder: TestFolder
  let path: FilePath

  init(_ bytes: [UInt8]) throws {
    folder = try TestFolder()
    path = try folder.write(bytes, as: "made.jpg")
  }

  /// A busy picture.
  init(
    _ options: JPEGEncoding, _ width: Int, _ height: Int, seed: UInt64 = 1
  ) throws {
    let scene = try SyntheticScene(
      .mosaic, size: SceneSize(width: width, height: height), seed: seed, detail: 150,
      form: options.colour.sourceForm)
    try self.init(JPEGEncoder.encode(scene, options))
  }

  var bytes: [UInt8] {
    get throws {
      let reader = try FileReader(path)
      return try reader.bytes(at: 0, count: reader.length)
    }
  }

  /// A progressive JPEG, written by libvips.
  static func progressive(
    _ width: Int, _ height: Int, bands: Int, subsampled: Bool
  ) throws -> [UInt8] {
    try JPEGBytes.progressive(width, height, bands: bands, subsampled: subsampled).bytes
  }

  /// Regions that are the same at every run: ends near MCU borders as likely as not.
  static func regions(
    in size: PixelSize, mcu: (width: Int, height: Int), count: Int, seed: UInt64
  ) throws -> [PixelRegion] {
    var random = SplitMix64(seed: seed)
    func place(_ side: Int, _ step: Int) -> Int {
      let near = Int.random(in: 0...side / step, using: &random) * step
      let place =
        Bool.random(using: &random)
        ? near + Int.random(in: -2...2, using: &random) : Int.random(in: 0..<side, using: &random)
      return min(max(place, 0), side - 1)
    }
    return try (0..<count).map { _ in
      let x = [place(size.width, mcu.width), place(size.width, mcu.width)].sorted()
      let y = [place(size.height, mcu.height), place(size.height, mcu.height)].sorted()
      return try PixelRegion(
        x: x[0], y: y[0], width: x[1] - x[0] + 1, height: y[1] - y[0] + 1)
    }
  }

  static let samplings: [[JPEGEncoding.Sampling]] = [
    JPEGEncoding.Sampling.yCbCr444, JPEGEncoding.Sampling.yCbCr422,
    JPEGEncoding.Sampling.yCbCr440, JPEGEncoding.Sampling.yCbCr420,
    JPEGEncoding.Sampling.yCbCr411, JPEGEncoding.Sampling.yCbCr410,
    [JPEGEncoding.Sampling(1, 1), JPEGEncoding.Sampling(2, 2), JPEGEncoding.Sampling(1, 2)],
    [JPEGEncoding.Sampling(3, 1), JPEGEncoding.Sampling(1, 1), JPEGEncoding.Sampling(1, 1)],
  ]
}
