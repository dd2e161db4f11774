internal import Synchronization
public import ZoomGeometry
public import ZoomPipeline

/// The pixels that a screen shows of a state, and the work that they cost.
public struct Frame: Sendable, Hashable {
  /// The screen's pixels: 8-bit sRGB in three bands.
  public let pixels: Pixels
  /// The work of reading and decoding, over all layers.
  public let work: Work
  /// The picture layers that are visible, from back to front.
  public let layers: [DrawnLayer]
}

/// A picture layer in a frame.
public struct DrawnLayer: Sendable, Hashable {
  /// The origin of a layer's pixels.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// The source read them.
    case source
    /// An answer for an earlier frame or layer.
    case heldAnswer
    /// The stretched layer of an earlier frame.
    case heldLayer
  }

  /// The layer's index in the state.
  public let index: Int
  /// The picture pixels that the layer uses.
  public let region: PixelRegion
  /// The reduction with which they were decoded.
  public let reduction: Reduction
  /// Whether they were copied or stretched.
  public let kind: PicturePlan.Kind
  /// The method by which the source made the decoded pixels.
  public let resampling: Resampling
  /// The origin of the pixels.
  public let origin: Origin
  /// The work of reading them; zero unless they came from the source.
  public let work: Work
}

/// Draws the states of a zoom system with the pixels of a picture.
///
/// The cache does not change frames. Several threads may draw with one renderer.
public final class FrameRenderer: Sendable {
  /// The source of the picture's pixels.
  public let source: any RegionSource

  /// The most bytes of cached answers, and as many of stretched layers: 64 MiB hold 22 screens of
  /// 750 x 1334 pixels, a third of a second.
  package static let mostHeldBytes = 64 << 20
  private let heldBytes: Int

  /// The most pixels of a frame: 16384 x 8192, four times an 8K screen, take 400 MB.
  public static let mostPixels = 1 << 27

  private let answers: Mutex<ByteCache<RegionRequest, RegionAnswer>>
  /// Stretched layers, and the method by which the source made their pixels.
  private let layers: Mutex<ByteCache<PicturePlan, (pixels: Pixels, resampling: Resampling)>>

  /// Creates a renderer.
  ///
  /// Pixels that are not 8-bit sRGB are converted by their interpretation; profiles are ignored.
  /// - Parameter source: an opened picture.
  public convenience init(source: any RegionSource) {
    self.init(source: source, heldBytes: Self.mostHeldBytes)
  }

  /// Creates a renderer that caches at most `heldBytes` bytes of answers, and as many of layers, up to
  /// `mostHeldBytes`.
  package init(source: any RegionSource, heldBytes: Int) {
    self.source = source
    self.heldBytes = min(heldBytes, Self.mostHeldBytes)
    answers = Mutex(ByteCache(limit: self.heldBytes))
    layers = Mutex(ByteCache(limit: self.heldBytes))
  }

  /// Drops cached data; the source keeps its own.
  public func forget() {
    answers.withLock { $0 = ByteCache(limit: heldBytes) }
    layers.withLock { $0 = ByteCache(limit: heldBytes) }
  }

  /// Draws a state.
  ///
  /// A layer that is empty or off the screen draws nothing. A layer whose numbers are not finite is
  /// an error, as it is in Core Animation (`CALayerInvalidGeometry`).
  /// - Parameter state: the state; its time, force and events do not matter.
  /// - Returns: the screen's pixels and their cost.
  /// - Throws: `PipelineError`: `unsupported` for numbers that are not finite and colours that
  ///   cannot be shown, `overBudget` for a layer stretched too far, or the source's error.
  public func render(_ state: ZoomState) throws(PipelineError) -> Frame {
    try render(state.layers, on: state.screen)
  }

