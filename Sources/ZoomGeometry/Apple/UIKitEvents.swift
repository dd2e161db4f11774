// Not for tvOS: the touches of its remote are on no picture.
#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import UIKit

  extension LiveZoom {
    /// Takes touches as a view or a gesture recogniser gets them from UIKit.
    ///
    /// All samples of a touch since the last event are taken, each at its own time: coalesced touches make
    /// throws exact. Predicted touches (`UIEvent.predictedTouches(for:)`) must never be taken: they
    /// are guesses, and no later event takes them back.
    ///
    /// Times are the touches' own, those of `CACurrentMediaTime()`. Where a frame has been drawn for a later
    /// time already, a touch counts as being of that time.
    /// - Parameters:
    ///   - phase: What the touches do: the name of the method that got them.
    ///   - touches: The touches; none is fine.
    ///   - event: The event that they came with, which holds the coalesced ones.
    ///   - view: The view that is the screen's viewport.
    /// - Throws: The first `GeometryError` of `handle(_:)`; all other samples have been taken.
    @MainActor
    public mutating func handle(
      _ phase: TouchPhase, _ touches: Set<UITouch>, with event: UIEvent?, in view: UIView
    ) throws(GeometryError) {
      var samples: [(time: Double, isLate: Bool, phase: TouchPhase, touch: Touch)] = []
      for touch in touches {
        let coalesced = event?.coalescedTouches(for: touch) ?? []
        let all = coalesced.isEmpty ? [touch] : coalesced
        // A finger begins with its first sample and ends with its last.
        let own = phase == .began ? 0 : all.count - 1
        for (number, sample) in all.enumerated() {
          samples.append(
            (
              max(sample.timestamp, time), (number == own) != (phase == .began),
              number == own ? phase : .moved, Touch(sample, of: touch, in: view)
            ))
        }
      }
      // Of one time, beginnings come first and ends last. The sort is stable: samples of one finger
      // stay in their order.
      samples.sort { $0.time == $1.time ? !$0.isLate && $1.isLate : $0.time < $1.time }
      var rest = samples[...]
      var refusal: GeometryError?
      while let first = rest.first {
        let together = rest.prefix { $0.time == first.time && $0.phase == first.phase }
        rest = rest.dropFirst(together.count)
        do throws(GeometryError) {
          try handle(
            GestureEvent(time: first.time, kind: .touches(first.phase, together.map(\.touch))))
        } catch {
          refusal = refusal ?? error
        }
      }
      if let refusal { throw refusal }
    }
  }

  extension Touch {
    /// A sample of a finger: a copy of the touch that UIKit handed over, or that touch itself.
    @MainActor
    fileprivate init(_ sample: UITouch, of finger: UITouch, in view: UIView) {
      let point = sample.preciseLocation(in: view)
      self.init(
        id: Int(bitPattern: ObjectIdentifier(finger)),
        point: ViewPoint(x: point.x - view.bounds.minX, y: point.y - view.bounds.minY),
        force: Double(sample.force), isPen: sample.type == .pencil)
    }
  }

  extension PressSource {
    /// Force where the screen tells it, as the iPhones 6s to XS do; a long press elsewhere.
    @MainActor
    public init(hardwareOf traits: UITraitCollection) {
      self = traits.forceTouchCapability == .available ? .force(.usual) : .longPress(LongPress())
    }

    /// What a touch's own hardware tells: a pen's pressure, a finger's force, or neither.
    ///
    /// - Throws: `GeometryError` if the largest force of the hardware cannot be calculated with.
    @MainActor
    public init(hardwareOf touch: UITouch) throws(GeometryError) {
      let range = try ForceRange(maximum: Double(touch.maximumPossibleForce))
      let isPen = touch.type == .pencil && range.maximum > 0
      self = isPen ? .pen(range) : PressSource(hardware: range)
    }
  }

  extension Screen {
    /// The screen that a view is: its bounds, pixels and safe area.
    ///
    /// A window is a view as well.
    /// - Throws: `GeometryError` if the view has no size yet, or its safe area is less than half of a side.
    @MainActor
    public init(of view: UIView) throws(GeometryError) {
      let insets = view.safeAreaInsets
      // 0 before the view is in a window.
      let scale = view.traitCollection.displayScale
      try self.init(
        size: ViewSize(view.bounds.size), scale: scale > 0 ? Double(scale) : 1,
        insets: ViewInsets(
          top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom),
          right: Double(insets.right)))
    }
  }

  // What is worn is not turned.
  #if !os(visionOS)
    extension DeviceOrientation {
      /// The same orientation; unknown if UIKit has got a new one.
      public init(_ orientation: UIDeviceOrientation) {
        self = DeviceOrientation(rawValue: orientation.rawValue) ?? .unknown
      }
    }

    extension InterfaceOrientation {
      /// The same orientation; unknown if UIKit has got a new one.
      public init(_ orientation: UIInterfaceOrientation) {
        self = InterfaceOrientation(rawValue: orientation.rawValue) ?? .unknown
      }
    }
  #endif

  extension LayoutDirection {
    /// The same direction.
    public init(_ direction: UIUserInterfaceLayoutDirection) {
      self = direction == .rightToLeft ? .rightToLeft : .leftToRight
    }
  }
#endif
