import SystemPackage
import TestSupport
import ZoomGeometry

@testable import ZoomPipeline

extension JPEGBytes {
  /// Returns the pixels that libvips gives for the bytes.
  func reduced(by reduction: Reduction) throws -> Pixels {
    let image = try Image.open(jpeg: bytes, for: "made.jpg", reduction: reduction)
    return try image.read(PixelRegion(whole: image.size))
  }

  /// Returns the pixels of a pass over the frame with sides rounded up to whole blocks.
  func wholeReduced(by reduction: Reduction) throws -> Pixels {
    guard let frame else { return try reduced(by: reduction) }
    return try patched { bytes in
      for place in [frame + 4, frame + 6] {
        let (side, block) = (Int(bytes[place]) << 8 | Int(bytes[place + 1]), reduction.rawValue)
        let whole = (side + block - 1) / block * block
        bytes[place] = UInt8(whole >> 8)
        bytes[place + 1] = UInt8(whole & 255)
      }
    }.reduced(by: reduction)
  }
}
