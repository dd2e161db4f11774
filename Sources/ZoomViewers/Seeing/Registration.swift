internal import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// Finds the place of the card in a screenshot.
///
/// The colours give a first affine map, and two fits of the texture, coarse and fine, improve it.
/// On sharp views whose place was known, the error was at most 0.04 device pixels.
package struct Registration: Sendable {
  private let levels: PlanePyramid

  /// Creates a registration of the card with these levels.
  package init(_ levels: PlanePyramid) { self.levels = levels }

  /// Finds the place of the card.
  ///
  /// - Parameters:
  ///   - shot: The screenshot, in device pixels.
  ///   - ratio: The number of device pixels per CSS pixel.
  /// - Returns: The place, or the reason why it is unknown.
  package func fit(_ shot: Pixels, ratio: Double) -> Sight {
    guard let seen = Shot(shot) else {
      return .lost(
        "the screenshot must have 3 bands or more of uint8, "
          + "not \(shot.bands) of \(shot.format.rawValue)")
    }
    guard ratio.isFinite, ratio > 0 else { return .lost("the device pixel ratio is \(ratio)") }
    let view: CardView
    switch CardView.read(seen) {
    case .success(let read): view = read
    case .failure(let reason): return .lost(reason.text)
    }
    guard let start = ClosedForm.map(seen, view.mask, of: levels.size) else {
      return .lost("the colours are not those of one view of the card")
    }
    return fit(view, from: start, ratio)
  }

  private func fit(_ view: CardView, from start: Affine, _ ratio: Double) -> Sight {
    // Cells of 4 and 2 pixels, or twice as many on large screens to bound the time.
    let cell = view.shot.width * view.shot.height > 400_000 ? 4 : 2
    var map = start
    var coarse: GaussNewton?
    for (side, radius, stride) in [(2 * cell, 3, 1), (cell, 2, 2)] {
      guard map.isUsable else { break }
      coarse = improve(&map, view, side: side, radius: radius, stride: stride) ?? coarse
    }
    guard map.isUsable, let fine = refine(&map, view), map.isUsable,
      let toDevice = map.inverted()
    else { return .lost("the texture is not the card's") }
    // A view that is blurred by several levels has only the coarse texture.
    let steps: [GaussNewton?] = [fine.step, coarse]
    let textures = steps.compactMap { $0?.texture { ramp(map, $0) } }
    let correlation = textures.map { $0.correlation }.max() ?? 0
    // Far out, the texture is averaged away and only the colours are left.
    guard correlation >= 0.9 || (textures.first?.deviation ?? 0) < 1 else {
      return .lost(
        "the texture is not the card's: correlation \((correlation * 100).rounded() / 100)")
    }
    guard fine.step.meanWeight >= 0.3 else {
      return .lost("less than a third of what is visible agrees with the card")
    }
    return .place(
      ViewerPlace(
        toScreen: toDevice.then(.scale(1 / ratio)), error: fine.error,
        correlation: min(correlation, 1), visibleShare: view.share))
  }

  /// Returns the part of the colour that the code adds: no texture, but the place.
  private func ramp(_ map: Affine, _ sample: GaussNewton.Sample) -> SIMD4<Float> {
    let place = map.apply(to: ViewPoint(x: Double(sample.x), y: Double(sample.y)))
    let range = PlaceCard.codeRange
    return SIMD4(
      Float(range * place.x / Double(levels.size.width)),
      Float(range * place.y / Double(levels.size.height)), 0, 0)
  }

  /// Improves a map that may be many pixels off, on cells of the screen, blurred by a box.
  ///
  /// Starts that were 180 pixels off came within a pixel. Returns the last step; nil if too few
  /// cells lie inside the picture.
  private func improve(
    _ map: inout Affine, _ view: CardView, side: Int, radius: Int, stride: Int
  ) -> GaussNewton? {
    let cells = view.cells(side)
    let window = ScreenWindow(x: 0, y: 0, width: cells.width, height: cells.height)
    let seen = cells.boxSums(radius: radius)
    // The last lane counts the cells inside the picture; with a third of them, edges do not count.
    let least = 0.35 * Float((2 * radius + 1) * (2 * radius + 1))
    let screen = ScreenWindow(x: 0, y: 0, width: view.shot.width, height: view.shot.height)
    var last: GaussNewton?
    for _ in 0..<8 {
      var expected = levels.expected(map, in: window, cell: side)
      for at in expected.values.indices {
        if cells.values[at].w == 0 { expected.values[at] = .zero }
      }
      expected = expected.boxSums(radius: radius)
      var samples: [GaussNewton.Sample] = []
      for y in Swift.stride(from: stride, to: cells.height - 1, by: stride) {
        for x in Swift.stride(from: stride, to: cells.width - 1, by: stride) {
          let at = y * cells.width + x
          guard cells.values[at].w > 0, seen.values[at].w > least else { continue }
          func mean(_ at: Int) -> SIMD4<Float> {
            expected.values[at] / max(seen.values[at].w, 1)
          }
          let step = 1 / Float(2 * side)
          let (next, below) = (mean(at + 1), mean(at + cells.width))
          samples.append(
            GaussNewton.Sample(
              x: (Float(x) + 0.5) * Float(side), y: (Float(y) + 0.5) * Float(side),
              colour: seen.values[at] / seen.values[at].w, expected: mean(at),
              across: (next - mean(at - 1)) * step, down: (below - mean(at - cells.width)) * step))
        }
      }
      guard samples.count >= 60,
        let step = GaussNewton(samples, view.frame, isSquared: false, damping: 1e-6)
      else { break }
      map = step.motion.then(map)
      last = step
      guard map.isUsable, step.largestMotion(in: screen) >= 0.05 else { break }
    }
    return last
  }

  /// Improves a map that is less than a few pixels off, first on a part of the pixels, then on all.
  ///
  /// Returns the last step and the estimated error in device pixels; nil if the fit fails.
  private func refine(_ map: inout Affine, _ view: CardView) -> (step: GaussNewton, error: Double)?
  {
    let seen = view.shot.field.smoothed()
    var last: GaussNewton?
    var error = 0.0
    // Large scales show few picture pixels, so that all their screen pixels are needed.
    let many = abs(map.determinant) < 1.0 / 16 ? 200_000 : 60_000
    for (most, side, rounds, limit) in [(12_000, 8, 4, 0.02), (many, 16, 2, 0.002)] {
      let windows = view.windows(forSamples: most, side: side)
      var before = Double.infinity
      for _ in 0..<rounds {
        let samples = windows.flatMap { compared(map, view, seen, in: $0) }
        guard let step = GaussNewton(samples, view.frame, isSquared: true, damping: 1e-9) else {
          return nil
        }
        map = step.motion.then(map)
        guard map.isUsable else { return nil }
        last = step
        let motion = step.largestMotion(in: view.window)
        // The ways of the rounds shrink by a factor: this is the sum of those that were not done.
        let factor = min(motion / before, 0.95)
        let remaining = before.isFinite ? motion * factor / (1 - factor) : motion
        // Filters that differ from the expected one shift contents by some thousandths of a pixel.
        let share = Double(view.innerCount) / Double(max(samples.count, 1))
        error = 0.005 + step.error(in: view.window) * share.squareRoot() + remaining
        if motion < limit { break }
        before = motion
      }
    }
    return last.map { ($0, error) }
  }

  /// Returns the inner pixels of a window with their expected colours.
  private func compared(
    _ map: Affine, _ view: CardView, _ seen: ColourField, in window: ScreenWindow
  ) -> [GaussNewton.Sample] {
    // The filter and the gradient each need a pixel around the window.
    let expected = levels.expected(map, in: window.grown(by: 2)).smoothed()
    var samples: [GaussNewton.Sample] = []
    for y in window.y..<min(window.y + window.height, seen.height) {
      for x in window.x..<min(window.x + window.width, seen.width) {
        guard view.inner.isSet[y * seen.width + x] else { continue }
        let at = (y - window.y + 2) * expected.width + x - window.x + 2
        let across = expected.values[at + 1] - expected.values[at - 1]
        let down = expected.values[at + expected.width] - expected.values[at - expected.width]
        let half: Float = 0.5
        samples.append(
          GaussNewton.Sample(
            x: Float(x) + 0.5, y: Float(y) + 0.5, colour: seen.values[y * seen.width + x],
            expected: expected.values[at], across: across * half, down: down * half))
      }
    }
    return samples
  }
}
