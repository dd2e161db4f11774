import Testing
import ZoomGeometry

@testable import zoombench

@Suite struct ReplayTimelineTests {
  private func state(_ time: Double, _ events: [ZoomEvent] = []) throws -> ZoomState {
    ZoomState(
      time: time, screen: try Screen(size: ViewSize(width: 10, height: 10)), layers: [],
      recogniser: .possible, force: 0, events: events)
  }

  @Test func `an idle track keeps its state, and its events occur once`() throws {
    let left = try [state(0, [.peek]), state(1, [.pop])]
    let right = try [state(0), state(0.5, [.zoomIn]), state(3)]
    let moments = ReplayTimeline.merged([left, right])
    #expect(moments.map(\.time) == [0, 0.5, 1, 3])
    #expect(moments.map { $0.states[0].time } == [0, 0, 1, 1])
    #expect(moments.map { $0.states[0].events } == [[.peek], [], [.pop], []])
    #expect(moments.map { $0.states[1].time } == [0, 0.5, 0.5, 3])
    #expect(moments.map { $0.states[1].events } == [[], [.zoomIn], [], []])
  }

  /// Returns a timeline of 100 moments, a sixtieth of a second apart.
  private func hundred() throws -> ReplayTimeline {
    let script = try GestureScript(
      screen: Screen(size: ViewSize(width: 100, height: 100)),
      events: (0..<100).map { number in
        GestureEvent(time: Double(number) / 60, kind: .device(.portrait))
      })
    return try ReplayTimeline(
      script, system: .peek, picture: PixelSize(width: 10, height: 10), forms: [.corrected])
  }

  @Test func `rounded durations add up to the whole time`() throws {
    let timeline = try hundred()
    let durations = timeline.durations(step: 1)
    #expect(durations.count == 100)
    #expect(durations.dropLast().reduce(0, +) == 1650)
    #expect(durations.last == 500)
    // A GIF has hundredths of a second: 16.7 ms become 10 or 20, with the same sum.
    let hundredths = timeline.durations(step: 10)
    #expect(hundredths.dropLast().allSatisfy { $0 == 10 || $0 == 20 })
    #expect(hundredths.dropLast().reduce(0, +) == 1650)
  }

  @Test func `a script with too many states for memory is refused`() throws {
    // A tap every half second, each waiting 0.35 s for a second one, at 1000 frames per second.
    let point = ViewPoint(x: 5, y: 5)
    let events = (0..<1200).flatMap { number in
      [TouchPhase.began, .ended].enumerated().map { index, phase in
        GestureEvent(
          time: Double(number) * 0.5 + Double(index) / 100,
          kind: .touches(phase, [Touch(id: 1, point: point)]))
      }
    }
    let script = try GestureScript(
      screen: Screen(size: ViewSize(width: 10, height: 10)), framesPerSecond: 1000, events: events)
    let failure = #expect(throws: Failure.self) {
      try ReplayTimeline(
        script, system: .doubleTap, picture: PixelSize(width: 10, height: 10), forms: [.corrected])
    }
    #expect(failure?.status == .badInput)
  }

  @Test(arguments: [1, 2, 3, 7, 24, 100, 1000])
  func `a sample has the first and the last moment, and as many moments as asked for`(
    count: Int
  ) throws {
    let sample = try hundred().sample(count)
    #expect(sample.count == min(count, 100))
    #expect(sample.first == 0)
    if count > 1 { #expect(sample.last == 99) }
    #expect(zip(sample, sample.dropFirst()).allSatisfy { $0 < $1 })
  }
}
