import Measurement
import ZoomGeometry
import ZoomPipeline

/// Times one's own region source.
struct Part: WorkerSubject {
  struct Answer {
    let pixels: Pixels
    /// The rows that every run has, whatever its extra work.
    let rows: Range<Int>
    let work: Work
  }

  let source: any RegionSource

  func run(round: Int, extra: Int) throws -> Answer {
    // The round chooses the place, the same for both builds; some places touch the right or the bottom edge.
    let (width, height) = (source.size.width, source.size.height)
    let side = min(256, width, max(1, height / 2))
    let x = round.isMultiple(of: 4) ? width - side : round * 61 % (width - side + 1)
    let y = round.isMultiple(of: 3) ? height - side : round * 89 % (height - side + 1)
    // `extra` per mille are more rows, above the place if there is room.
    let more = side * extra / 1000
    let above = min(y, more)
    let region = try PixelRegion(x: x, y: y - above, width: side, height: side + more)
    let answer = try source.read(RegionRequest(region))
    return Answer(pixels: answer.pixels, rows: above..<above + side, work: answer.work)
  }

  func digest(of answer: Answer) -> String? {
    let pixels = answer.pixels
    let rowBytes = pixels.size.width * pixels.bands * pixels.format.byteCount
    var digest = AnswerDigest()
    digest.add(
      pixels.bytes[answer.rows.lowerBound * rowBytes..<answer.rows.upperBound * rowBytes])
    return digest.hexadecimal
  }

  func counters(round: Int) throws -> [String: Int] {
    // Not every source can tell.
    try run(round: round, extra: 0).work.pixelsDecoded.map { ["pixels decoded": $0] } ?? [:]
  }
}

// Your own `Pipeline` stands here.
let pipeline = StandardPipelines().all[0]
let path = CommandLine.arguments.dropFirst().first ?? "picture.jpg"
BenchmarkWorker.serve(
  tool: "own-benchmark 1.0",
  cases: [
    WorkerCase(name: "part of \(path)") {
      Part(source: try pipeline.open(.init(path)))
    }
  ])
