internal import Foundation
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A server of the IIIF Image API, versions 2 and 3: `http://host/iiif/{name}`.
///
/// Of info.json it is believed what the picture can be checked against: the size, and the formats, of which the best is
/// asked for.
struct IIIFAdapter: ForeignAdapter {
  let base: String
  let options: ForeignOptions
  var summary: String { "ask an IIIF server: \(base)" }
  var opensAnyFile: Bool { false }

  func open(_ picture: Picture) throws(PipelineError) -> any ForeignConnection {
    let service = Placeholders.fill(
      base, Placeholders.values(of: picture.path), encoding: Placeholders.encoded)
    let information = try IIIFInformation(service, options, picture)
    let size = options.isUpright ? picture.size : picture.storedSize
    guard information.size == size else {
      throw PipelineError(
        .fault, operation: "open", file: picture.path,
        reason: "\(service)/info.json says \(information.size) for a picture of \(size)")
    }
    let ending = "/\(information.fullSize)/0/default.\(information.format)"
    return try HTTPConnection(picture, options) { region in
      "\(service)/\(region.x),\(region.y),\(region.width),\(region.height)" + ending
    }
  }
}

/// What an info.json says.
struct IIIFInformation: Sendable, Hashable {
  let version: Int
  let size: PixelSize
  /// The best format for pixels that is offered.
  let format: String
  /// Sizes of tiles and what they are reduced by.
  let tiles: [Tiles]

  struct Tiles: Sendable, Hashable {
    let width: Int
    let height: Int
    let scaleFactors: [Int]
  }

  /// The word for "as large as the region": 2.0 knew only `full`, 3.0 knows only `max`.
  var fullSize: String { version >= 3 ? "max" : "full" }

  /// The longest info.json that is read: services of some kilobytes are usual.
  private static let mostBytes = 1 << 20

  init(_ service: String, _ options: ForeignOptions, _ picture: Picture) throws(PipelineError) {
    let address = service + "/info.json"
    let bytes = try HTTPClient.make(options, for: picture)
      .body(of: address, limit: Self.mostBytes, for: picture)
    do { try self.init(json: bytes) } catch {
      throw PipelineError(
        .fault, operation: "open", file: picture.path, reason: "\(address): \(error.reason)")
    }
  }

  init(json bytes: [UInt8]) throws(HTTPClient.Failure) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw HTTPClient.Failure(reason: "it is no JSON object")
    }
    guard let width = root["width"] as? Int, let height = root["height"] as? Int,
      let size = try? PixelSize(width: width, height: height)
    else { throw HTTPClient.Failure(reason: "it has no width and height") }
    self.size = size
    let context = (root["@context"] as? String) ?? (root["@context"] as? [String])?.last ?? ""
    version = context.contains("/image/3") || root["type"] as? String == "ImageService3" ? 3 : 2
    let profiles = root["profile"] as? [Any] ?? []
    let offered =
      (root["extraFormats"] as? [String] ?? [])
      + profiles.compactMap { ($0 as? [String: Any])?["formats"] as? [String] }.flatMap { $0 }
    let level = (root["profile"] as? String) ?? profiles.first as? String ?? ""
    // Level 2 has PNG, whether it says so or not (compliance, section 5).
    let all = offered + (level.contains("level2") || level.contains("#level2") ? ["png"] : [])
    format = ["png", "tif"].first(where: all.contains) ?? "jpg"
    tiles = (root["tiles"] as? [[String: Any]] ?? []).compactMap { each in
      guard let width = each["width"] as? Int, width > 0,
        let factors = each["scaleFactors"] as? [Int]
      else { return nil }
      return Tiles(width: width, height: each["height"] as? Int ?? width, scaleFactors: factors)
    }
  }
}
