// Not for tvOS, because the touches on its remote do not touch a picture.
#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import UIKit

  extension LiveZoom {
    /// Handles touches that UIKit delivers to a view or a gesture recogniser.
    ///
    /// Every coalesced sample is handled at its own time, which makes the velocity of a released
    /// picture exact. Predicted touches (`UIEvent.predictedTouches(for:)`) must not be passed,
    /// because later events do not revoke them. A touch that is older than the last frame gets that
    /// frame's time. `phase` is that of the method that received the touches, such as `.moved` in
    /// `touchesMoved(_:with:)`; `touches` may be empty; `view` is the viewport.
    ///
    /// - Throws: The first `GeometryError` of `handle(_:)`; the system has handled all samples that
    ///   it did not refuse.
    @MainActor
    public mutating func handle(
      _ phase: TouchPhase, _ touches: Set<UITouch>, with event: UIEvent?, in view: UIView
    ) throws(GeometryError) {
      // `comesSecond`: true for an end, for a movement's last sample, and for all samples of a beginning but the first.
      var samples: [(time: Double, comesSecond: Bool, phase: TouchPhase, touch: Touch)] = []
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
      // At equal times, beginnings come first and ends last. The sort is stable, so the samples of
      // one finger stay in order.
      samples.sort { $0.time == $1.time ? !$0.comesSecond && $1.comesSecond : $0.time < $1.time }
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
    /// Creates a source of force if the screen measures it (iPhones 6s to XS), else a long press.
    @MainActor
    public init(hardwareOf traits: UITraitCollection) {
      self = traits.forceTouchCapability == .available ? .force(.usual) : .longPress(LongPress())
    }

    /// Creates the source for a touch's own hardware: a pen's pressure, a finger's force, or a long press.
    ///
    /// - Throws: `GeometryError` if the hardware's largest force is out of range.
    @MainActor
    public init(hardwareOf touch: UITouch) throws(GeometryError) {
      let range = try ForceRange(maximum: Double(touch.maximumPossibleForce))
      let isPen = touch.type == .pencil && range.maximum > 0
      self = isPen ? .pen(range) : PressSource(hardware: range)
    }
  }

  extension Screen {
    /// Creates a screen with the bounds, the pixels and the safe area of a view or window.
    ///
    /// - Throws: `GeometryError` if the view is empty or its safe area is less than half of a side.
    @MainActor
    public init(of view: UIView) throws(GeometryError) {
      let insets = view.safeAreaInsets
      // The scale is 0 before the view is in a window.
      let scale = view.traitCollection.displayScale
      try self.init(
        size: ViewSize(view.bounds.size), scale: scale > 0 ? Double(scale) : 1,
        insets: ViewInsets(
          top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom),
          right: Double(insets.right)))
    }
  }

  // visionOS lacks device orientations.
  #if !os(visionOS)
    extension DeviceOrientation {
      /// Creates the same orientation; `unknown` for one that a later UIKit adds.
      public init(_ orientation: UIDeviceOrientation) {
        self = DeviceOrientation(number: orientation.rawValue)
      }
    }

    extension InterfaceOrientation {
      /// Creates the same orientation; `unknown` for one that a later UIKit adds.
      public init(_ orientation: UIInterfaceOrientation) {
        self = InterfaceOrientation(number: orientation.rawValue)
      }
    }
  #endif

  extension LayoutDirection {
    /// Creates the same direction.
    public init(_ direction: UIUserInterfaceLayoutDirection) {
      self = direction == .rightToLeft ? .rightToLeft : .leftToRight
    }
  }
#endif
