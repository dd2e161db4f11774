import Foundation
import PixelLaws
import SystemPackage
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

/// A pipeline of one's own.
struct MyPipeline: Pipeline {
  let name = "mine"
  let summary = "my decoder"

  func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    MySource(picture: try Picture(path))
  }
}

/// One opened picture.
final class MySource: RegionSource {
  let picture: Picture
  var size: PixelSize { picture.size }
  let state = SourceState.nothing
  let openingWork = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
  let explanation = "my decoder reads every picture"

  init(picture: Picture) { self.picture = picture }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    // `answer` refuses what lies outside, reduces and turns. It asks only for regions at 1:1.
    try request.answer(pictureSize: size, file: picture.path) { (region) throws(PipelineError) in
      let bytes = try myBytes(region)
      return RegionAnswer(
        pixels: Pixels(
          size: region.size, bands: picture.bands, format: picture.format,
          interpretation: picture.interpretation, bytes: bytes),
        work: Work(
          bytesRead: nil, pixelsDecoded: region.area, pixelsDelivered: region.area))
    }
  }

  /// The bytes of a region, from the top row to the bottom row.
  private func myBytes(_ region: PixelRegion) throws(PipelineError) -> [UInt8] {
    let count = region.area * picture.bands * picture.format.byteCount
    // Call your decoder here. This one has not been written yet: its pixels are black.
    let bytes = [UInt8](repeating: 0, count: count)
    guard bytes.count == count else {
      throw PipelineError(
        .damaged, operation: "read", file: picture.path, reason: "the decoder gave too few bytes")
    }
    return bytes
  }

  func forget() {}
}

let path = FilePath(CommandLine.arguments.dropFirst().first ?? "photo.jpg")
let subject = try PixelSubject(MyPipeline(), picture: path)
var isBroken = false
for law in RegionLaws.all + PictureLaws.applicable(to: subject) {
  let report = await law.check(subject)
  print(law.name, report.verdict)
  guard let breach = report.breaches.first else { continue }
  print("  \(breach.input): \(breach.complaint)")
  if let token = breach.token { print("  replay: \(token)") }
  isBroken = true
}
exit(isBroken ? 1 : 0)
