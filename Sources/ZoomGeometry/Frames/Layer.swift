/// One thing drawn on the screen; a state's layers are drawn in order, each over the earlier ones.
public enum Layer: Sendable, Hashable {
  /// A part of the picture.
  case picture(PictureLayer)
  /// An area of one shade.
  case fill(FillLayer)
  /// A line around a rectangle.
  case outline(OutlineLayer)

  package var shadow: Shadow? {
    switch self {
    case .picture(let layer): layer.shadow
    case .fill(let layer): layer.shadow
    case .outline(let layer): layer.shadow
    }
  }

  /// Whether every number of the layer is finite.
  public var isFinite: Bool {
    // An array would allocate, and this runs for each layer of each frame.
    switch self {
    case .picture(let layer):
      layer.transform.isFinite && layer.content.isFinite && layer.seen.isFinite
        && layer.size.atOrigin.isFinite && layer.cornerRadius.isFinite && layer.opacity.isFinite
        && layer.shadow?.isFinite != false
    case .fill(let layer):
      layer.rect.isFinite && layer.transform.isFinite && layer.shade.isFinite
        && layer.opacity.isFinite && layer.cornerRadius.isFinite && layer.shadow?.isFinite != false
    case .outline(let layer):
      layer.rect.isFinite && layer.width.isFinite && layer.shade.isFinite
        && layer.shadow?.isFinite != false
    }
  }
}

/// A part of the picture, stretched over a rectangle that is then transformed, masked and faded.
public struct PictureLayer: Sendable, Hashable, Codable {
  /// The part of the picture, in upright picture pixels.
  ///
  /// A published formula may let it reach out of the picture: there the picture's edge pixels are
  /// smeared outwards, as in Core Animation.
  public var content: PictureRect { didSet { copy = nil } }
  /// The size in points of the layer's own space, over which `content` is stretched.
  public var size: ViewSize { didSet { copy = nil } }
  /// The map from the layer's own space, whose origin is its top left corner, to the viewport.
  public var transform: Affine { didSet { copy = nil } }
  /// The layer's placement in integers, if it was created as a copy of picture pixels.
  ///
  /// Nil for all other layers, and after a change to `content`, `size` or `transform`.
  public private(set) var copy: PixelCopy?
  /// The visible part of the layer, in points of the layer's own space; nil for all of it.
  public var mask: ViewRect?
  /// The corner radius of the visible part, in points of the layer's own space.
  public var cornerRadius: Double
  /// The opacity: 0 is invisible, 1 is opaque.
  public var opacity: Double
  /// The shadow of the visible part.
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

  /// Creates a layer that shows a copy on a screen with `scale` pixels per point.
  init(_ copy: PixelCopy, scale: Double) {
    self.init(
      content: PictureRect(copy.region),
      size: ViewSize(
        width: Double(copy.region.width) / scale, height: Double(copy.region.height) / scale),
      transform: .translation(x: Double(copy.x) / scale, y: Double(copy.y) / scale))
    self.copy = copy
  }

  /// The part that the mask shows, in points of the layer's own space.
  public var seen: ViewRect { mask ?? size.atOrigin }
}

/// Picture pixels that are shown unchanged, one on each pixel of the screen.
public struct PixelCopy: Sendable, Hashable, Codable {
  /// The picture pixels.
  public let region: PixelRegion
  /// The screen column and row at which the region begins; it may be off the screen.
  public let x, y: Int
}

/// An area of one shade: a backdrop, a blanking view, a button.
public struct FillLayer: Sendable, Hashable, Codable {
  /// The area, in points of the layer's own space.
  public var rect: ViewRect
  /// The map from the layer's own space to the viewport.
  public var transform: Affine
  /// The shade: 0 is black, 1 is white.
  public var shade: Double
  /// The opacity: 0 is invisible, 1 is opaque.
  public var opacity: Double
  /// The corner radius, in points of the layer's own space.
  public var cornerRadius: Double
  /// The shadow of the area.
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
  /// The shade: 0 is black, 1 is white.
  public var shade: Double
  /// The shadow of the line.
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
  /// The offset, in points of the viewport.
  public var offset: ViewPoint
  /// The blur in points: the standard deviation of a Gaussian, as in Core Animation.
  public var radius: Double
  /// The opacity: 0 is invisible, 1 is black.
  public var opacity: Double

  /// Creates a shadow.
  public init(offset: ViewPoint, radius: Double, opacity: Double) {
    self.offset = offset
    self.radius = radius
    self.opacity = opacity
  }

  fileprivate var isFinite: Bool {
    offset.x.isFinite && offset.y.isFinite && radius.isFinite && opacity.isFinite
  }
}

extension Layer: Codable {
  private enum CodingKeys: String, CodingKey {
    case picture, fill, outline
  }

  /// Decodes the one layer of an object such as {"picture": {...}}.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard values.allKeys.count == 1, let kind = values.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a layer is one of picture, fill and outline"))
    }
    switch kind {
    case .picture: self = .picture(try values.decode(PictureLayer.self, forKey: kind))
    case .fill: self = .fill(try values.decode(FillLayer.self, forKey: kind))
    case .outline: self = .outline(try values.decode(OutlineLayer.self, forKey: kind))
    }
  }

  /// Encodes the layer under the name of its kind.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .picture(let layer): try values.encode(layer, forKey: .picture)
    case .fill(let layer): try values.encode(layer, forKey: .fill)
    case .outline(let layer): try values.encode(layer, forKey: .outline)
    }
  }
}

extension Layer: CustomStringConvertible {
  /// One line, such as "picture 750x750+1192+1955 1:1 at (0, 292) px".
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

  /// Returns a number to a hundredth, without decimals if it is whole.
  private func rounded(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}
