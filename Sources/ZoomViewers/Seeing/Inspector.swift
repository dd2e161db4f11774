internal import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// Compares a screenshot with the picture at the place where it is shown.
package struct Inspector: Sendable {
  private let levels: PlanePyramid
  private let former: PlanePyramid?
  private let isCard: Bool

  /// Creates an inspector of a picture.
  ///
  /// - Parameters:
  ///   - levels: The picture as it should look; transparent pixels over the page's colour.
  ///   - isCard: Whether it is the card. In another picture no colour says whether a pixel is of
  ///     the picture, so that its edges and wrong places are not checked.
  ///   - former: The card of the same size that was open before.
  package init(
    _ levels: PlanePyramid, isCard: Bool = true, former: PlanePyramid? = nil
  ) {
    (self.levels, self.isCard, self.former) = (levels, isCard, former)
  }

  /// Compares a screenshot with the picture at a place.
  ///
  /// - Parameters:
  ///   - shot: The screenshot, in device pixels.
  ///   - place: The place of the picture.
  ///   - ratio: The number of device pixels per CSS pixel.
  ///   - best: The number of halvings of the best level for this scale that the viewer can have:
  ///     the coarsest that is not coarser than the screen.
  /// - Returns: The differences; nil for a screenshot or place that cannot be compared.
  package func checks(
    _ shot: Pixels, _ place: ViewerPlace, ratio: Double, best: Int
  ) -> SightChecks? {
    let toDevice = place.toScreen.then(.scale(ratio))
    guard let seen = Shot(shot), let map = toDevice.inverted(), map.isUsable else { return nil }
    let inspection = Inspection(seen, map, toDevice, levels, isCard: isCard, best: best)
    var checks = SightChecks()
    checks.exact = inspection.exact(levels)
    inspection.compareLines(&checks)
    inspection.compareDetail(&checks)
    inspection.compareBlocks(&checks, former: former)
    if isCard { inspection.compareEdges(&checks) }
    return checks
  }
}

/// A screenshot with the colours that it should show.
struct Inspection {
  let shot: Shot
  let width, height: Int
  let picture: PixelSize
  /// The map from device pixels to picture pixels, and its inverse.
  let map, toDevice: Affine
  /// The length of a picture pixel in device pixels.
  let scale: Double
  /// The colours seen.
  let seen: ColourField
  /// The colours expected, interpolated between levels as the registration does.
  let expected: ColourField
  /// The colours of the best level, which has all detail that a viewer can show.
  let sharp: ColourField
  /// The distances of pixels from the picture's outline in device pixels; negative outside.
  let depth: [Float]
  /// The pixels whose colours are the card's; nil for another picture.
  let mask: ScreenMask?

  init(
    _ shot: Shot, _ map: Affine, _ toDevice: Affine, _ levels: PlanePyramid, isCard: Bool,
    best: Int
  ) {
    (self.shot, width, height) = (shot, shot.width, shot.height)
    (self.map, self.toDevice, picture) = (map, toDevice, levels.size)
    let scale = abs(toDevice.determinant).squareRoot()
    self.scale = scale
    let screen = ScreenWindow(x: 0, y: 0, width: shot.width, height: shot.height)
    seen = shot.field
    expected = levels.expected(map, in: screen)
    sharp = levels.expected(map, in: screen, level: best)
    mask = isCard ? ScreenMask(cardIn: shot) : nil
    var depth: [Float] = []
    depth.reserveCapacity(shot.width * shot.height)
    let (right, bottom) = (Double(levels.size.width), Double(levels.size.height))
    for y in 0..<shot.height {
      for x in 0..<shot.width {
        let place = map.apply(to: ViewPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
        let across = min(place.x, right - place.x)
        let down = min(place.y, bottom - place.y)
        depth.append(Float(min(across, down) * scale))
      }
    }
    self.depth = depth
  }

  /// Returns whether a pixel lies inside the picture by a margin.
  @inline(__always) func isInside(_ index: Int, by margin: Float) -> Bool {
    depth[index] > margin
  }

  /// Compares pixels one by one if the picture is shown 1:1, upright and on whole device pixels.
  func exact(_ levels: PlanePyramid) -> SightChecks.ExactDifference? {
    // The fit is exact at 1:1, so that these limits only need to exclude other places: 2e-4 is a
    // tenth of a pixel on a screen of 500.
    let linear = [map.a - 1, map.b, map.c, map.d - 1]
    guard linear.allSatisfy({ abs($0) < 2e-4 }), let full = levels.levels.first else { return nil }
    let centre = ViewPoint(x: Double(width) / 2, y: Double(height) / 2)
    let offset = map.apply(to: centre) - centre
    let (across, down) = (offset.x.rounded(), offset.y.rounded())
    guard max(abs(offset.x - across), abs(offset.y - down)) < 0.02 else { return nil }
    let (x, y) = (Int(across), Int(down))
    var difference = SightChecks.ExactDifference(pixels: 0, level: 0, compared: 0)
    for row in max(0, -y)..<max(0, -y, min(height, picture.height - y)) {
      for column in max(0, -x)..<max(0, -x, min(width, picture.width - x)) {
        let index = row * width + column
        let (red, green, blue) = shot.samples(index)
        let at = ((row + y) * picture.width + column + x) * Pixels.screenBands
        let level = max(
          abs(Int(red) - Int(full.bytes[at])), abs(Int(green) - Int(full.bytes[at + 1])),
          abs(Int(blue) - Int(full.bytes[at + 2])))
        difference.compared += 1
        difference.pixels += level > 0 ? 1 : 0
        difference.level = max(difference.level, level)
      }
    }
    return difference.compared > 0 ? difference : nil
  }
}
