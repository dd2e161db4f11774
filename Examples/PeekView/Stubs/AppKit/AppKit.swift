// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported public import CoreGraphics
@_exported public import Foundation

open class NSEvent: NSObject {
  public enum EventType: UInt, Sendable {
    case leftMouseDown = 1
    case leftMouseUp = 2
    case mouseMoved = 5
    case leftMouseDragged = 6
    case pressure = 34
  }

  public enum EventSubtype: Int16, Sendable {
    case mouseEvent = 0
    case tabletPoint = 1
  }

  public struct EventTypeMask: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let pressure = EventTypeMask(rawValue: 1 << 34)
  }

  public let type: EventType
  public let timestamp: TimeInterval
  public let locationInWindow: CGPoint
  public let pressure: Float
  private let stubStage: Int
  private let stubSubtype: EventSubtype
  private let stubMask: EventTypeMask

  // AppKit raises an exception when a type of event does not have these.
  public var stage: Int { known(stubStage, type == .pressure) }
  public var subtype: EventSubtype { known(stubSubtype, type != .pressure) }
  public var associatedEventsMask: EventTypeMask { known(stubMask, type != .pressure) }

  private func known<Value>(_ value: Value, _ isKnown: Bool) -> Value {
    precondition(isKnown, "the event does not have it")
    return value
  }

  public init(
    stub type: EventType, at point: CGPoint, _ timestamp: TimeInterval, pressure: Float = 1,
    stage: Int = 0, subtype: EventSubtype = .mouseEvent, mask: EventTypeMask = []
  ) {
    (self.type, locationInWindow, self.timestamp, self.pressure) = (
      type, point, timestamp, pressure
    )
    (stubStage, stubSubtype, stubMask) = (stage, subtype, mask)
  }
}

public struct NSEdgeInsets: Sendable {
  public var top, left, bottom, right: CGFloat
}

@MainActor
open class NSWindow: NSObject {
  open var backingScaleFactor: CGFloat { 2 }
  nonisolated public override init() {}
}

@MainActor
open class NSView: NSObject {
  open var bounds: CGRect
  open var isFlipped: Bool { false }
  open var window: NSWindow?
  open var safeAreaInsets: NSEdgeInsets { NSEdgeInsets(top: 0, left: 0, bottom: 0, right: 0) }
  open func convert(_ point: CGPoint, from view: NSView?) -> CGPoint { point }

  public init(frame: CGRect) { bounds = CGRect(origin: .zero, size: frame.size) }
}
