internal import Synchronization
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// Finds a picture in screenshots, and compares those of views at rest with it, for several plays at a time.
final class SightReader: Sendable {
  typealias Reading = (sight: Sight, checks: SightChecks?)

  let picture: ViewerPicture
  /// The page's colour; nil until a screenshot of a transparent picture was read.
  private let page = Mutex<SIMD4<Float>?>(nil)
  /// The readings by digest; without a limit, because each takes some hundred bytes.
  private let known = Mutex<[String: Reading]>([:])

  init(_ picture: ViewerPicture) { self.picture = picture }

  /// Reads a screenshot, unless one with an equal digest is known; the ratio is as in `Inspection`.
  func read(
    _ png: [UInt8], digest: UInt64, isSettled: Bool, ratio: Double
  ) throws(ViewerFailure) -> Reading {
    let key = "\(digest) \(isSettled) \(ratio)"
    if let reading = known.withLock({ $0[key] }) { return reading }
    let pixels: Pixels
    do throws(PipelineError) {
      let image = try Image(png: png)
      pixels = try image.read(PixelRegion(whole: image.size))
    } catch { throw .picture(error) }
    let shot = picture.alpha < 255 ? opaque(pixels) : pixels
    let (grid, registration) = (FitGrid(shot), Registration(levels: picture.levels))
    var reading: Reading = (registration.fit(shot, grid, ratio: ratio), nil)
    if isSettled, let grid, let place = reading.sight.place {
      reading.checks = Inspection(grid, place, ratio: ratio, of: picture.levels)?.checks()
    }
    known.withLock { $0[key] = reading }
    return reading
  }

  /// Returns a screenshot as it would be with an opaque picture.
  ///
  /// The page's colour is the most frequent one of the first screenshot in which the picture does not cover the page.
  private func opaque(_ shot: Pixels) -> Pixels {
    let colours = (0..<shot.size.area).map { shot.colour($0) }
    let page = self.page.withLock { page -> SIMD4<Float> in
      if let page { return page }
      let most = Dictionary(grouping: colours) { $0 }.values.max { $0.count < $1.count } ?? []
      // Each colour of the card covers less than a fiftieth of the screen.
      page = most.count * 50 > colours.count ? most.first : nil
      return page ?? .zero
    }
    let bytes = colours.flatMap { colour -> [UInt8] in
      let own = mixed(page, colour, 255 / Float(picture.alpha))
      return (0..<Pixels.screenBands).map { UInt8(min(max(own[$0].rounded(), 0), 255)) }
    }
    return Pixels(rgb: shot.size, bytes)
  }
}

/// Finds the place of the card in a screenshot.
///
/// The colours give a first affine map, and fits of the texture improve it, first on reduced copies.
/// On sharp views whose place was known, the error was at most 0.04 device pixels.
struct Registration {
  static let invisible = "the picture is not visible"
  let levels: PlanePyramid

  /// Returns the place of the card, or the reason why it is unknown; the ratio is as in `Inspection`.
  func fit(_ shot: Pixels, _ grid: FitGrid?, ratio: Double) -> Sight {
    guard let grid else { return .lost("the screenshot is not of 8 bits in colour") }
    let field = grid.colours
    let visible = field.values.indices.filter { field.values[$0].w > 0 }
    let area = field.values.count
    // 0.3 % of the screen is a patch of a twentieth of its width and of its height.
    guard visible.count >= 200, visible.count * 1000 >= area * 3, grid.isEnough else {
      return .lost(Self.invisible)
    }
    guard var map = start(field, visible) else {
      return .lost("the colours are not those of one view of the card")
    }
    // A view that is blurred by several levels has only the texture of a reduced screenshot.
    let small = [Reduction.eighth, .quarter].map { FitGrid(shot.reduced(by: $0)) }
    // Large scales show few picture pixels, so that all their screen pixels are needed.
    let many = abs(map.determinant) < 1.0 / 16 ? 200_000 : 60_000
    var fits: [Fitted?] = []
    for (grid, side, most, rounds, limit) in [
      (small[0], 8.0, 12_000, 8, 0.05), (small[1], 4, 12_000, 8, 0.05),
      (grid, 1, 12_000, 4, 0.02), (grid, 1, many, 2, 0.002),
    ] {
      var scaled = Affine.scale(side).then(map)
      fits.append(grid.flatMap { improve(&scaled, $0, most: most, rounds: rounds, limit: limit) })
      map = Affine.scale(1 / side).then(scaled)
    }
    // An eighth has too little texture to be sure of it.
    let correlation = fits.dropFirst().compactMap { $0?.step.texture.correlation }.max() ?? 0
    guard let fine = fits[3], map.isUsable, let toDevice = map.inverted() else {
      return .lost("the texture is not the card's")
    }
    // Far out, the texture is averaged away and only the colours are left.
    guard correlation >= 0.9 || fine.step.texture.deviation < 1 else {
      return .lost(
        "the texture is not the card's: correlation \((correlation * 100).rounded() / 100)")
    }
    return .place(
      ViewerPlace(
        toScreen: toDevice.then(.scale(1 / ratio)), error: fine.error,
        visibleShare: Double(visible.count) / Double(area)))
  }

