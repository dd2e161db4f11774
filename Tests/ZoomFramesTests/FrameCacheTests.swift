import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomFrames

struct FrameCacheTests {
  /// Returns the layers of a script like peek: a base that stays and a part that moves.
  private func layers(_ step: Int) -> [Layer] {
    let base = layer(0, 0, 60, 45, .scale(0.6))
    return [
      .picture(base), .picture(layer(Double(5 + step), 9, 14, 12, .translation(x: 4, y: 6))),
      .picture(layer(Double(step), 3, 20, 18, .scale(0.45))),
    ]
  }

  @Test func `the cache never changes a frame`() throws {
    let noise = try Pixels.noise(60, 45)
    let screen = try screen(40, 30)
    let fresh = try (0..<4).map { step in
      try FrameRenderer(source: PlainSource(noise)).render(layers(step), on: screen).pixels
    }
    let renderer = FrameRenderer(source: PlainSource(noise))
    for step in [0, 1, 2, 3, 3, 1, 0, 2] {
      let frame = try renderer.render(layers(step), on: screen)
      #expect(frame.pixels.difference(from: fresh[step]) == nil, "\(step)")
      if step == 2 { renderer.forget() }
    }
  }

  @Test func `cached pixels cost no work and are reported as cached`() throws {
    let source = PlainSource(try Pixels.noise(60, 45))
    let renderer = FrameRenderer(source: source)
    let screen = try screen(40, 30)
    let first = try renderer.render(layers(0), on: screen)
    #expect(try #require(first.work.pixelsDecoded) > 0 && first.layers[0].origin == .source)
    let asked = source.requests.count
    let second = try renderer.render(layers(0), on: screen)
    #expect(second.work == .none)
    #expect(second.layers.map(\.origin) == [.heldLayer, .heldAnswer, .heldLayer])
    #expect(source.requests.count == asked)
    renderer.forget()
    #expect(try renderer.render(layers(0), on: screen).work == first.work)
  }

  @Test func `an answer serves every request inside of it at its reduction`() throws {
    let source = PlainSource(try Pixels.noise(50, 40))
    let renderer = FrameRenderer(source: source)
    let screen = try screen(50, 40)
    _ = try renderer.render([.picture(layer(0, 0, 50, 40))], on: screen)
    let part = layer(8, 6, 20, 10, .translation(x: 3, y: 3))
    let held = try renderer.render([.picture(part)], on: screen)
    #expect(held.layers.map(\.origin) == [.heldAnswer] && source.requests.count == 1)
    let fresh = try FrameRenderer(source: source).render([.picture(part)], on: screen)
    #expect(held.pixels.difference(from: fresh.pixels) == nil)
  }

  @Test func `a cache stays within its bytes and drops the least recently used value`() {
    var cache = ByteCache<Int, String>(limit: 10)
    cache.keep("a", for: 1, byteCount: 4)
    cache.keep("b", for: 2, byteCount: 4)
    #expect(cache.first { key, value in key == 1 ? value : nil } == "a")
    cache.keep("c", for: 3, byteCount: 4)
    #expect(cache.byteCount == 8)
    #expect(cache.first { key, value in key == 2 ? value : nil } == nil)
    cache.keep("large", for: 4, byteCount: 11)
    #expect(cache.byteCount == 8)
    for number in 0..<200 { cache.keep("", for: number + 10, byteCount: 0) }
    #expect(cache.byteCount <= 8)
  }

  @Test func `several threads draw the same`() throws {
    let noise = try Pixels.noise(60, 45)
    let screen = try screen(40, 30)
    let states = [layers(0), layers(1)]
    let wanted = try FrameRenderer(source: PlainSource(noise)).render(states[1], on: screen).pixels
    let renderer = FrameRenderer(source: PlainSource(noise))
    let frames = try concurrently(8) { number throws(PipelineError) in
      try renderer.render(states[number % 2], on: screen).pixels
    }
    for number in [1, 3, 5, 7] {
      #expect(frames[number].difference(from: wanted) == nil, "\(number)")
    }
  }
}
