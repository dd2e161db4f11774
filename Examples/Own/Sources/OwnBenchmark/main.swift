import Measurement
import ZoomGeometry
import ZoomPipeline

/// Times one's own region source; a `Pipeline` of ours stands in for it here.
struct Corner: WorkerSubject {
  let source: any RegionSource

  func run(round: Int, extra: Int) throws -> Pixels {
    // The round chooses the place, the same for both builds; `extra` per mille are more rows.
    let side = min(256, source.size.width, source.size.height / 2)
    let x = round * 61 % (source.size.width - side + 1)
    let region = try PixelRegion(x: x, y: 0, width: side, height: side + side * extra / 1000)
    return try source.read(RegionRequest(region)).pixels
  }

  func digest(of pixels: Pixels) -> String? {
    var digest = AnswerDigest()
    digest.add(pixels.bytes.prefix(4096))
    return digest.hexadecimal
  }

  func counters(round: Int) throws -> [String: Int] {
    let region = try PixelRegion(x: 0, y: 0, width: 1, height: 1)
    return ["pixels decoded": try source.read(RegionRequest(region)).work.pixelsDecoded]
  }
}

let path = CommandLine.arguments.dropFirst().first ?? "picture.jpg"
BenchmarkWorker.serve(
  tool: "own-benchmark 1.0",
  cases: [
    WorkerCase(name: "corner of \(path)") {
      Corner(source: try SequentialPipeline().open(.init(path)))
    }
  ])
