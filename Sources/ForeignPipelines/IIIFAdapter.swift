internal import Foundation
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A server of the IIIF Image API, versions 2 and 3: `http://host/iiif/{name}`.
///
/// Three things of info.json matter: the size, the best format offered, and the word for the full size.
struct IIIFAdapter: ForeignAdapter {
  let base: String
  let options: ForeignOptions
  var summary: String { "ask an IIIF server: \(base)" }
  var opensAnyFile: Bool { false }

  func service(of file: FilePath) -> String {
    Placeholders.fill(base, Placeholders.values(of: file), encoding: Placeholders.encoded)
  }

  func open(
    _ picture: Picture, _ observations: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection {
    let service = service(of: picture.path)
    let information = try IIIFInformation(service, options, picture)
    let size = options.isUpright ? picture.size : picture.storedSize
    guard information.size == size else {
      throw PipelineError(
        .misbehaved, operation: "open", file: picture.path,
        reason: "\(service)/info.json says \(information.size) for a picture of \(size)")
    }
    let ending = "/\(information.fullSize)/0/default.\(information.format)"
    return try HTTPConnection(picture, options, observations) { region in
      "\(service)/\(region.x),\(region.y),\(region.width),\(region.height)" + ending
    }
  }
}

extension IIIFInformation {
  /// The most bytes of an info.json; some kilobytes are usual.
  private static let mostBytes = 1 << 20

  init(_ service: String, _ options: ForeignOptions, _ picture: Picture) throws(PipelineError) {
    let address = service + "/info.json"
    let bytes = try HTTPClient.make(options, for: picture)
      .body(of: address, limit: Self.mostBytes, until: options.deadline(), for: picture).bytes
    do { try self.init(json: bytes) } catch {
      throw PipelineError(
        .misbehaved, operation: "open", file: picture.path, reason: "\(address): \(error.reason)")
    }
  }
}
