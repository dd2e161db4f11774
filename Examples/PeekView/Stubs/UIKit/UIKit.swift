// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import QuartzCore

public enum UIDeviceOrientation: Int, Sendable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  case landscapeLeft = 3
  case landscapeRight = 4
  case faceUp = 5
  case faceDown = 6
}

public enum UIInterfaceOrientation: Int, Sendable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  // UIInterfaceOrientationLandscapeLeft = UIDeviceOrientationLandscapeRight
  case landscapeLeft = 4
  case landscapeRight = 3
}

public enum UIUserInterfaceLayoutDirection: Int, Sendable {
  case leftToRight = 0
  case rightToLeft = 1
}

public enum UIForceTouchCapability: Int, Sendable {
  case unknown = 0
  case unavailable = 1
  case available = 2
}

public final class UITraitCollection: NSObject, Sendable {
  public let displayScale: CGFloat
  public let forceTouchCapability: UIForceTouchCapability

  public init(stubScale: CGFloat, force: UIForceTouchCapability) {
    (displayScale, forceTouchCapability) = (stubScale, force)
  }
}

public struct UIEdgeInsets: Sendable {
  public var top, left, bottom, right: CGFloat
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
}

@MainActor
open class UIEvent: NSObject {
  private let coalesced: [ObjectIdentifier: [UITouch]]
  open func coalescedTouches(for touch: UITouch) -> [UITouch]? {
    coalesced[ObjectIdentifier(touch)]
  }

  public init(stubCoalesced: [ObjectIdentifier: [UITouch]]) { coalesced = stubCoalesced }
}

@MainActor
open class UITouch: NSObject {
  public enum TouchType: Int, Sendable {
    case direct = 0
    case indirect = 1
    case pencil = 2
    case indirectPointer = 3
  }

  open private(set) var timestamp: TimeInterval
  open private(set) var type: TouchType
  open private(set) var force: CGFloat
  open private(set) var maximumPossibleForce: CGFloat
  private var point: CGPoint
  open func preciseLocation(in view: UIView?) -> CGPoint { point }

  public init(
    stubAt point: CGPoint, _ timestamp: TimeInterval, force: CGFloat = 0, maximum: CGFloat = 0,
    type: TouchType = .direct
  ) {
    (self.point, self.timestamp, self.force) = (point, timestamp, force)
    (maximumPossibleForce, self.type) = (maximum, type)
  }

  /// UIKit has one touch for a finger, and changes it.
  public func stubMove(to point: CGPoint, _ timestamp: TimeInterval, force: CGFloat = 0) {
    (self.point, self.timestamp, self.force) = (point, timestamp, force)
  }
}

@MainActor
open class UIResponder: NSObject {
  nonisolated public override init() {}
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
  open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
  open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
}

@MainActor
open class UIView: UIResponder {
  open var bounds: CGRect
  public let layer = CALayer()
  open var isMultipleTouchEnabled = false
  open var clipsToBounds = false
  open var safeAreaInsets: UIEdgeInsets { stubInsets }
  open var traitCollection: UITraitCollection { stubTraits }
  open func layoutSubviews() {}

  public var stubInsets = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
  public var stubTraits = UITraitCollection(stubScale: 0, force: .unknown)

  public init(frame: CGRect) { bounds = CGRect(origin: .zero, size: frame.size) }
  public required init?(coder: NSCoder) { nil }
}

@MainActor
open class UIUpdateInfo: NSObject {
  public let modelTime: TimeInterval
  init(_ time: TimeInterval) { modelTime = time }
}

@MainActor
open class UIUpdateLink: NSObject {
  public static var stubLinks: [UIUpdateLink] = []
  open var isEnabled = false
  open var requiresContinuousUpdates = false
  private var actions: [(UIUpdateLink, UIUpdateInfo) -> Void] = []

  public init(view: UIView) {
    super.init()
    Self.stubLinks.append(self)
  }

  open func addAction(handler: @escaping (UIUpdateLink, UIUpdateInfo) -> Void) {
    actions.append(handler)
  }

  public func stubFrame(_ time: TimeInterval) {
    for action in actions { action(self, UIUpdateInfo(time)) }
  }
}
