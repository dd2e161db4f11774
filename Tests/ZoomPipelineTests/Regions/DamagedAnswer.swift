import TestSupport
import ZoomGeometry

@testable import ZoomPipeline

/// The result of comparing an answer for a picture that may be damaged with a full decode.
enum DamagedAnswer: Hashable {
  case agreed
  case wrong
  /// libvips does not decode the picture.
  case alone
  /// Full decodes differ: libde265 (1.0.11) and libtiff return uninitialised memory for some damage.
  case unstable

  init(_ answer: RegionAnswer, _ region: PixelRegion, of picture: Picture) {
    func naive() -> Pixels? {
      try? NaivePipeline(limits: picture.limits).open(picture).read(RegionRequest(region)).pixels
    }
    guard let wanted = naive() else {
      self = .alone
      return
    }
    if answer.pixels.difference(from: wanted) == nil {
      self = .agreed
    } else {
      let isUnstable = (0..<16).contains { _ in naive()?.difference(from: wanted) != nil }
      self = isUnstable ? .unstable : .wrong
    }
  }
}
