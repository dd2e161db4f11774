import CoreGraphics
import QuartzCore
import UIKit
import ZoomGeometry

/// Draws a system's layers with layers of Core Animation, which it keeps and uses again.
@MainActor
final class LayerCanvas {
  /// What everything is drawn in; its points are the viewport's.
  let root = CALayer()
  private let image: CGImage
  private var nodes: [Node] = []

  init(_ image: CGImage) {
    self.image = image
  }

  func draw(_ layers: [Layer]) {
    CATransaction.begin()
    CATransaction.setDisableActions(true)
    while nodes.count < layers.count {
      let node = Node()
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

/// Three layers for one of a system's.
@MainActor
private final class Node {
  /// Casts the shadow and fades: in the viewport's points, so that no transform turns the shadow.
  let root = CALayer()
  /// Hides what the mask and the corners hide, and has the transform.
  private let clip = CALayer()
  /// The picture.
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
      // A border is inside of its layer; half of the line is outside of the rectangle.
      place(
        ViewRect(
          x: layer.rect.x - layer.width / 2, y: layer.rect.y - layer.width / 2,
          width: layer.rect.width + layer.width, height: layer.rect.height + layer.width),
        .identity, 0)
      fade(1, layer.shadow)
      clip.borderWidth = layer.width
      clip.borderColor = CGColor(gray: layer.shade, alpha: 1)
    }
  }

  /// Places what is seen, in points of the layer's own space, which are those of `clip`'s bounds.
  private func place(_ seen: ViewRect, _ transform: Affine, _ cornerRadius: Double) {
    clip.bounds = CGRect(seen)
    // The anchor is the corner of what is seen, and the position says where it goes.
    clip.position = CGPoint(transform.apply(to: ViewPoint(x: seen.x, y: seen.y)))
    var turn = transform
    (turn.tx, turn.ty) = (0, 0)
    clip.setAffineTransform(CGAffineTransform(turn))
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
      // Whole pixels, cut out and not filtered: a part of the texture could be off by a rounding.
      content.contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
      content.magnificationFilter = .nearest
      guard copied != copy.region else { return }
      content.contents = image.cropping(to: CGRect(copy.region))
      copied = copy.region
    } else {
      let (width, height) = (Double(image.width), Double(image.height))
      content.contentsRect = CGRect(
        UnitRect(
          x: layer.content.x / width, y: layer.content.y / height,
          width: layer.content.width / width, height: layer.content.height / height))
      content.magnificationFilter = .linear
      content.contents = image
      copied = nil
    }
  }
}
