import Foundation
import Testing

@testable import ZoomGeometry

struct ViewLayerTests {
  let frame = ViewRect(x: 20, y: 30, width: 100, height: 50)

  @Test func `a new layer fills its frame about its centre`() {
    let layer = ViewLayer(frame: frame)
    #expect(layer.frame == frame)
    #expect(layer.position == ViewPoint(x: 70, y: 55))
    #expect(layer.toParent.apply(to: ViewPoint(x: 0, y: 0)) == ViewPoint(x: 20, y: 30))
  }

  @Test func `a scroll offset moves the content and not the frame`() {
    let layer = ViewLayer(frame: frame, boundsOrigin: ViewPoint(x: 7, y: 8))
    #expect(layer.frame == frame)
    #expect(layer.toParent.apply(to: ViewPoint(x: 7, y: 8)) == ViewPoint(x: 20, y: 30))
  }

  @Test func `a scaling works about the anchor`() {
    var layer = ViewLayer(frame: frame)
    layer.transform = .scale(2)
    #expect(layer.frame == ViewRect(x: -30, y: 5, width: 200, height: 100))
  }

  @Test func `FT-B9, TI-B7: setting the anchor moves the layer, for the position stays`() {
    var layer = ViewLayer(frame: frame)
    layer.anchor = ViewPoint(x: 0, y: 0)
    #expect(layer.position == ViewPoint(x: 70, y: 55))
    #expect(layer.frame == ViewRect(x: 70, y: 55, width: 100, height: 50))
  }

  @Test func `ZV-B1: a frame set under a quarter turn swaps the size`() {
    var layer = ViewLayer(frame: ViewRect(x: 0, y: 0, width: 1, height: 1))
    layer.transform = .turn(.clockwise)
    layer.setFrame(frame)
    #expect(layer.frame == frame)
    #expect(layer.size == ViewSize(width: 50, height: 100))
    layer.transform = .identity
    #expect(layer.frame == ViewRect(x: 45, y: 5, width: 50, height: 100))
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a frame that is set under a turn is the frame, exactly`(turn: QuarterTurn) {
    var layer = ViewLayer(
      frame: ViewRect(x: 1, y: 2, width: 3, height: 4), boundsOrigin: ViewPoint(x: 5, y: 6))
    layer.transform = .turn(turn)
    layer.anchor = ViewPoint(x: 0.25, y: 1)
    layer.setFrame(frame)
    #expect(layer.frame == frame)
    #expect(layer.size == ViewSize(width: 100, height: 50).turned(by: turn))
  }

  @Test func `a frame that is set under a scaling or a move is the frame`() {
    for map in [Affine.scale(x: 3, y: -0.1), .translation(x: 40, y: -9), .scale(0.3)] {
      var layer = ViewLayer(frame: ViewRect(x: 1, y: 2, width: 3, height: 4))
      layer.transform = map
      layer.setFrame(frame)
      #expect(near(layer.frame, frame))
      #expect(layer.transform == map)
    }
  }

  @Test func `without an inverse the size stays, and nothing is NaN`() {
    var layer = ViewLayer(frame: ViewRect(x: 1, y: 2, width: 3, height: 4))
    layer.transform = .scale(0)
    layer.setFrame(frame)
    #expect(layer.size == ViewSize(width: 3, height: 4))
    #expect(layer.frame == ViewRect(x: 20, y: 30, width: 0, height: 0))
  }

  @Test func `a layer survives being stored`() throws {
    var layer = ViewLayer(frame: frame)
    layer.transform = .rotation(0.3)
    let stored = try JSONEncoder().encode(layer)
    #expect(try JSONDecoder().decode(ViewLayer.self, from: stored) == layer)
  }
}
