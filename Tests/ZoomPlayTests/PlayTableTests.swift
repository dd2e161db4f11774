import Foundation
import PropertyTesting
import PropertyTestingBridge
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomPlay

private struct SentFrame {
  var header: [String: Any]
  var panels: [[String: Any]]
  var bytes: Data

  init(_ message: Data) throws {
    let length = Int(message[0]) | Int(message[1]) << 8 | Int(message[2]) << 16
    header =
      try JSONSerialization.jsonObject(with: message.dropFirst(4).prefix(length)) as? [String: Any]
      ?? [:]
    panels = header["panels"] as? [[String: Any]] ?? []
    bytes = message.dropFirst(4 + length)
  }
}

@Suite struct PlayTableTests {
  private func pressed() throws -> PlayTable {
    var table = PlayTable(library: try .painted(400, 300))
    try table.press(60, 80, difference: true)
    return table
  }

  /// Returns an event of a finger that goes down, as JSON.
  private func began(at time: Double, force: Double) -> String {
    #"{"time":\#(time),"phase":"began","touches":[{"id":1,"x":30,"y":40,"force":\#(force)}]}"#
  }

  private let view =
    #"{"view":{"panels":[{"form":"original","source":"automatic"},{"form":"corrected","source":"automatic"}],"difference":true}}"#

