internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The overhead of asking another program: the time that a null program takes to answer as many pixels.
///
/// The null command is `cp` of an uncompressed picture; the null worker answers black. For servers the
/// times of each answer are recorded, so they need no null program.
enum AdapterCost {
  /// The number of reads per size; a median of 15 is not moved by a few slow reads.
  private static let rounds = 15

  /// Measures a null program for each kind of program that has one.
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
      // The template cannot quote a path that contains an apostrophe.
      guard let own = Bundle.main.executablePath, !own.contains("'") else { return nil }
      what = "'\(own)' \(NullWorkerCommand.name) \(size.width) \(size.height)"
    default: return nil
    }
    // Declared lossy, which skips the check of a corner on opening: the null program has one answer.
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

/// A worker that answers black; internal, so the help does not list it.
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
