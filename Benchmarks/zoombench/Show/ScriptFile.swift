internal import ForeignPipelines
internal import Foundation
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

/// Reads gesture scripts: a file, or a built-in script by name.
enum ScriptFile {
  /// The largest file: 256 MB, which is two million events, more than any recorded script.
  private static let largest = 256 << 20

  static func load(_ argument: String) throws -> GestureScript {
    if !FileManager.default.fileExists(atPath: argument),
      let builtIn = try CorpusGestures.named(argument)
    {
      return builtIn
    }
    let path = FilePath(argument)
    let length: Int
    do {
      length = try FileVersion(of: path).length
    } catch {
      let names = CorpusGestures.names.joined(separator: ", ")
      let reason = error.code == .noSuchFile ? "no such script" : error.reason
      throw Failure(.noInput, "\(argument): \(reason) (name a file, or one of \(names))")
    }
    guard length <= largest else {
      throw Failure(
        .badInput,
        "\(argument): script: \(Format.bytes(Double(length))) exceed the limit of"
          + " \(Format.bytes(Double(largest))) (split the script)")
    }
    return try decoded(try FileReader(path).bytes(at: 0, count: length), named: argument)
  }

  static func decoded(_ bytes: [UInt8], named name: String) throws -> GestureScript {
    do {
      return try JSONDecoder().decode(GestureScript.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Failure(
        .badInput, "\(name): script: \(error.explanation(in: bytes)) (see Documentation/Replays.md)"
      )
    }
  }
}
