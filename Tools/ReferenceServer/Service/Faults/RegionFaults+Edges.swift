import ForeignPipelines
import ZoomPipeline

/// Faults of regions in percent, and of regions that reach beyond the picture.
extension ServerFaults {
  static let percentages: [Fault] = [
    misreads(
      "pct-truncated", .region, \.region, "Percentages of a region are cut to whole ones."
    ) { form, _ in
      guard case .percent(let x, let y, let width, let height) = form else { return }
      form = .percent(
        x: x.rounded(.down), y: y.rounded(.down), width: width.rounded(.down),
        height: height.rounded(.down))
    },
    misreads(
      "pct-right-bottom", .region, \.region,
      "The third and fourth percentage are the right and lower edge."
    ) { form, _ in
      guard case .percent(let x, let y, let right, let bottom) = form else { return }
      form = .percent(x: x, y: y, width: max(0, right - x), height: max(0, bottom - y))
    },
    refuses(
      "pct-refused", .region, \.region, "Regions in percent are refused at level 2.", with: 501
    ) { text, _ in text.hasPrefix("pct:") }.marked(from: "compliance 3.1"),
    misreads(
      "pct-halves-down", .region, \.region, "Half a pixel of a region in percent is rounded down."
    ) { form, _ in
      guard case .percent(let x, let y, let width, let height) = form else { return }
      form = .percent(x: max(0, x - 1e-9), y: max(0, y - 1e-9), width: width, height: height)
    }.marked(.open, from: "Cantaloupe#418"),
  ]

  static let overhangs: [Fault] = [
    overhanging("overhang-padded", "Pixels of a region that lie outside the picture are black.") {
      source, plan, _ in
      let box = plan.box
      return source.gathered(box.size) { x, y in
        box.x + x < source.width && box.y + y < source.height ? (box.x + x, box.y + y) : nil
      }
    },
    overhanging("overhang-stretched", "The part of a region inside the picture is stretched.") {
      source, plan, sound in
      var clipped = plan
      clipped.box = plan.box.clipped(to: plan.picture) ?? plan.box
      return sound.crop(source, clipped).scaled(to: plan.box.size)
    },
    asked("overhang-refused", "A region that leaves the picture is refused.") {
      box, sound throws(RequestError) in
      guard box.x + box.width <= sound.source.width, box.y + box.height <= sound.source.height
      else { throw RequestError("the region leaves the picture") }
      return nil
    },
    asked("empty-region-one-pixel", "An empty region gets one pixel.") { box, sound in
      guard box.size.isEmpty else { return nil }
      return Box(x: box.x, y: box.y, width: max(1, box.width), height: max(1, box.height))
        .clipped(to: sound.source.extent) ?? Box(x: 0, y: 0, width: 1, height: 1)
    },
    asked("empty-region-500", "An empty region is an internal error.") {
      box, _ throws(RequestError) in
      guard !box.size.isEmpty else { throw RequestError(status: 500, "division by zero") }
      return nil
    }.marked(from: "hymir#277"),
    Fault("empty-region-hangs", .region, "An empty region is never answered.") { faulty, sound in
      faulty.exchange = { request, answer throws(ServerFailure) in
        let region = request.path.split(separator: "/").first.map(String.init) ?? ""
        if let form = try? sound.region(region), sound.geometry.requested(form).size.isEmpty {
          throw ServerFailure("no answer in time")
        }
        return try answer(request)
      }
    }.marked(from: "iipsrv#52"),
    asked("outside-404", "A region outside the picture is not found.") {
      box, sound throws(RequestError) in
      guard !box.size.isEmpty, box.clipped(to: sound.source.extent) == nil else { return nil }
      throw RequestError(status: 404, "outside")
    },
  ]

  /// Creates a fault that answers or refuses requested boxes; nil leaves one to the sound server.
  private static func asked(
    _ name: String, _ summary: String,
    _ answer: @escaping @Sendable (_ box: Box, _ sound: Stages) throws(RequestError) -> Box?
  ) -> Fault {
    Fault(name, .region, summary) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        if let box = try answer(sound.geometry.requested(form), sound) { return box }
        return try sound.box(form)
      }
    }.marked(.recommendation)
  }

  /// Creates a fault that does not cut regions off at the edge.
  private static func overhanging(
    _ name: String, _ summary: String, _ crop: @escaping Drawing
  ) -> Fault {
    Fault(name, .region, summary) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        if let box = overhang(sound.geometry.requested(form), sound.source.extent) { return box }
        return try sound.box(form)
      }
      faulty.crop = { source, plan in crop(source, plan, sound) }
    }.marked(.recommendation)
  }

  /// Returns a requested box that is partly inside the picture, with a bounded size.
  private static func overhang(_ asked: Box, _ picture: Extent) -> Box? {
    guard let clipped = asked.clipped(to: picture) else { return nil }
    var box = asked
    // A request for millions of pixels must not exhaust the memory of a test.
    box.width = min(box.width, clipped.width + 1000)
    box.height = min(box.height, clipped.height + 1000)
    return box
  }
}
