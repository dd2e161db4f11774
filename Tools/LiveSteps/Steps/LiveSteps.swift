package import ZoomGeometry

/// The steps of one play of a gesture: events, and frames at 60 Hz between them and for a second afterwards.
///
/// At the end everything is cancelled and closed, so that the next play begins from rest. This module is
/// optimised in every build: the heap allocations of a step are counted, and unoptimised code makes more.
package struct LiveSteps: Sendable {
  /// A moment of a play: an event, or only a frame.
  package struct Step: Sendable {
    package let time: Double
    package let event: GestureEvent?

    /// Passes the step to a system, and asks for its layers, as a viewer does.
    package func play(_ zoom: inout LiveZoom) throws {
      if let event {
        try zoom.handle(event)
      } else {
        try zoom.advance(to: time)
      }
      guard try !zoom.layers().isEmpty else { throw NothingToDraw(time: time) }
      zoom.clearEvents()
    }
  }

  /// The error of a step after which a system lacks layers.
  package struct NothingToDraw: Error, CustomStringConvertible {
    let time: Double

    package var description: String { "there is nothing to draw at \(time) s" }
  }

  package let steps: [Step]

  package init(_ script: GestureScript, from start: Double) {
    let last = script.events.last?.time ?? 0
    var events = script.events
    events.append(GestureEvent(time: last, kind: .cancelAll))
    events.append(GestureEvent(time: last, kind: .close))
    var steps: [Step] = []
    var frame = 0
    for event in events {
      while Double(frame) / 60 < event.time {
        steps.append(Step(time: start + Double(frame) / 60, event: nil))
        frame += 1
      }
      let time = start + event.time
      steps.append(Step(time: time, event: GestureEvent(time: time, kind: event.kind)))
    }
    for _ in 0..<60 {
      steps.append(Step(time: max(start + last, start + Double(frame) / 60), event: nil))
      frame += 1
    }
    self.steps = steps
  }

  package func play(_ zoom: inout LiveZoom) throws {
    for step in steps { try step.play(&zoom) }
  }
}
