internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A program that does nothing, whose times are the overhead of any program of its kind.
///
/// The null command is `cp` of an uncompressed picture; the null worker answers black. Servers report when
/// their answers arrive, so they need no null program.
struct NullProgram {
  /// The description for the worker's `--pipeline`, and the picture that it opens.
  let description: String
  let file: FilePath

  /// Creates the null program of a kind, for the regions of some peeks at a picture; nil if the kind has
  /// none.
  init?(
    _ kind: ForeignPipeline.Kind, for picture: Picture, _ peeks: [PeekCase],
    _ executable: String, _ scratch: FilePath
  ) throws {
    // Declared lossy, which skips the check of a corner on opening, because answers are only zeros.
    switch kind {
    case .worker where !executable.contains("'"):
      // The template cannot quote a path that contains an apostrophe.
      let size = picture.size
      description =
        "nothing=worker,lossy,upright:'\(executable)' \(NullWorkerCommand.name) \(size.width)"
        + " \(size.height)"
      file = picture.path
    case .command:
      // A link to the picture, beside the answers, whose names the command makes from the link's.
      file = scratch.appending("blank")
      try? FileManager.default.removeItem(atPath: file.string)
      try FileManager.default.createSymbolicLink(
        atPath: file.string, withDestinationPath: FilePath.absolute(picture.path.string).string)
      for peek in peeks {
        let size = try peek.region(round: 0, size: picture.size).size
        let blank = Pixels(
          size: size, bands: 3, format: .uint8, interpretation: .srgb,
          bytes: [UInt8](repeating: 0, count: size.area * 3))
        try Image(blank).writeForScreen(
          to: scratch.appending("blank.\(size.width)x\(size.height).tif"))
      }
      description = "nothing=command,lossy,upright:cp {file}.{w}x{h}.tif {out.tif}"
    default: return nil
    }
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
