import Foundation
import Testing

@testable import ZoomGeometry

struct ZoomStateTests {
  func state(_ layers: [Layer], time: Double = 0, force: Double = 0) throws -> ZoomState {
    ZoomState(
      time: time, screen: try Screen(size: phone), layers: layers, recogniser: .began,
      force: force, events: [.peek, .pop])
  }

  func picture(_ x: Double) throws -> PictureLayer {
    let frame = ViewRect(x: x, y: 0, width: 3, height: 3)
    return PictureLayer(whole: try PixelSize(width: 3, height: 3), in: frame)
  }

  func outline(_ x: Double) -> Layer {
    .outline(
      OutlineLayer(rect: ViewRect(x: x, y: 0, width: 1, height: 1), width: 1, shade: 1))
  }

  @Test func `the topmost picture and outline are the last ones`() throws {
    let fill = Layer.fill(FillLayer(rect: ViewRect(x: 0, y: 0, width: 1, height: 1), shade: 0))
    let layers: [Layer] = [
      .picture(try picture(1)), outline(1), .picture(try picture(2)), outline(2), fill,
    ]
    let state = try state(layers)
    #expect(state.picture == (try picture(2)))
    #expect(state.previewFrame?.x == 2)
    #expect(try self.state([fill]).picture == nil)
    #expect(try self.state([fill]).previewFrame == nil)
  }

  @Test func `a number that is not finite anywhere makes the state so`() throws {
    #expect(try state([outline(1)]).isFinite)
    #expect(try !state([outline(.nan)]).isFinite)
    #expect(try !state([], time: .infinity).isFinite)
    #expect(try !state([], force: .nan).isFinite)
  }

  @Test func `gestures are over when ended, cancelled or failed`() {
    #expect(RecogniserState.allCases.filter(\.isTerminal) == [.ended, .cancelled, .failed])
  }

  @Test func `a state survives being stored`() throws {
    let state = try state([.picture(try picture(1)), outline(2)], time: 1.5, force: 0.25)
    let stored = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(ZoomState.self, from: stored) == state)
  }
}
