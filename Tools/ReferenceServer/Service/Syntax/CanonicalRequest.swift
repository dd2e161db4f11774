/// The canonical form of requests that have the same answer (3.0: 4.8; 2.1: 4.7).
struct CanonicalRequest: Sendable {
  let geometry: Geometry
  let isColour: Bool

  func path(of plan: Plan) -> String {
    let (request, box) = (plan.request, plan.box)
    let region =
      box == Box(whole: plan.picture) ? "full" : "\(box.x),\(box.y),\(box.width),\(box.height)"
    return "/\(region)/\(size(plan.size, of: box))/\(rotation(request.rotation))"
      + "/\(quality(request.quality)).\(request.format.rawValue)"
  }

  private func size(_ size: Extent, of box: Box) -> String {
    let exact = "\(size.width),\(size.height)"
    if geometry.api == .version2 {
      if size == box.size { return "full" }
      return geometry.derived(width: size.width, of: box.size) == size ? "\(size.width)," : exact
    }
    if size == geometry.maximum(of: box.size, upscaled: false) { return "max" }
    if geometry.canUpscale, size == geometry.maximum(of: box.size, upscaled: true) { return "^max" }
    return (size.width > box.width || size.height > box.height ? "^" : "") + exact
  }

  private func rotation(_ rotation: Rotation) -> String {
    let degrees = rotation.degrees == 360 ? 0 : rotation.degrees
    // Swift writes tiny numbers with an exponent, which requests must not contain.
    let isWhole = degrees == degrees.rounded() || degrees < 0.001
    let text = isWhole ? "\(Int(degrees))" : "\(degrees)"
    return (rotation.mirrored ? "!" : "") + text
  }

  private func quality(_ quality: Quality) -> String {
    // The default quality is the picture unchanged: colour, or grey for a grey picture.
    switch quality {
    case .color: "default"
    case .gray where !isColour: "default"
    default: quality.rawValue
    }
  }
}
