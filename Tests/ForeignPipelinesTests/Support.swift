import Foundation
import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ForeignPipelines
@testable import ZoomPipeline

/// Serialised because each test checks whether processes are left.
@Suite(.serialized) enum Foreign {
  /// The worker program in the same build folder as the tests.
  static let workerProgram: String? = {
    let bundle = Bundle.main.bundleURL
    return [
      bundle.deletingLastPathComponent(), bundle,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    .map { $0.appendingPathComponent("pipeline-worker").path }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()
}

/// Returns a pipeline of the worker program, with a fault.
func worker(_ fault: String = "", options: String = ",time=5") throws -> ForeignPipeline {
  try ForeignPipeline("mine=worker\(options):'\(try #require(Foreign.workerProgram))' \(fault)")
}

/// A picture with odd, different sides whose pixels encode their positions.
struct TellingPicture {
  let folder: TestFolder
  let path: FilePath
  let pixels: Pixels

  init(_ width: Int = 83, _ height: Int = 61) throws {
    folder = try TestFolder()
    pixels = try Pixels(width: width, height: height) { x, y, band in
      UInt8(truncatingIfNeeded: [x * 3, y * 5, x ^ y][band])
    }
    path = folder.path.appending("telling.png")
    try Image(pixels).write(to: path, settings: "[compression=1]")
  }

  /// Returns a region as a PNG.
  func png(_ region: PixelRegion) throws -> [UInt8] { try png(pixels.crop(region)) }

  func png(_ pixels: Pixels) throws -> [UInt8] {
    let file = folder.path.appending("part-\(UUID()).png")
    try Image(pixels).write(to: file, settings: "[compression=1]")
    defer { try? FileManager.default.removeItem(atPath: file.string) }
    return try bytes(of: file)
  }

  /// Returns whether a source reads the picture's pixels of a region.
  func isRead(
    by source: any RegionSource, _ x: Int, _ y: Int, _ width: Int, _ height: Int
  ) throws -> Bool {
    let region = PixelRegion.checked(x, y, width, height)
    return try source.read(RegionRequest(region)).pixels == pixels.crop(region)
  }

  /// Returns the error of a pipeline that cannot open the picture; "it passed" if it can.
  func refusal(by pipeline: String) -> String {
    reason { _ = try ForeignPipeline(pipeline).open(path) }
  }
}

/// Returns the error of a function in words; "it passed" if there is none.
func reason(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "it passed"
  } catch { return "\(error)" }
}

/// Returns the numbers in an address.
func numbers(_ target: String) -> [Int] {
  target.split { !$0.isNumber }.compactMap { Int($0) }
}

extension LoopbackServer {
  var address: String { "http://127.0.0.1:\(port)" }

  /// Starts a server of a Deep Zoom pyramid without overlap, `p.dzi`; `tile` answers for each tile.
  static func ofTiles(
    _ side: Int, _ format: String, of size: PixelSize,
    tile: @escaping @Sendable (String) -> Reply
  ) throws -> LoopbackServer {
    let text = """
      <Image TileSize='\(side)' Overlap='0' Format='\(format)'>\
      <Size Width='\(size.width)' Height='\(size.height)'/></Image>
      """
    return try LoopbackServer { target in
      target.hasSuffix(".dzi") ? .ok(Array(text.utf8), type: "text/xml") : tile(target)
    }
  }
}
