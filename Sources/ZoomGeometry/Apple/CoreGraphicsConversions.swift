#if canImport(CoreGraphics)
  public import CoreGraphics

  // Both sides have y down and Core Graphics' order of numbers, so nothing is turned or transposed.

  extension ViewPoint {
    /// Creates the same point.
    public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
  }

  extension ViewSize {
    /// Creates the same size.
    public init(_ size: CGSize) {
      self.init(width: Double(size.width), height: Double(size.height))
    }
  }

  extension ViewRect {
    /// Creates the same rectangle, with sides that are not negative.
    public init(_ rect: CGRect) {
      self.init(
        x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width),
        height: Double(rect.height))
    }
  }

  extension Affine {
    /// Creates the same map.
    public init(_ map: CGAffineTransform) {
      self.init(
        a: Double(map.a), b: Double(map.b), c: Double(map.c), d: Double(map.d),
        tx: Double(map.tx), ty: Double(map.ty))
    }
  }

  extension CGPoint {
    /// Creates the same point.
    public init(_ point: ViewPoint) { self.init(x: point.x, y: point.y) }
  }

  extension CGSize {
    /// Creates the same size.
    public init(_ size: ViewSize) { self.init(width: size.width, height: size.height) }
  }

  extension CGRect {
    /// Creates the same rectangle.
    public init(_ rect: ViewRect) {
      self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }

    /// Creates the same rectangle, as `CGImage.cropping(to:)` takes it: in pixels.
    public init(_ region: PixelRegion) {
      self.init(x: region.x, y: region.y, width: region.width, height: region.height)
    }

    /// Creates the same rectangle, as `CALayer.contentsRect` takes it.
    public init(_ rect: UnitRect) {
      self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
  }

  extension CGAffineTransform {
    /// Creates the same map.
    public init(_ map: Affine) {
      self.init(a: map.a, b: map.b, c: map.c, d: map.d, tx: map.tx, ty: map.ty)
    }
  }
#endif
