internal import ZoomGeometry
internal import ZoomLaws

extension Inspection {
  /// Counts pixels of the background inside the outline and of the picture outside, and measures
  /// how much of the outermost rows and columns is missing.
  func compareEdges(_ checks: inout SightChecks) {
    guard let mask else { return }
    // A viewer may round an edge to a pixel, and its filter fades half a picture pixel.
    let margin = Float(1 + scale / 2)
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for y in 0..<height {
      for x in 0..<width {
        let index = y &* width &+ x
        if mask.isSet[index] {
          if depth[index] < -margin { checks.pictureOutside += 1 }
        } else if depth[index] > margin {
          checks.backgroundInside += 1
          (left, top) = (min(left, x), min(top, y))
          (right, bottom) = (max(right, x), max(bottom, y))
        }
      }
    }
    if checks.backgroundInside > 0 {
      let shown = map.boundingBox(
        of: ViewRect(
          x: Double(left), y: Double(top), width: Double(right - left + 1),
          height: Double(bottom - top + 1)))
      checks.background = region(shown)
    }
    let (across, down) = (Double(picture.width), Double(picture.height))
    let corners = [
      ViewPoint(x: 0, y: 0), ViewPoint(x: across, y: 0), ViewPoint(x: across, y: down),
      ViewPoint(x: 0, y: down),
    ]
    for side in corners.indices {
      let (start, end) = (corners[side], corners[(side + 1) % 4])
      checks.cornersMissing = max(checks.cornersMissing, missing(from: start, to: end))
    }
  }

  /// Returns the picture's pixels that a rectangle touches; nil if there are none.
  private func region(_ rect: ViewRect) -> PixelRegion? {
    let left = max(0, rect.x.rounded(.down))
    let top = max(0, rect.y.rounded(.down))
    let right = min(Double(picture.width), rect.maxX.rounded(.up))
    let bottom = min(Double(picture.height), rect.maxY.rounded(.up))
    guard left < right, top < bottom else { return nil }
    return PixelRegion(
      uncheckedX: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
  }

  /// Returns the width in device pixels of the strip along a side that does not show the picture.
  ///
  /// Lines of samples cross the side at every device pixel. A sample's share of the picture's
  /// colours is known from the code, because grey backgrounds have none; the sum of the shares is
  /// the length of the line that shows the picture, to a part of a pixel. The side is divided into
  /// runs of 16 lines, and the worst median counts: single lines may cross something else.
  private func missing(from start: ViewPoint, to end: ViewPoint) -> Double {
    let (first, last) = (toDevice.apply(to: start), toDevice.apply(to: end))
    let length = first.distance(to: last)
    let middle = toDevice.apply(
      to: ViewPoint(x: Double(picture.width) / 2, y: Double(picture.height) / 2))
    guard length >= 32, length.isFinite else { return 0 }
    let along = ViewPoint(x: (last.x - first.x) / length, y: (last.y - first.y) / length)
    // The normal that points inside, also for a mirrored picture.
    let toMiddle = middle - first
    let sign: Double = along.x * toMiddle.y - along.y * toMiddle.x > 0 ? 1 : -1
    let inward = ViewPoint(x: -along.y * sign, y: along.x * sign)
    let across = 2 * abs(toMiddle.x * inward.x + toMiddle.y * inward.y)
    // Deep enough to see that a whole row is missing.
    let deep = min(max(8, Int(2 * min(scale, 32))), Int(across))
    guard deep >= 4 else { return 0 }
    // A side may be far longer than the screen is wide: only lines near the screen are tried.
    let reach = Double(width + height)
    let centre = ViewPoint(x: Double(width) / 2, y: Double(height) / 2) - first
    let near = centre.x * along.x + centre.y * along.y
    let (from, to) = (max(4, near - reach), min(length - 4, near + reach))
    var (worst, run) = (0.0, [Double]())
    var at = from
    while at < to {
      defer { at += 1 }
      let line = ViewPoint(x: first.x + along.x * at, y: first.y + along.y * at)
      var shown = 0.0
      var isWhole = true
      for step in -3..<deep where isWhole {
        let way = Double(step) + 0.5
        let point = ViewPoint(x: line.x + inward.x * way, y: line.y + inward.y * way)
        if let part = share(at: point) { shown += part } else { isWhole = false }
      }
      guard isWhole else { continue }
      run.append(Double(deep) - shown)
      if run.count == 16 {
        run.sort()
        worst = max(worst, run[8])
        run.removeAll()
      }
    }
    return worst
  }

  /// Returns the share of the card's colours at a point, 0 to 1; nil off the screen or under an
  /// overlay.
  private func share(at point: ViewPoint) -> Double? {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return nil }
    let index = Int(y) * width + Int(x)
    let (a, b) = (Float(x - x.rounded(.down)), Float(y - y.rounded(.down)))
    let upper = mixed(seen.values[index], seen.values[index + 1], a)
    let lower = mixed(seen.values[index + width], seen.values[index + width + 1], a)
    let colour = mixed(upper, lower, b)
    let place = map.apply(to: point)
    func share(_ code: Float, _ part: Double) -> Double {
      let whole = PlaceCard.codeStart + PlaceCard.codeRange * min(max(part, 0), 1)
      return min(max(Double(code) / whole, 0), 1)
    }
    return min(
      share(colour.x - colour.z, place.x / Double(picture.width)),
      share(colour.y - colour.z, place.y / Double(picture.height)))
  }
}
