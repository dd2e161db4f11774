#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension LiveZoom {
    /// Takes what the left button of a mouse, a pen on a tablet or a Force Touch trackpad does.
    ///
    /// Call it in `mouseDown(with:)`, `mouseDragged(with:)`, `mouseUp(with:)` and
    /// `pressureChange(with:)`; other events are ignored. To tell forces apart in one even range, set the
    /// view's `pressureConfiguration` to `.primaryGeneric`, which knows no second click.
    ///
    /// Times are the events' own. Where a frame has been drawn for a later time already, an event counts
    /// as being of that time.
    /// - Parameters:
    ///   - event: The event.
    ///   - view: The view that is the screen's viewport, flipped or not.
    /// - Throws: `GeometryError` as `handle(_:)` does.
    @MainActor
    public mutating func handle(_ event: NSEvent, in view: NSView) throws(GeometryError) {
      let phase: TouchPhase
      switch event.type {
      case .leftMouseDown: phase = .began
      case .leftMouseDragged: phase = .moved
      // Stage 0 is the end of a press, which the button tells as well.
      case .pressure where event.stage > 0: phase = .moved
      case .leftMouseUp: phase = .ended
      default: return
      }
      // AppKit raises an exception when an event is asked for what its type does not have.
      let isMouse = event.type != .pressure
      // A trackpad tells the force in events of its own: what they told last holds until the next.
      let isToldApart = isMouse && event.associatedEventsMask.contains(.pressure)
      let touch = Touch(
        id: 0, point: event.point(in: view), force: isToldApart ? force : Double(event.pressure),
        isPen: isMouse && event.subtype == .tabletPoint)
      try handle(GestureEvent(time: max(event.timestamp, time), kind: .touches(phase, [touch])))
    }
  }

  extension NSEvent {
    /// Where it is, from the top left corner of a view.
    @MainActor
    fileprivate func point(in view: NSView) -> ViewPoint {
      let point = view.convert(locationInWindow, from: nil)
      return ViewPoint(
        x: point.x - view.bounds.minX,
        y: view.isFlipped ? point.y - view.bounds.minY : view.bounds.maxY - point.y)
    }
  }

  extension PressSource {
    /// What the hardware behind an event of the mouse tells: a pen's pressure, a trackpad's force, or
    /// neither, which makes it a long press.
    ///
    /// AppKit's forces go from 0 to 1.
    /// - Parameter event: Of the button, down, dragged or up.
    /// - Throws: never for such an event.
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
    /// The screen that a view is: its bounds, pixels and safe area.
    ///
    /// - Throws: `GeometryError` if the view has no size yet, or its safe area is less than half of a side.
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
