// UIUpdateLink is not available on Mac Catalyst.
#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !targetEnvironment(macCatalyst)
  public import UIKit

  /// A driver that runs a zoom system in a view: it takes events, steps the system once per frame
  /// while it moves, and draws its layers.
  @MainActor
  public final class ZoomDriver {
    /// The system.
    public private(set) var zoom: LiveZoom

    /// A function that is called for each event of the system.
    public var onEvent: ((ZoomEvent) -> Void)?

    /// A function that is called for each error: a refused event or a frame that cannot be drawn.
    ///
    /// The driver continues after an error.
    public var onError: ((GeometryError) -> Void)?

    private let canvas: LayerCanvas
    private let link: UIUpdateLink

    /// Creates a driver that draws a system in a view and asks the view for frames.
    public init(_ zoom: LiveZoom, on canvas: LayerCanvas, in view: UIView) {
      self.zoom = zoom
      self.canvas = canvas
      link = UIUpdateLink(view: view)
      link.requiresContinuousUpdates = true
      link.addAction { [weak self] _, info in
        self?.step { (zoom) throws(GeometryError) in
          // A touch may be later than the frame.
          try zoom.advance(to: max(info.modelTime, zoom.time))
        }
      }
      step { _ in }
    }

    /// Handles touches that UIKit delivers to a view or a gesture recogniser.
    public func handle(
      _ phase: TouchPhase, _ touches: Set<UITouch>, with event: UIEvent?, in view: UIView
    ) {
      step { (zoom) throws(GeometryError) in
        try zoom.handle(phase, touches, with: event, in: view)
      }
    }

    /// Handles another event, such as a new screen, at the current time.
    public func handle(_ kind: GestureEvent.Kind) {
      step { (zoom) throws(GeometryError) in
        try zoom.handle(GestureEvent(time: max(CACurrentMediaTime(), zoom.time), kind: kind))
      }
    }

    private func step(_ change: (inout LiveZoom) throws(GeometryError) -> Void) {
      do throws(GeometryError) { try change(&zoom) } catch { onError?(error) }
      do throws(GeometryError) { canvas.draw(try zoom.layers()) } catch { onError?(error) }
      link.isEnabled = zoom.isMoving
      let events = zoom.events
      zoom.clearEvents()
      for event in events { onEvent?(event) }
    }
  }
#endif
