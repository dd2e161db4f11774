internal import Foundation

extension DecodingError {
  /// Returns the defect and its place: "events[3].touches[0]: the key "x" is missing".
  ///
  /// - Parameter bytes: the JSON that could not be decoded.
  /// - Returns: one line without a full stop.
  package func explanation(in bytes: [UInt8]) -> String {
    if let fault = Self.syntaxError(in: bytes) { return fault }
    return switch self {
    case .keyNotFound(let key, let context):
      "\(Self.place(context))the key \"\(key.stringValue)\" is missing"
    case .typeMismatch(let type, let context):
      "\(Self.place(context))it is not \(Self.name(of: type))"
    case .valueNotFound(let type, let context):
      "\(Self.place(context))it is null, not \(Self.name(of: type))"
    case .dataCorrupted(let context):
      Self.place(context) + context.debugDescription
    @unknown default:
      "\(self)"
    }
  }

  /// Returns the error of the JSON parser, which the decoder does not report; nil for valid JSON.
  private static func syntaxError(in bytes: [UInt8]) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes))
      return nil
    } catch {
      let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
      return "it is not JSON: \(detail ?? "\(error)")"
    }
  }

  /// Returns the JSON name of a Swift type, with its article.
  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is Double.Type, is Int.Type: "a number"
    case is String.Type: "a string"
    default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
    }
  }

  private static func place(_ context: Context) -> String {
    let path = context.codingPath.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
    return path.isEmpty ? "" : "\(path): "
  }
}
