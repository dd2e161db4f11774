import ForeignPipelines
import Foundation
import Synchronization

/// Faults that show only with a second or a concurrent request.
extension ServerFaults {
  static let states: [Fault] = [
    cached("cache-without-rotation", "A cache ignores the rotation.") { [$0[0], $0[1], $0[3]] },
    cached("cache-without-quality", "A cache ignores the quality.") { parts in
      parts.dropLast() + [parts[3].split(separator: ".").last.map(String.init) ?? ""]
    },
    cached("cache-without-size", "A cache ignores the size.") { [$0[0], $0[2], $0[3]] },
    cached("cache-without-region", "A cache ignores the region.") { Array($0.dropFirst()) },
    cached("cache-without-caret", "A cache ignores `^`.") { parts in
      parts.map { $0.replacing("%5E", with: "").replacing("^", with: "") }
    }.marked(only: .version3),
    cached("cache-without-format", "A cache ignores the format.") { parts in
      parts.dropLast() + [parts[3].split(separator: ".").first.map(String.init) ?? ""]
    },
    remembering("cached-errors", "A request refused twice is answered with the last picture.") {
      state, request, answered in
      if answered.status == 200, request.method == .get, request.path != "/info.json" {
        state.last = answered
      }
      guard answered.status >= 400 else { return answered }
      let wasSeen = !state.seen.insert(request.path).inserted
      return wasSeen ? state.last ?? answered : answered
    },
    remembering("error-stays", "After an error the next request is an error, too.") {
      state, _, answered in
      defer { state.last = answered }
      guard let last = state.last, last.status >= 400, answered.status == 200 else {
        return answered
      }
      return last
    },
    Fault(
      "repeat-differs", .protocol, "Every repeated answer is a pixel further left."
    ) { faulty, sound in
      let state = Mutex(State())
      faulty.crop = { source, plan in
        let isFirst = state.withLock { $0.plans.insert(plan).inserted }
        return sound.crop(source, isFirst ? plan : plan.moved(x: plan.box.x + 1, y: plan.box.y))
      }
    },
    Fault("every-eleventh-black", .protocol, "Every eleventh picture is black.") { faulty, sound in
      let state = Mutex(State())
      faulty.scale = { raster, plan in
        let count = state.withLock { $0.counted() }
        let scaled = sound.scale(raster, plan)
        return count % 11 == 0 ? scaled.mappingColours { _ in 0 } : scaled
      }
    },
    remembering("exhausted", "After sixty pictures there are only internal errors.") {
      state, request, answered in
      guard answered.status == 200, request.path != "/info.json", state.counted() > 60 else {
        return answered
      }
      return ServerAnswer(
        status: 500, headers: ["content-type": "text/plain;charset=utf-8"],
        body: Array("too many open files\n".utf8))
    }.marked(from: "specification 7.3"),
    Fault("shared-parameters", .protocol, "Concurrent requests share their rotation.") {
      faulty, sound in
      let state = Mutex(State())
      faulty.crop = { source, plan in
        state.withLock { $0.rotation = plan.request.rotation }
        Thread.sleep(forTimeInterval: 0.002)
        return sound.crop(source, plan)
      }
      faulty.turn = { raster, plan in
        var plan = plan
        if let rotation = state.withLock({ $0.rotation }) { plan.request.rotation = rotation }
        return sound.turn(raster, plan)
      }
    }.marked(needs: [.concurrency]),
  ]

  private struct State: Sendable {
    var answers: [[String]: ServerAnswer] = [:]
    var seen: Set<String> = []
    var plans: Set<Plan> = []
    var last: ServerAnswer?
    var rotation: Rotation?
    private var count = 0

    mutating func counted() -> Int {
      count += 1
      return count
    }
  }

  /// Creates a fault that changes answers by what was answered before.
  private static func remembering(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout State, ServerRequest, ServerAnswer) -> ServerAnswer
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, _ in
      let state = Mutex(State())
      faulty.exchange = { request, answer throws(ServerFailure) in
        let answered = try answer(request)
        return state.withLock { change(&$0, request, answered) }
      }
    }
  }

  /// Creates a cache fault: requests with the same key receive the first answer.
  private static func cached(
    _ name: String, _ summary: String, _ key: @escaping @Sendable ([String]) -> [String]
  ) -> Fault {
    remembering(name, summary) { state, request, answered in
      let parts = request.path.split(separator: "/").map(String.init)
      // Errors are not cached: an invalid request is refused before the cache is consulted.
      guard request.method == .get, parts.count == 4, answered.status == 200 else {
        return answered
      }
      if let kept = state.answers[key(parts)] { return kept }
      state.answers[key(parts)] = answered
      return answered
    }
  }
}
