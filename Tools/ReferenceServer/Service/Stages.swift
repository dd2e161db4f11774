import ForeignPipelines
import Foundation
import ZoomPipeline

/// A function that answers a request, or throws if no answer comes.
typealias Exchange = (ServerRequest) throws(ServerFailure) -> ServerAnswer

/// A function that reads one parameter of a request.
typealias Parser<Form> = @Sendable (String) throws(RequestError) -> Form

/// The processing stages of the server; a fault replaces some of them.
struct Stages: Sendable {
  let source: Pixels
  let settings: ReferenceSettings
  let geometry: Geometry
  /// The contents of the sound server's info.json.
  let facts: Information

  var region: Parser<RegionForm>
  var size: Parser<SizeForm>
  var rotation: Parser<Rotation>
  var quality: Parser<Quality>
  var format: Parser<PictureFormat>
  /// Decodes percent-encoding; returns nil if it is invalid.
  var decode: @Sendable (Substring) -> String?

  var box: @Sendable (RegionForm) throws(RequestError) -> Box
  var scaledSize: @Sendable (SizeForm, Box) throws(RequestError) -> Extent

  var crop: @Sendable (Pixels, Plan) -> Pixels
  var scale: @Sendable (Pixels, Plan) -> Pixels
  var turn: @Sendable (Pixels, Plan) -> Pixels
  var colour: @Sendable (Pixels, Plan) -> Pixels
  var encode: @Sendable (Pixels, Plan) -> [UInt8]

  var pictureType: @Sendable (PictureFormat) -> String
  /// Returns the canonical request without the service's address.
  var canonical: @Sendable (Plan) -> String
  var information: @Sendable () -> [String: Any]
  var serialized: @Sendable ([String: Any]) -> [UInt8]
  /// Returns the media type of info.json for an Accept header.
  var informationType: @Sendable (String?) -> String
  var failure: @Sendable (RequestError) -> ServerAnswer
  /// Answers a request; the second argument is the server without this stage.
  var exchange: @Sendable (ServerRequest, Exchange) throws(ServerFailure) -> ServerAnswer

  init(_ source: Pixels, _ settings: ReferenceSettings) {
    self.source = source
    self.settings = settings
    let (api, renderer) = (settings.api, settings.renderer)
    let limits =
      settings.limits ?? SizeLimits(maxWidth: 2 * max(source.width, source.height))
    let geometry = Geometry(
      picture: source.extent, api: api, limits: limits, rounding: settings.rounding)
    self.geometry = geometry
    region = Parameters.region
    size = { text throws(RequestError) in try Parameters.size(text, api) }
    rotation = Parameters.rotation
    quality = Parameters.choice(of: "quality")
    format = Parameters.choice(of: "format")
    decode = \.removingPercentEncoding
    box = { form throws(RequestError) in try geometry.box(form) }
    scaledSize = { form, box throws(RequestError) in try geometry.size(form, of: box) }
    crop = { raster, plan in
      plan.box == Box(whole: raster.extent) ? raster : raster.cropped(plan.box)
    }
    scale = { raster, plan in
      renderer == .own ? raster.scaled(to: plan.size) : raster.scaledByVips(to: plan.size)
    }
    turn = { raster, plan in raster.turned(plan.request.rotation) }
    colour = { raster, plan in raster.coloured(plan.request.quality) }
    encode = { raster, plan in
      plan.request.format == .png ? PNGEncoder.encode(raster) : raster.jpeg(quality: 95) ?? []
    }
    pictureType = \.mediaType
    let facts = Information(geometry: geometry, settings: settings, isColour: source.isColour)
    self.facts = facts
    canonical = { geometry.canonicalPath(of: $0, isColour: facts.isColour) }
    information = { facts.document }
    serialized = { document in
      // The order puts @context first, as 5.2 recommends.
      let data = try? JSONSerialization.data(
        withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
      return data.map { [UInt8]($0) } ?? []
    }
    informationType = { Negotiation.mediaType($0, api) }
    failure = { error in
      ServerAnswer(
        status: error.status, headers: ["content-type": "text/plain;charset=utf-8"],
        body: Array((error.reason + "\n").utf8))
    }
    exchange = { request, answer throws(ServerFailure) in try answer(request) }
  }

  func render(_ plan: Plan) -> Pixels {
    colour(turn(scale(crop(source, plan), plan), plan), plan)
  }
}
