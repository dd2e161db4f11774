internal import Foundation
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

/// Reads gesture scripts: a file, or one of those that come with zoombench, by name.
enum ScriptFile {
  /// 256 MB: two million events; more is no script that a person or a device has recorded.
  private static let largest = 256 << 20

  /// Reads and checks a script.
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
        "\(argument): script: \(Format.bytes(Double(length))) are more than the"
          + " \(Format.bytes(Double(largest))) that a script may have (cut it into parts)")
    }
    return try decoded(try FileReader(path).bytes(at: 0, count: length), named: argument)
  }

  static func decoded(_ bytes: [UInt8], named name: String) throws -> GestureScript {
    do {
      return try JSONDecoder().decode(GestureScript.self, from: Data(bytes))
    } catch let error as DecodingError {
      let reason = syntaxError(in: bytes) ?? explanation(of: error)
      throw Failure(.badInput, "\(name): script: \(reason) (see Documentation/Replays.md)")
    }
  }

  /// Says what the JSON's parser stumbled over, which the decoder keeps to itself; nil if it is JSON.
  private static func syntaxError(in bytes: [UInt8]) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes))
      return nil
    } catch {
      let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
      return "it is not JSON: \(detail ?? "\(error)")"
    }
  }

  /// What is wrong, and where: "events[3].touches[0]: there is no key ...".
  static func explanation(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "\(place(context))the key \"\(key.stringValue)\" is missing"
    case .typeMismatch(let type, let context):
      "\(place(context))it is no \(Self.name(of: type))"
    case .valueNotFound(let type, let context):
      "\(place(context))it is null and no \(Self.name(of: type))"
    case .dataCorrupted(let context):
      place(context) + context.debugDescription
    @unknown default:
      "\(error)"
    }
  }

  /// A Swift type as JSON calls it.
  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is Double.Type, is Int.Type: "number"
    case is String.Type: "string"
    default: "\(type)".hasPrefix("Array") ? "list" : "object"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
    return path.isEmpty ? "" : "\(path): "
  }
}