  /// Returns the map from screen pixels to picture pixels that fits the colour codes; nil if they do not determine one.
  ///
  /// Codes grow evenly, so that one step leads from any place to the right one. The other rounds
  /// discard overlays whose colours look like the card's.
  private func start(_ field: ColourField, _ visible: [Int]) -> Affine? {
    // With about 20,000 pixels the noise of the codes averages out.
    let share = max(1, visible.count / 20_000)
    let indices = stride(from: share - 1, to: visible.count, by: share).map { visible[$0] }
    // A picture so large that all codes are expected to be near 0, and all weights near 1.
    var map = Affine.scale(1e-3)
    for _ in 0..<8 {
      let across = SIMD4(Float(map.a), Float(map.b), 0, 0)
      let down = SIMD4(Float(map.c), Float(map.d), 0, 0)
      let samples = indices.map { index -> GaussNewton.Sample in
        let (x, y) = (Double(index % field.width) + 0.5, Double(index / field.width) + 0.5)
        let place = map.apply(to: ViewPoint(x: x, y: y))
        let code = field.values[index].code - Float(PlaceCard.codeStart)
        return GaussNewton.Sample(
          x: Float(x), y: Float(y), colour: SIMD4(code.x, code.y, 0, 0),
          expected: SIMD4(Float(place.x), Float(place.y), 0, 0), across: across, down: down)
      }
      // At 1.5 deviations, overlays on a fifth of the card are discarded; at 3 they are not.
      guard
        let step = GaussNewton(samples, width: field.width, height: field.height, deviations: 1.5)
      else { return nil }
      map = step.motion.then(map)
      // A code that grows by a millionth per pixel does not grow.
      guard abs(map.determinant) > 1e-12 else { return nil }
    }
    return map.then(
      .scale(
        x: Double(levels.size.width) / PlaceCard.codeRange,
        y: Double(levels.size.height) / PlaceCard.codeRange))
  }

  /// The last step of a fit and the estimated error of the map in device pixels.
  private typealias Fitted = (step: GaussNewton, error: Double)

  /// Improves a map until a step moves the corners of the visible part by less than a limit.
  ///
  /// It uses about `most` pixels. The result is nil if there are too few, or if the map is lost.
  private func improve(
    _ map: inout Affine, _ grid: FitGrid, most: Int, rounds: Int, limit: Double
  ) -> Fitted? {
    guard grid.isEnough, let window = grid.window else { return nil }
    let corners = [window.x, window.maxX].flatMap { x in
      [window.y, window.maxY].map { ViewPoint(x: Double(x), y: Double($0)) }
    }
    // Strips of 4 rows, because the filter of a window also needs the pixels around it.
    let strips = stride(
      from: window.y, to: window.maxY, by: 4 * ((grid.usedCount + most - 1) / most)
    ).map {
      PixelRegion(uncheckedX: window.x, y: $0, width: window.width, height: 4)
    }
    var result: Fitted?
    var before = Double.infinity
    for _ in 0..<rounds {
      guard map.isUsable else { return nil }
      let samples = strips.flatMap { grid.samples(of: levels, at: map, in: $0) }
      // Ten samples for each of the six unknowns.
      guard samples.count >= 60,
        let step = GaussNewton(samples, width: grid.seen.width, height: grid.seen.height)
      else { return result }
      map = step.motion.then(map)
      let motion = corners.map { step.motion.apply(to: $0).distance(to: $0) }.max() ?? 0
      // The ways of the rounds shrink by a factor: this is the sum of those that were not done.
      let factor = min(motion / before, 0.95)
      let remaining = before.isFinite ? motion * factor / (1 - factor) : motion
      // Filters that differ from the expected one shift contents by some thousandths of a pixel.
      let share = Double(grid.usedCount) / Double(samples.count)
      let error = 0.005 + step.error(at: corners) * share.squareRoot() + remaining
      result = (step: step, error: error)
      if motion < limit { break }
      before = motion
    }
    return result
  }
}

/// The pixels of a screenshot, as they are and smoothed; a fit uses a part of them.
struct FitGrid {
  let colours, seen: ColourField
  private let isUsed: [Bool]
  let usedCount: Int
  /// Whether the used pixels are as many as in a square of ten: more than the 60 samples of a fit.
  var isEnough: Bool { usedCount >= 100 }
  /// The smallest region that contains all used pixels; nil without any.
  let window: PixelRegion?

  /// Uses the pixels at least 2 from the edges of the visible part, because filters blur edges.
  init?(_ shot: Pixels) {
    guard let colours = ColourField(shot) else { return nil }
    (self.colours, seen) = (colours, colours.smoothed)
    // The last lane stays 1 where all within the reach of the filters are visible.
    isUsed = seen.smoothed.values.map { $0.w == 1 }
    usedCount = isUsed.count { $0 }
    window = seen.bounds(of: isUsed)
  }

  /// Returns the used pixels of a window with the colours expected at a usable map.
  func samples(
    of levels: PlanePyramid, at map: Affine, in window: PixelRegion
  ) -> [GaussNewton.Sample] {
    // The filter and the gradient each need the pixels around.
    let around = PixelRegion(
      uncheckedX: window.x - 2, y: window.y - 2, width: window.width + 4, height: window.height + 4)
    let expected = levels.expected(map, in: around).smoothed.values
    var samples: [GaussNewton.Sample] = []
    for y in window.y..<min(window.maxY, seen.height) {
      for x in window.x..<min(window.maxX, seen.width) where isUsed[y * seen.width + x] {
        let at = (y - around.y) * around.width + x - around.x
        let across: SIMD4<Float> = expected[at + 1] - expected[at - 1]
        let down: SIMD4<Float> = expected[at + around.width] - expected[at - around.width]
        samples.append(
          GaussNewton.Sample(
            x: Float(x) + 0.5, y: Float(y) + 0.5, colour: seen.values[y * seen.width + x],
            expected: expected[at], across: across / 2, down: down / 2))
      }
    }
    return samples
  }
}
