#if canImport(QuartzCore)
  public import CoreGraphics
  public import QuartzCore

  /// A canvas that draws the layers of a zoom system with reusable Core Animation layers.
  @MainActor
  public final class LayerCanvas {
    /// The layer that contains all others; its points are the viewport's.
    public let root = CALayer()
    private let image: CGImage
    private var nodes: [LayerNode] = []

    /// Creates a canvas for an upright picture.
    public init(_ image: CGImage) { self.image = image }

    /// Draws layers from back to front, without implicit animations.
    public func draw(_ layers: [Layer]) {
      CATransaction.begin()
      CATransaction.setDisableActions(true)
      while nodes.count < layers.count {
        let node = LayerNode()
        nodes.append(node)
        root.addSublayer(node.root)
      }
      for (number, node) in nodes.enumerated() {
        node.root.isHidden = number >= layers.count
        if number < layers.count { node.show(layers[number], of: image) }
      }
      CATransaction.commit()
    }
  }

  /// The three Core Animation layers that draw one layer of a system.
  @MainActor
  private final class LayerNode {
    /// The layer of shadow and opacity, in the viewport's points: no transform turns the shadow.
    let root = CALayer()
    /// The layer of mask, corners and transform.
    private let clip = CALayer()
    private let content = CALayer()
    private var copied: PixelRegion?

    init() {
      root.addSublayer(clip)
      clip.addSublayer(content)
      clip.masksToBounds = true
      clip.anchorPoint = .zero
    }

    func show(_ layer: Layer, of image: CGImage) {
      clip.backgroundColor = nil
      clip.borderWidth = 0
      content.isHidden = true
      switch layer {
      case .picture(let layer):
        place(layer.seen, layer.transform, layer.cornerRadius)
        fade(layer.opacity, layer.shadow)
        content.isHidden = false
        content.frame = CGRect(origin: .zero, size: CGSize(layer.size))
        show(layer, image)
      case .fill(let layer):
        place(layer.rect, layer.transform, layer.cornerRadius)
        fade(layer.opacity, layer.shadow)
        clip.backgroundColor = CGColor(gray: layer.shade, alpha: 1)
      case .outline(let layer):
        // A layer's border is inside the layer, but half of the line is outside the rectangle.
        let (width, height) = (layer.rect.width + layer.width, layer.rect.height + layer.width)
        place(layer.rect.centred(width, height), .identity, 0)
        fade(1, layer.shadow)
        clip.borderWidth = layer.width
        clip.borderColor = CGColor(gray: layer.shade, alpha: 1)
      }
    }

    /// Places the visible part; `clip.bounds` has the points of the layer's own space.
    private func place(_ seen: ViewRect, _ transform: Affine, _ cornerRadius: Double) {
      clip.bounds = CGRect(seen)
      // The anchor is the corner of the visible part.
      clip.position = CGPoint(transform.apply(to: seen.origin))
      clip.setAffineTransform(CGAffineTransform(transform.linear))
      clip.cornerRadius = cornerRadius
    }

    private func fade(_ opacity: Double, _ shadow: Shadow?) {
      root.opacity = Float(opacity)
      root.shadowOpacity = Float(shadow?.opacity ?? 0)
      guard let shadow else { return }
      root.shadowRadius = shadow.radius
      root.shadowOffset = CGSize(width: shadow.offset.x, height: shadow.offset.y)
    }

    private func show(_ layer: PictureLayer, _ image: CGImage) {
      if let copy = layer.copy {
        // The region is cut out, because a `contentsRect` could be off by a rounding.
        content.contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
        content.magnificationFilter = .nearest
        guard copied != copy.region else { return }
        content.contents = image.cropping(to: CGRect(copy.region))
        copied = copy.region
      } else {
        let (width, height) = (Double(image.width), Double(image.height))
        content.contentsRect = CGRect(
          x: layer.content.x / width, y: layer.content.y / height,
          width: layer.content.width / width, height: layer.content.height / height)
        content.magnificationFilter = .linear
        content.contents = image
        copied = nil
      }
    }
  }
#endif