  package func render(_ layers: [Layer], on screen: Screen) throws(PipelineError) -> Frame {
    guard screen.pixels.area <= Self.mostPixels else {
      throw PipelineError(
        .overBudget, operation: "draw", file: nil,
        reason: "a screen of \(screen.pixels) pixels is larger than a frame may be",
        advice: "use a screen of at most \(Self.mostPixels) pixels")
    }
    var steps: [PaintStep] = []
    var drawn: [DrawnLayer] = []
    for (index, layer) in layers.enumerated() {
      guard layer.isFinite else {
        throw PipelineError(
          .unsupported, operation: "draw", file: nil,
          reason: "layer \(index) holds a number that is not finite",
          advice: "the state is the outcome of a defect: do not draw it")
      }
      steps += PaintStep.steps(of: layer, on: screen)
      if case .picture(let picture) = layer,
        let one = try draw(picture, index, on: screen, &steps)
      {
        drawn.append(one)
      }
    }
    return Frame(
      pixels: Canvas.paint(steps, size: screen.pixels),
      work: drawn.reduce(.none) { $0 + $1.work }, layers: drawn)
  }

  /// Adds the step of a picture layer; returns nil if it is not visible.
  private func draw(
    _ layer: PictureLayer, _ index: Int, on screen: Screen, _ steps: inout [PaintStep]
  ) throws(PipelineError) -> DrawnLayer? {
    let stored = try source.storedReductions().map(\.rawValue)
    guard let plan = PicturePlan(layer, on: screen, picture: source.size, stored: stored),
      let visible = layer.visible,
      let shape = RoundedRectangle(
        visible, cornerRadius: layer.cornerRadius, layer.transform, opacity: layer.opacity,
        on: screen)
    else { return nil }
    let turn = if case .exact(let turn) = plan.kind { turn } else { QuarterTurn.none }
    // Plans have the same reductions as requests.
    let reduction = Reduction(rawValue: plan.reduction) ?? Reduction.none
    let request = RegionRequest(
      plan.region, reduction: reduction, turn: turn, usesStoredLevels: reduction != .none)
    func drawn(
      _ paint: Paint, _ resampling: Resampling, _ origin: DrawnLayer.Origin, _ work: Work
    ) -> DrawnLayer {
      steps.append(PaintStep(shape: shape, paint: paint))
      return DrawnLayer(
        index: index, region: plan.region, reduction: reduction, kind: plan.kind,
        resampling: resampling, origin: origin, work: work)
    }
    let held = layers.withLock { $0.first { key, layer in key == plan ? layer : nil } }
    if let held { return drawn(plan.paint(held.pixels), held.resampling, .heldLayer, .none) }
    let (part, work) = try read(request)
    return drawn(
      try paint(part, plan), part.answer.resampling, work == nil ? .heldAnswer : .source,
      work ?? .none)
  }

  /// Creates the paint of a layer, and caches it if pixels were computed.
  private func paint(_ part: HeldPart, _ plan: PicturePlan) throws(PipelineError) -> Paint {
    let pixels: Pixels
    switch plan.kind {
    case .exact:
      if let paint = plan.copying(part) { return paint }
      pixels = try plan.smeared(part)
    case .bilinear:
      pixels = try plan.stretched(part)
    }
    let layer = (pixels: pixels, resampling: part.answer.resampling)
    layers.withLock { $0.keep(layer, for: plan, byteCount: pixels.bytes.count) }
    return plan.paint(pixels)
  }

  /// Returns a cached answer that contains the request, with nil work, or reads from the source.
  private func read(_ request: RegionRequest) throws(PipelineError) -> (HeldPart, Work?) {
    let part = answers.withLock {
      $0.first { held, answer in HeldPart(of: answer, to: held, for: request) }
    }
    if let part { return (part, nil) }
    let answer = try source.read(request)
    guard answer.pixels.size == request.outputSize else {
      throw PipelineError(
        .fault, operation: "draw", file: nil,
        reason: "the source answers \(answer.pixels.size) for \(request.outputSize)")
    }
    let kept = RegionAnswer(
      pixels: try answer.pixels.forScreen(), work: answer.work, resampling: answer.resampling)
    answers.withLock { $0.keep(kept, for: request, byteCount: kept.pixels.bytes.count) }
    return (HeldPart(answer: kept, x: 0, y: 0, size: kept.pixels.size), answer.work)
  }
}
