#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension LiveZoom {
    /// Handles an event of a mouse's left button, a pen on a tablet or a Force Touch trackpad.
    ///
    /// Call it in `mouseDown(with:)`, `mouseDragged(with:)`, `mouseUp(with:)` and
    /// `pressureChange(with:)`; other events are ignored. For one even range of forces, set the
    /// view's `pressureConfiguration` to `.primaryGeneric`, which lacks a second click. An event
    /// that is older than the last frame gets that frame's time. The view is the viewport, flipped or
    /// not.
    @MainActor
    public mutating func handle(_ event: NSEvent, in view: NSView) throws(GeometryError) {
      let phase: TouchPhase
      switch event.type {
      case .leftMouseDown: phase = .began
      case .leftMouseDragged: phase = .moved
      // Stage 0 is the end of a press, which the button reports as well.
      case .pressure where event.stage > 0: phase = .moved
      case .leftMouseUp: phase = .ended
      default: return
      }
      // AppKit raises an exception for a property that the event's type lacks.
      let isMouse = event.type != .pressure
      // A trackpad reports the force in separate events; the last one is valid until the next.
      let hasPressureEvents = isMouse && event.associatedEventsMask.contains(.pressure)
      let touch = Touch(
        id: 0, point: event.point(in: view),
        force: hasPressureEvents ? force : Double(event.pressure),
        isPen: isMouse && event.subtype == .tabletPoint)
      try handle(GestureEvent(time: max(event.timestamp, time), kind: .touches(phase, [touch])))
    }
  }

  extension NSEvent {
    /// Returns the location from the top left corner of a view.
    @MainActor
    fileprivate func point(in view: NSView) -> ViewPoint {
      let point = view.convert(locationInWindow, from: nil)
      return ViewPoint(
        x: point.x - view.bounds.minX,
        y: view.isFlipped ? point.y - view.bounds.minY : view.bounds.maxY - point.y)
    }
  }

  extension PressSource {
    /// Creates the source for the hardware of a mouse event: a pen's pressure, a trackpad's force, or
    /// a long press.
    ///
    /// The event is a button down, dragged or up event. AppKit's forces range from 0 to 1.
    @MainActor
    public init(hardwareOf event: NSEvent) throws(GeometryError) {
      let range = try ForceRange(maximum: 1)
      self =
        if event.subtype == .tabletPoint {
          .pen(range)
        } else if event.associatedEventsMask.contains(.pressure) {
          .force(range)
        } else {
          .longPress(LongPress())
        }
    }
  }

  extension Screen {
    /// Creates a screen with the bounds, the pixels and the safe area of a view.
    ///
    /// - Throws: `GeometryError` if the view is empty or its safe area is less than half of a side.
    @MainActor
    public init(of view: NSView) throws(GeometryError) {
      let insets = view.safeAreaInsets
      try self.init(
        size: ViewSize(view.bounds.size), scale: Double(view.window?.backingScaleFactor ?? 1),
        insets: ViewInsets(
          top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom),
          right: Double(insets.right)))
    }
  }
#endif
