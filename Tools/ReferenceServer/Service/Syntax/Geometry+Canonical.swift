extension Geometry {
  /// Returns the canonical form of all requests that have the same answer (3.0: 4.8; 2.1: 4.7).
  func canonicalPath(of plan: Plan, isColour: Bool) -> String {
    let (request, box) = (plan.request, plan.box)
    let region =
      box == Box(whole: plan.picture) ? "full" : "\(box.x),\(box.y),\(box.width),\(box.height)"
    // The default quality is the picture unchanged: colour, or grey for a grey picture.
    let isDefault = request.quality == .color || (request.quality == .gray && !isColour)
    let quality = isDefault ? Quality.default : request.quality
    return "/\(region)/\(canonical(plan.size, of: box))/\(canonical(request.rotation))"
      + "/\(quality.rawValue).\(request.format.rawValue)"
  }

  private func canonical(_ size: Extent, of box: Box) -> String {
    let exact = "\(size.width),\(size.height)"
    if api == .version2 {
      if size == box.size { return "full" }
      return derived(width: size.width, of: box.size) == size ? "\(size.width)," : exact
    }
    if size == maximum(of: box.size, upscaled: false) { return "max" }
    if canUpscale, size == maximum(of: box.size, upscaled: true) { return "^max" }
    return (size.exceeds(box) ? "^" : "") + exact
  }

  private func canonical(_ rotation: Rotation) -> String {
    let degrees = rotation.degrees == 360 ? 0 : rotation.degrees
    // Swift writes tiny numbers with an exponent, which requests must not contain.
    let isWhole = degrees == degrees.rounded() || degrees < 0.001
    let text = isWhole ? "\(Int(degrees))" : "\(degrees)"
    return (rotation.mirrored ? "!" : "") + text
  }
}