  @Test func `a frame has the panels that were asked for and their difference`() throws {
    var table = try pressed()
    let frame = try SentFrame(#require(try table.frame()))
    #expect(frame.panels.map { $0["form"] as? String } == ["original", "corrected", "difference"])
    #expect(frame.bytes.count == 3 * 60 * 80 * 4)
    #expect(frame.header["number"] as? Int == 1)
  }

  @Test func `no more than two frames are under way`() throws {
    var table = try pressed()
    #expect(try table.frame() != nil)
    try table.ask(view)
    #expect(try table.frame() != nil)
    try table.ask(view)
    #expect(try table.frame() == nil)
    // A page that claims to have shown frames that were not sent gains nothing.
    try table.ask(#"{"shown":1000000}"#)
    #expect(try table.frame() != nil)
    try table.ask(view)
    #expect(try table.frame() != nil)
    try table.ask(view)
    #expect(try table.frame() == nil)
  }

  @Test func `a frame that is shown is not sent again`() throws {
    var table = try pressed()
    _ = try table.frame()
    #expect(try table.frame() == nil)
    let press = began(at: 0, force: 0.5)
    try table.ask(
      #"{"events":{"number":1,"sent":0,"events":[\#(press)]}}"#, at: 1_000_000_000)
    let frame = try SentFrame(#require(try table.frame()))
    // Only the preview frame has changed.
    let count = frame.panels.compactMap { $0["count"] as? Int }
    #expect(count[1] > 0 && count[1] < 60 * 80 * 4)
    #expect(frame.header["answers"] as? Int == 1)
  }

  @Test(arguments: [
    (#"{"live":{"picture":7,"system":"peek","screen":{"width":60,"height":80}}}"#, "no picture 7"),
    (#"{"show":3}"#, "no script"), (#"{"record":{}}"#, "no live system"),
    (#"{"save":"x"}"#, "nothing is saved"), (#"{"view":{"panels":[]}}"#, "1 to 3 panels"),
    (#"{"play":{"picture":0,"system":"peek","name":"x"}}"#, "no script named x"),
  ])
  func `a request that names a missing thing is refused`(_ message: String, _ part: String) throws {
    var table = PlayTable(library: try .painted(400, 300))
    let error = #expect(throws: PlayError.self) { try table.ask(message) }
    #expect(error.map { "\($0)".contains(part) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test(arguments: ["", "[]", "{}", #"{"live":1}"#, #"{"a":1}"#, #"{"show":1,"shown":2}"#, "nul"])
  func `any other text is an error`(_ text: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(PlayRequest.self, from: Data(text.utf8))
    }
  }

  @Test func `a script is played to the moments that replay has`() throws {
    var table = PlayTable(library: try .painted(400, 300))
    try table.ask(view)
    let (screen, press) = (#"{"width":60,"height":80}"#, began(at: 0.1, force: 2))
    let script = #"{"zoombench-gestures":1,"screen":\#(screen),"events":[\#(press)]}"#
    let answer = try table.ask(#"{"play":{"picture":0,"system":"peek","script":\#(script)}}"#)
    #expect(answer?.timeline?.times == [0, 0.1])
    try table.ask(#"{"show":1}"#)
    let frame = try SentFrame(#require(try table.frame()))
    #expect(frame.header["moment"] as? Int == 1)
    #expect(throws: PlayError.self) { try table.ask(#"{"show":2}"#) }
  }

  @Test func `the recording of a press is played again`() throws {
    var table = try pressed()
    let press = began(at: 0.25, force: 1)
    try table.ask(
      #"{"events":{"number":1,"sent":0.5,"events":[\#(press)]}}"#, at: 1_000_000_000)
    let answer = try table.ask(#"{"play":{"picture":0,"system":"peek","recorded":true}}"#)
    // The page's clock is half a second late.
    #expect(answer?.timeline?.times == [0, 0.75])
  }

  private let paged =
    #"{"live":{"picture":0,"system":"double-tap","screen":{"width":60,"height":80},"clock":"page"}}"#

  /// Returns a message of a page that sends so many per second, most of them without an event of its double tap.
  private func doubleTap(_ number: Int, perSecond rate: Double) -> String {
    let taps = [(7.0, "began"), (7.05, "ended"), (7.15, "began"), (7.2, "ended")]
    let sent = 7 + Double(number) / rate
    let events = taps.filter { sent - 1 / rate <= $0.0 && $0.0 < sent }.map { time, phase in
      let place = #"[{"id":1,"x":30,"y":40,"force":0}]"#
      return #"{"time":\#(time),"phase":"\#(phase)","touches":\#(place)}"#
    }
    let list = events.joined(separator: ",")
    return #"{"events":{"number":\#(number),"sent":\#(sent),"events":[\#(list)]}}"#
  }

  @Test func `on the page's clock equal messages give equal frames, and each one gives one`() throws
  {
    /// Returns the frames after messages that arrive some nanoseconds after each other.
    func frames(_ pause: UInt64) throws -> [Data] {
      var table = PlayTable(library: try .painted(400, 300))
      try table.ask(view)
      try table.ask(paged)
      var frames = [try #require(try table.frame())]
      for number in 1...60 {
        try table.ask(doubleTap(number, perSecond: 60), at: UInt64(number) * pause)
        frames.append(try #require(try table.frame()))
        #expect(!table.wantsTime)
        try table.ask(#"{"shown":\#(number + 1)}"#)
      }
      return frames
    }
    let (one, other) = (try frames(1_000), try frames(90_000_000))
    let (first, second) = (try one.map(SentFrame.init), try other.map(SentFrame.init))
    #expect(first.map(\.bytes) == second.map(\.bytes))
    func times(_ frames: [SentFrame]) -> [Double?] { frames.map { $0.header["time"] as? Double } }
    #expect(times(first) == times(second))
    // The double tap enlarges the picture, and the animation ends.
    #expect(first.contains { $0.header["isMoving"] as? Bool == true && !$0.bytes.isEmpty })
    #expect(first.last?.header["isMoving"] as? Bool == false)
  }

  @Test(arguments: [(60.0, 118), (240, 60)])
  func `on the page's clock only messages of events move the system, whichever share a frame`(
    perSecond rate: Double, ticks: Int
  ) throws {
    /// Returns whole frames, each after so many messages.
    func frames(every count: Int) throws -> [SentFrame] {
      var table = PlayTable(library: try .painted(400, 300))
      try table.ask(view)
      try table.ask(paged)
      var frames: [SentFrame] = []
      for number in 1...60 {
        try table.ask(doubleTap(number, perSecond: rate))
        guard number % count == 0 else { continue }
        #expect(try table.frame() != nil)
        try table.ask(#"{"shown":1000}"#)
        #expect(try table.frame() == nil)
        try table.ask(view)
        frames.append(try SentFrame(#require(try table.frame())))
        try table.ask(#"{"shown":1000}"#)
      }
      return frames
    }
    let all = try frames(every: 1)
    let alone = stride(from: 3, to: 60, by: 4).map { all[$0] }
    let shared = try frames(every: 4)
    #expect(shared.map(\.bytes) == alone.map(\.bytes))
    func times(_ frames: [SentFrame]) -> [Double?] { frames.map { $0.header["time"] as? Double } }
    #expect(times(shared) == times(alone))
    // The first message begins the page's clock, and each takes at least a tick.
    let end = try #require(all.last?.header["time"] as? Double)
    #expect(Int((end * LivePlay.ticksPerSecond).rounded()) == ticks)
    #expect(all.contains { $0.header["isMoving"] as? Bool == true })
  }

  @Test func `a page that is open for a day says that the system must be chosen again`() throws {
    var table = try pressed()
    let press = began(at: 0, force: 1)
    let day: UInt64 = 86_400_000_000_000
    let error = #expect(throws: PlayError.self) {
      try table.ask(#"{"events":{"number":1,"sent":0,"events":[\#(press)]}}"#, at: day)
    }
    #expect(error.map { "\($0)".contains("choose it again") } == true)
    try table.press(60, 80)
    try table.ask(#"{"events":{"number":1,"sent":0,"events":[\#(press)]}}"#)
  }

  @Test func `panels whose screen is too large to draw say so`() throws {
    var table = PlayTable(library: try .painted(400, 300))
    try table.press(5000, 5000)
    let frame = try SentFrame(#require(try table.frame()))
    #expect(frame.bytes.isEmpty)
    let failures = frame.panels.compactMap { $0["failure"] as? String }
    #expect(failures.count == 2 && failures.allSatisfy { $0.contains("5000") }, "\(failures)")
  }

  @Test func `a failure to draw is reported once, not in every frame`() throws {
    let picture = PlayLibrary.Entry(name: "a") { _ in throw PlayError("it cannot be read") }
    var table = PlayTable(library: PlayLibrary([picture]))
    #expect(throws: PlayError.self) {
      try table.press(60, 80)
      _ = try table.frame()
    }
    #expect(try table.frame() == nil)
    #expect(!table.wantsTime)
  }
}

@Suite struct FramePatchTests {
  @Test func `a patch on the frame before is the frame, and nothing outside of it differs`() async {
    let frames = Gen<[Int]>.array(of: .integer(in: 0...(12 * 9 - 1)), count: 0...6)
    await expectForAll(frames) { changed, _ in
      let size = try PixelSize(width: 12, height: 9)
      let before = [UInt8](repeating: 7, count: size.area * 3)
      var after = before
      for (number, place) in changed.enumerated() { after[place * 3 + number % 3] = 200 }
      let patch = try FramePatch(
        Pixels(rgb: size, after), after: Pixels(rgb: size, before), isLossless: true)
      var shown = before
      if let part = patch.part {
        for row in 0..<part.height {
          for column in 0..<part.width {
            let from = (row * part.width + column) * 4
            let to = ((part.y + row) * size.width + part.x + column) * 3
            for band in 0..<3 { shown[to + band] = patch.bytes[from + band] }
            try Property.require(patch.bytes[from + 3] == 255, "it is not opaque")
          }
        }
      }
      try Property.require(
        shown == after, "the patch \(patch.part.map { "\($0)" } ?? "-") is wrong")
      try Property.require((patch.part == nil) == (before == after), "a patch of nothing")
    }
  }

  @Test func `a lossy patch is a JPEG file from its first to its last marker`() throws {
    let size = try PixelSize(width: 40, height: 30)
    let frame = Pixels(rgb: size, [UInt8](repeating: 90, count: size.area * 3))
    let patch = try FramePatch(frame, after: nil, isLossless: false)
    #expect(patch.bytes.prefix(2) == [0xff, 0xd8])
    #expect(patch.bytes.suffix(2) == [0xff, 0xd9])
  }
}
