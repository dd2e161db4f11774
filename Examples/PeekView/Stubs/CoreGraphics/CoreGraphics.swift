// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// Foundation on Linux has the numbers of Core Graphics; Apple's has them from Core Graphics.
@_exported import struct Foundation.CGFloat
@_exported import struct Foundation.CGPoint
@_exported import struct Foundation.CGRect
@_exported import struct Foundation.CGSize

public struct CGAffineTransform: Sendable, Equatable {
  public var a, b, c, d, tx, ty: CGFloat

  public init() { (a, b, c, d, tx, ty) = (0, 0, 0, 0, 0, 0) }

  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
}

public final class CGColor: Sendable {
  public init(gray: CGFloat, alpha: CGFloat) {}
}

public final class CGImage: Sendable {
  public let width: Int
  public let height: Int
  /// Where it was cut out of another, for the check.
  public let stubOrigin: CGPoint

  public func cropping(to rect: CGRect) -> CGImage? {
    CGImage(stubWidth: Int(rect.width), height: Int(rect.height), origin: rect.origin)
  }

  public init(stubWidth width: Int, height: Int, origin: CGPoint = .zero) {
    (self.width, self.height, stubOrigin) = (width, height, origin)
  }
}
