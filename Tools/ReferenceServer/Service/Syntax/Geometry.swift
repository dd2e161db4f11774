/// The conversion of regions and sizes to pixels (4.1 and 4.2).
struct Geometry: Sendable {
  let picture: Extent
  let api: ReferenceAPI
  let limits: SizeLimits
  let rounding: LengthRounding

  /// Whether it upscales; a server that does must state a limit (5.7).
  var canUpscale: Bool { !limits.isEmpty }

  func box(_ form: RegionForm) throws(RequestError) -> Box {
    let asked = requested(form)
    guard !asked.size.isEmpty else { throw RequestError("the region is empty") }
    guard let box = asked.clipped(to: picture) else {
      throw RequestError("the region is outside the picture")
    }
    return box
  }

  func requested(_ form: RegionForm) -> Box {
    switch form {
    case .full: return Box(whole: picture)
    case .square:
      let side = min(picture.width, picture.height)
      return Box(
        x: (picture.width - side) / 2, y: (picture.height - side) / 2, width: side, height: side)
    case .pixels(let x, let y, let width, let height):
      return Box(x: x, y: y, width: width, height: height)
    case .percent(let x, let y, let width, let height):
      let (left, across) = Self.interval(x, width, of: picture.width)
      let (top, down) = Self.interval(y, height, of: picture.height)
      return Box(x: left, y: top, width: across, height: down)
    }
  }

  /// Converts a start and a length in percent to pixels; a length above 0 has at least one pixel, and a start
  /// inside the picture stays inside.
  static func interval(_ start: Double, _ length: Double, of side: Int) -> (Int, Int) {
    // Clamped so that the products fit an Int; the result is the same for all larger percentages.
    let (start, length) = (min(start, 1e6), min(length, 1e6))
    let first = LengthRounding.nearest.rounded(start * Double(side) / 100)
    let count = LengthRounding.nearest.rounded(length * Double(side) / 100)
    return (start < 100 ? min(first, side - 1) : max(first, side), length > 0 ? max(count, 1) : 0)
  }

  func size(_ form: SizeForm, of box: Box) throws(RequestError) -> Extent {
    let size = calculated(form, of: box)
    guard !size.isEmpty else { throw RequestError("the size is less than a pixel") }
    var isEnlarged = size.exceeds(box)
    // A percentage above 100 enlarges even if rounding hides it.
    if case .percent(let share) = form.kind, share > 100 { isEnlarged = true }
    if isEnlarged, !form.upscales {
      throw RequestError("the size is larger than the region, and ^ is missing")
    }
    if isEnlarged, !canUpscale {
      throw RequestError(status: 501, "this service does not upscale")
    }
    guard isAllowed(size) else { throw RequestError("the size is beyond the service's limits") }
    return size
  }

  func isAllowed(_ size: Extent) -> Bool {
    size.width <= limits.maxWidth ?? .max && size.height <= limits.effectiveHeight ?? .max
      && size.area <= limits.maxArea ?? .max
  }

  func calculated(_ form: SizeForm, of box: Box) -> Extent {
    switch form.kind {
    case .full: return box.size
    case .max: return maximum(of: box.size, upscaled: form.upscales && canUpscale)
    case .width(let width): return derived(width: width, of: box.size)
    case .height(let height): return derived(height: height, of: box.size)
    case .percent(let share):
      let share = min(share, 1e6)
      return Extent(
        width: rounding.rounded(Double(box.width) * share / 100),
        height: rounding.rounded(Double(box.height) * share / 100))
    case .exact(let size): return size
    case .confined(var frame):
      guard !frame.isEmpty else { return Extent(width: 0, height: 0) }
      if !form.upscales {
        frame = Extent(width: min(frame.width, box.width), height: min(frame.height, box.height))
      }
      return fitted(box.size, into: frame)
    }
  }

  func derived(width: Int, of size: Extent) -> Extent {
    Extent(width: width, height: rounding.quotient(size.height * width, size.width))
  }

  func derived(height: Int, of size: Extent) -> Extent {
    Extent(width: rounding.quotient(size.width * height, size.height), height: height)
  }

  /// Returns the largest size with these proportions, at least a pixel: `max` must always be served.
  func maximum(of size: Extent, upscaled: Bool) -> Extent {
    if !upscaled, isAllowed(size) { return size }
    let most = upscaled ? Extent(width: 1 << 30, height: 1 << 30) : size
    let largest = fitted(size, into: most)
    return Extent(width: max(largest.width, 1), height: max(largest.height, 1))
  }

  /// Returns the largest size with these proportions that fits a frame and the limits.
  private func fitted(_ size: Extent, into frame: Extent) -> Extent {
    let width = min(frame.width, limits.maxWidth ?? .max)
    let height = min(frame.height, limits.effectiveHeight ?? .max)
    var fitted =
      width * size.height <= height * size.width
      ? derived(width: width, of: size) : derived(height: height, of: size)
    // Rounding up may exceed the frame by a pixel.
    fitted = Extent(width: min(fitted.width, width), height: min(fitted.height, height))
    guard let area = limits.maxArea, fitted.area > area else { return fitted }
    let share = (Double(area) / (Double(size.width) * Double(size.height))).squareRoot()
    let across = max(1, Int(Double(size.width) * share))
    return Extent(
      width: across, height: min(max(1, Int(Double(size.height) * share)), max(1, area / across)))
  }

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
