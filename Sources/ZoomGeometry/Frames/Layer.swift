/// One thing drawn on the screen; a state's layers are drawn in order, each over the ones before.
public enum Layer: Sendable, Hashable, Codable {
  /// A part of the picture.
  case picture(PictureLayer)
  /// An area of one shade.
  case fill(FillLayer)
  /// A line around a rectangle.
  case outline(OutlineLayer)
}

/// A part of the picture, stretched over a rectangle that is then transformed, masked and faded.
public struct PictureLayer: Sendable, Hashable, Codable {
  /// What of the picture is shown, in upright picture pixels.
  ///
  /// It may reach out of the picture where a published formula makes it: there the picture's edge
  /// pixels are smeared outwards, as Core Animation does.
  public var content: PictureRect { didSet { copy = nil } }

  /// The size in points of the layer's own space, over which `content` is stretched.
  public var size: ViewSize { didSet { copy = nil } }

  /// The map from the layer's own space, whose origin is its top left corner, to the viewport.
  public var transform: Affine { didSet { copy = nil } }

  /// Where the layer shows whole picture pixels 1:1: `content`, `size` and `transform` in integers.
  ///
  /// Nil for a layer that was not made so, and for one of which one of the three has been changed.
  public private(set) var copy: PixelCopy?

  /// What of the layer is seen, in points of its own space; all of it if nil.
  public var mask: ViewRect?

  /// The radius of the corners of what is seen, in points of the layer's own space.
  public var cornerRadius: Double

  /// 0 is not seen, 1 hides what is behind.
  public var opacity: Double

  /// A shadow of what is seen.
  public var shadow: Shadow?

  /// Creates a layer.
  public init(
    content: PictureRect, size: ViewSize, transform: Affine, mask: ViewRect? = nil,
    cornerRadius: Double = 0, opacity: Double = 1, shadow: Shadow? = nil
  ) {
    self.content = content
    self.size = size
    self.transform = transform
    self.mask = mask
    self.cornerRadius = cornerRadius
    self.opacity = opacity
    self.shadow = shadow
  }

  /// Creates a layer that shows a whole picture in a rectangle of the viewport.
  public init(whole picture: PixelSize, in frame: ViewRect) {
    self.init(
      content: PictureRect(PixelRegion(whole: picture)), size: frame.size,
      transform: .translation(x: frame.x, y: frame.y))
  }

  /// Creates a layer that shows picture pixels 1:1 in the middle of a screen, on whole pixels of it.
  public init(copying region: PixelRegion, inMiddleOf screen: Screen) {
    func middle(_ side: Int, _ length: Int) -> Int { (side - length + 1) >> 1 }
    self.init(
      PixelCopy(
        region: region, x: middle(screen.pixels.width, region.width),
        y: middle(screen.pixels.height, region.height)), scale: screen.scale)
  }

  /// Creates a layer that shows a copy on a screen of so many pixels a point.
  init(_ copy: PixelCopy, scale: Double) {
    self.init(
      content: PictureRect(copy.region),
      size: ViewSize(
        width: Double(copy.region.width) / scale, height: Double(copy.region.height) / scale),
      transform: .translation(x: Double(copy.x) / scale, y: Double(copy.y) / scale))
    self.copy = copy
  }

  /// What of the layer is seen, in points of its own space.
  public var seen: ViewRect { mask ?? size.atOrigin }
}

/// Picture pixels that are shown as they are, one on each pixel of the screen.
public struct PixelCopy: Sendable, Hashable, Codable {
  /// The picture pixels.
  public let region: PixelRegion

  /// The column and row of the screen's pixels at which the region begins; it may be off the screen.
  public let x, y: Int

  /// Creates a copy.
  public init(region: PixelRegion, x: Int, y: Int) {
    self.region = region
    self.x = x
    self.y = y
  }
}

/// An area of one shade: a backdrop, a blanking view, a button.
public struct FillLayer: Sendable, Hashable, Codable {
  /// The area, in points of the layer's own space.
  public var rect: ViewRect
  /// The map from the layer's own space to the viewport.
  public var transform: Affine
  /// 0 is black, 1 is white.
  public var shade: Double
  /// 0 is not seen, 1 hides what is behind.
  public var opacity: Double
  /// The radius of the corners, in points of the layer's own space.
  public var cornerRadius: Double
  /// A shadow of the area.
  public var shadow: Shadow?

  /// Creates a layer.
  public init(
    rect: ViewRect, transform: Affine = .identity, shade: Double, opacity: Double = 1,
    cornerRadius: Double = 0, shadow: Shadow? = nil
  ) {
    self.rect = rect
    self.transform = transform
    self.shade = shade
    self.opacity = opacity
    self.cornerRadius = cornerRadius
    self.shadow = shadow
  }
}

/// A line centred on the border of a rectangle: half of its width lies outside.
public struct OutlineLayer: Sendable, Hashable, Codable {
  /// The rectangle, in points of the viewport.
  public var rect: ViewRect
  /// The line's width in points.
  public var width: Double
  /// 0 is black, 1 is white.
  public var shade: Double
  /// A shadow of the line.
  public var shadow: Shadow?

  /// Creates a layer.
  public init(rect: ViewRect, width: Double, shade: Double, shadow: Shadow? = nil) {
    self.rect = rect
    self.width = width
    self.shade = shade
    self.shadow = shadow
  }
}

/// A black shadow.
public struct Shadow: Sendable, Hashable, Codable {
  /// How far it is moved, in points of the viewport.
  public var offset: ViewPoint
  /// How far it is blurred, in points: the standard deviation of a Gaussian, as in Core Animation.
  public var radius: Double
  /// 0 is not seen, 1 is black.
  public var opacity: Double

  /// Creates a shadow.
  public init(offset: ViewPoint, radius: Double, opacity: Double) {
    self.offset = offset
    self.radius = radius
    self.opacity = opacity
  }
}

extension Layer: CustomStringConvertible {
  /// What is drawn where, on a line: "picture 750x750+1192+1955 1:1 at (0, 292) px".
  public var description: String {
    switch self {
    case .picture(let layer):
      let what: String
      if let copy = layer.copy {
        what = "\(copy.region) 1:1 at (\(copy.x), \(copy.y)) px"
      } else {
        let content = layer.content
        what =
          "\(rounded(content.width))x\(rounded(content.height))"
          + " from (\(rounded(content.x)), \(rounded(content.y))) px"
          + " in \(words(layer.transform.boundingBox(of: layer.seen)))"
      }
      return "picture \(what)" + (layer.mask == nil ? "" : ", masked")
        + (layer.cornerRadius == 0 ? "" : ", corners \(rounded(layer.cornerRadius))")
        + (layer.opacity == 1 ? "" : ", opacity \(rounded(layer.opacity))")
    case .fill(let layer):
      return "area in \(words(layer.transform.boundingBox(of: layer.rect)))"
        + ", shade \(rounded(layer.shade)), opacity \(rounded(layer.opacity))"
    case .outline(let layer):
      return "line around \(words(layer.rect)), \(rounded(layer.width)) pt"
    }
  }

  private func words(_ rect: ViewRect) -> String {
    "\(rounded(rect.width))x\(rounded(rect.height)) at (\(rounded(rect.x)), \(rounded(rect.y))) pt"
  }

  /// To a hundredth, without a point where there is nothing after it.
  private func rounded(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}
