internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// What it costs to ask another program at all: one that does nothing is asked for as many pixels.
///
/// A command is `cp` of a picture that is not compressed; a worker answers black. Of servers the time of each answer is
/// known, so that nothing has to be added to tell what is spent here.
enum AdapterCost {
  /// Reads of each size: the median of 15 does not hang on a few slow ones.
  private static let rounds = 15

  /// Measures the kinds of some programs that a null program stands for.
  static func measure(
    _ pipelines: [ForeignPipeline], of sizes: [PixelSize]
  ) throws -> [BenchReport.NullAnswer] {
    let kinds = pipelines.map(\.kind)
    var answers: [BenchReport.NullAnswer] = []
    for kind in [ForeignPipeline.Kind.command, .worker] where kinds.contains(kind) {
      for size in sizes {
        guard let median = try median(kind, size) else { continue }
        answers.append(
          BenchReport.NullAnswer(
            kind: kind.rawValue, width: size.width, height: size.height, medianNanoseconds: median))
      }
    }
    return answers
  }

  private static func median(
    _ kind: ForeignPipeline.Kind, _ size: PixelSize
  ) throws -> Double? {
    let folder = try ScratchFolder()
    let blank = folder.path.appending("blank.tif")
    let pixels = Pixels(
      size: size, bands: 3, format: .uint8, interpretation: .srgb,
      bytes: [UInt8](repeating: 0, count: size.area * 3))
    try Image(pixels).writeForScreen(to: blank)
    let what: String
    switch kind {
    case .command: what = "cp {file} {out.tif}"
    case .worker:
      // The template cannot hold such a path.
      guard let own = Bundle.main.executablePath, !own.contains("'") else { return nil }
      what = "'\(own)' \(NullWorkerCommand.name) \(size.width) \(size.height)"
    default: return nil
    }
    // Called lossy, so that it is not asked for a corner first, to find out: it has one answer.
    let source = try ForeignPipeline("null=\(kind.rawValue),lossy:\(what)").open(blank)
    let region = RegionRequest(
      try PixelRegion(x: 0, y: 0, width: size.width, height: size.height))
    _ = try source.read(region)
    var nanoseconds: [UInt64] = []
    for _ in 0..<rounds {
      let (_, elapsed) = try Stopwatch().measure { () throws(PipelineError) in
        try source.read(region)
      }
      nanoseconds.append(elapsed.wallNanoseconds)
    }
    return try Summary(nanoseconds: nanoseconds).median
  }
}

/// A worker that answers black: not for people, so it is not listed in the help.
struct NullWorkerCommand: ParsableCommand {
  static let name = "null-worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Answer requests for regions with black.", shouldDisplay: false)

  @Argument var width: Int
  @Argument var height: Int

  func run() throws {
    let output = FileDescriptor.standardOutput
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words.first {
      case "zoombench": try output.writeAll("zoombench 1 null\n".utf8)
      case "open": try output.writeAll("ok \(width) \(height)\n".utf8)
      case "read":
        let sides = words.suffix(2).compactMap { Int($0) }
        guard sides.count == 2 else { throw ValidationError("read takes X Y WIDTH HEIGHT") }
        try output.writeAll("pixels \(sides[0]) \(sides[1]) 3 uint8\n".utf8)
        try output.writeAll([UInt8](repeating: 0, count: sides[0] * sides[1] * 3))
      default: try output.writeAll("ok\n".utf8)
      }
    }
  }
}
