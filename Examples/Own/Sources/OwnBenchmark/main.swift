import Measurement
import ZoomGeometry
import ZoomPipeline

/// Times one's own region source.
struct Corner: WorkerSubject {
  let source: any RegionSource

  func answer(round: Int, extra: Int) throws -> RegionAnswer {
    // The round chooses the place, the same for both builds; `extra` per mille are more rows.
    let side = min(256, source.size.width, source.size.height / 2)
    let x = round * 61 % (source.size.width - side + 1)
    let region = try PixelRegion(x: x, y: 0, width: side, height: side + side * extra / 1000)
    return try source.read(RegionRequest(region))
  }

  func run(round: Int, extra: Int) throws -> Pixels {
    try answer(round: round, extra: extra).pixels
  }

  func digest(of pixels: Pixels) -> String? {
    var digest = AnswerDigest()
    // The rows that every run has, whatever its extra work.
    digest.add(pixels.bytes.prefix(4096))
    return digest.hexadecimal
  }

  func counters(round: Int) throws -> [String: Int] {
    // Not every source can tell.
    try answer(round: round, extra: 0).work.pixelsDecoded.map { ["pixels decoded": $0] } ?? [:]
  }
}

// Your own `Pipeline` stands here.
let pipeline = StandardPipelines().all[0]
let path = CommandLine.arguments.dropFirst().first ?? "picture.jpg"
BenchmarkWorker.serve(
  tool: "own-benchmark 1.0",
  cases: [
    WorkerCase(name: "corner of \(path)") {
      Corner(source: try pipeline.open(.init(path)))
    }
  ])
