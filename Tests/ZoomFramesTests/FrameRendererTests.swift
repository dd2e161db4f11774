import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomFrames

struct FrameRendererTests {
  private func frame(_ pixels: Pixels, _ layers: [Layer], on screen: Screen) throws -> Frame {
    try FrameRenderer(source: PlainSource(pixels)).render(layers, on: screen)
  }

  @Test func `a part of a picture one to one is copied byte for byte`() throws {
    let noise = try Pixels.noise(40, 30)
    let part = layer(7, 5, 20, 10, .translation(x: 3, y: 2))
    let frame = try frame(noise, [.picture(part)], on: screen(40, 30))
    let cut = try PixelRegion(x: 7, y: 5, width: 20, height: 10)
    let shown = try PixelRegion(x: 3, y: 2, width: 20, height: 10)
    #expect(frame.pixels.crop(shown).difference(from: noise.crop(cut)) == nil)
    #expect(frame.pixels[2, 1] == [0, 0, 0] && frame.pixels[23, 12] == [0, 0, 0])
    #expect(frame.work.pixelsDecoded == 200)
  }

  @Test func `four quarter turns lead back, and each turns the frame exactly`() throws {
    let noise = try Pixels.noise(24, 16)
    var map = Affine.identity
    var wanted = noise
    for turn in [QuarterTurn.none, .clockwise, .half, .counterclockwise, .none] {
      let size = noise.size.turned(by: turn)
      let frame = try frame(
        noise, [.picture(layer(0, 0, 24, 16, map))],
        on: screen(Double(size.width), Double(size.height)))
      #expect(frame.layers.first?.kind == .exact(turn))
      #expect(frame.pixels.difference(from: wanted) == nil, "\(turn)")
      wanted = wanted.quarterTurned(.clockwise)
      // After a quarter turn clockwise the former bottom is on the left.
      map = map.then(.turn(.clockwise)).then(.translation(x: Double(size.height), y: 0))
    }
  }

  @Test func `a stretch by two keeps its centre`() throws {
    let slopes = try Pixels.slopes(12, 8)
    let frame = try frame(
      slopes, [.picture(layer(0, 0, 12, 8, .scale(2)))], on: screen(24, 16))
    #expect(frame.layers.first?.kind == .bilinear)
    // Screen pixel x shows the picture at index (x + 1/2) / 2 - 1/2; edges are repeated. Levels are
    // rounded down in the picture and by libvips (8.14), whose weights have 12 bits.
    func check(_ level: UInt8, at place: Int, of side: Double) {
      let wanted = 20 + 200 * ((Double(place) + 0.5) / 2 - 0.5) / side
      #expect((-0.5...2.5).contains(wanted - Double(level)), "\(place) of \(side)")
    }
    for x in 1..<23 { check(frame.pixels[x, 7][0], at: x, of: 12) }
    for y in 1..<15 { check(frame.pixels[9, y][1], at: y, of: 8) }
  }

  @Test func `a half is the mean of blocks`() throws {
    let noise = try Pixels.noise(24, 16)
    let frame = try frame(
      noise, [.picture(layer(0, 0, 24, 16, .scale(0.5)))], on: screen(12, 8))
    #expect(frame.layers.first?.reduction == .half)
    #expect(frame.layers.first?.resampling == .blockMean)
    #expect(try frame.pixels.largestDifference(from: #require(noise.meanOfBlocks(2))) <= 1)
    // A reduction by 24: the decoder reduces by 8, and the plan's block means by the remaining 3.
    let large = try Pixels.slopes(100, 75)
    let small = try self.frame(
      large, [.picture(layer(0, 0, 100, 75, .scale(1.0 / 24)))], on: screen(4, 3))
    #expect(small.layers.first?.reduction == .eighth)
    let means = try #require(large.meanOfBlocks(24))
    let wanted = means.crop(
      PixelRegion(whole: small.pixels.size))
    // Three roundings: the source's means, libvips' and the kernel's.
    #expect(small.pixels.largestDifference(from: wanted) <= 3)
  }

  @Test func `a frame shows the deepest level of the file that loses no detail`() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let large = try Pixels.slopes(800, 600)
    let path = folder.path.appending("a.tif")
    try Image(large).write(
      to: path, settings: "[compression=deflate,tile,tile-width=16,tile-height=16,pyramid]")
    let renderer = FrameRenderer(source: try RandomPipeline().open(path))
    for (scale, reduction, shrink) in [(0.5, 2, 1), (1.0 / 16, 16, 1), (1.0 / 192, 64, 3)] {
      let (width, height) = ((800 * scale).rounded(.down), (600 * scale).rounded(.down))
      let frame = try renderer.render(
        [.picture(layer(0, 0, 800, 600, .scale(scale)))], on: screen(width, height))
      #expect(frame.layers.first?.reduction.rawValue == reduction)
      #expect(frame.layers.first?.resampling == .stored)
      let wanted = try #require(large.meanOfBlocks(reduction * shrink))
        .crop(PixelRegion(whole: frame.pixels.size))
      // libvips rounds the means of each level, and of the next ones made from it.
      #expect(frame.pixels.largestDifference(from: wanted) <= 6, "\(scale)")
    }
  }

  @Test func `a frame costs a small factor of what it shows`() throws {
    let slopes = try Pixels.slopes(700, 500)
    let screen = try screen(40, 30)
    for scale in [0.125, 0.13, 0.24, 0.26, 0.49, 0.7, 1, 1.3, 4] {
      let frame = try frame(
        slopes, [.picture(layer(30.3, 20.2, 600, 450, .scale(scale)))], on: screen)
      // On each side, at most two pixels per screen pixel, and a margin of at most six.
      let most = (2 * 40 + 6) * (2 * 30 + 6)
      #expect(try #require(frame.work.pixelsDecoded) <= most, "\(scale)")
    }
  }

  @Test func `mirrored and transposed layers give mirrored and transposed frames`() throws {
    let slopes = try Pixels.noise(20, 14)
    let map = Affine.rotation(0.3).then(.scale(1.7)).then(.translation(x: 9.3, y: -2.6))
    let plain = try frame(slopes, [.picture(layer(0, 0, 20, 14, map))], on: screen(32, 32)).pixels
    let mirrored = slopes.rearranged(try PixelSize(width: 20, height: 14)) { x, y in (19 - x, y) }
    let mirror = Affine(a: -1, b: 0, c: 0, d: 1, tx: 20, ty: 0)
    let back = Affine(a: -1, b: 0, c: 0, d: 1, tx: 32, ty: 0)
    let other = try frame(
      mirrored, [.picture(layer(0, 0, 20, 14, mirror.then(map).then(back)))], on: screen(32, 32))
    let wanted = plain.rearranged(try PixelSize(width: 32, height: 32)) { x, y in (31 - x, y) }
    // Truncated weights of 12 bits may err to either side: two levels.
    #expect(other.pixels.largestDifference(from: wanted) <= 2)
    let swapped = slopes.rearranged(try PixelSize(width: 14, height: 20)) { x, y in (y, x) }
    let swap = Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    let third = try frame(
      swapped, [.picture(layer(0, 0, 14, 20, swap.then(map).then(swap)))], on: screen(32, 32))
    let transposed = plain.rearranged(try PixelSize(width: 32, height: 32)) { x, y in (y, x) }
    #expect(third.pixels.largestDifference(from: transposed) <= 2)
  }

  @Test func `content out of the picture is smeared from its edge`() throws {
    let (noise, slopes) = (try Pixels.noise(10, 8), try Pixels.slopes(10, 8))
    let screen = try screen(12, 9)
    for (x, y) in [(-4.0, -3.0), (5, 3), (300, -200), (-1e9, 1e9), (4, 1e9)] {
      func smeared(_ pixels: Pixels) -> Pixels {
        pixels.rearranged(screen.pixels) { column, row in
          (Int(min(max(Double(column) + x, 0), 9)), Int(min(max(Double(row) + y, 0), 7)))
        }
      }
      let frame = try frame(noise, [.picture(layer(x, y, 12, 9))], on: screen)
      #expect(frame.pixels.difference(from: smeared(noise)) == nil, "\(x) \(y)")
      // The same through the kernel, 0.1 pixels off: nearly the same if the edge is repeated.
      let near = try self.frame(slopes, [.picture(layer(x + 0.1, y, 12, 9))], on: screen)
      #expect(near.layers.first?.kind == .bilinear)
      #expect(near.pixels.largestDifference(from: smeared(slopes)) <= 4, "\(x) \(y)")
    }
  }

  @Test func `opacity 0 draws nothing, and opacity 1 hides the layers below`() throws {
    let noise = try Pixels.noise(16, 12)
    let screen = try screen(16, 12)
    let behind = FillLayer(rect: screen.bounds, shade: 0.6)
    var picture = layer(0, 0, 16, 12)
    let opaque = try frame(noise, [.fill(behind), .picture(picture)], on: screen)
    #expect(opaque.pixels.difference(from: noise) == nil)
    picture.opacity = 0
    let source = PlainSource(noise)
    let none = try FrameRenderer(source: source).render(
      [.fill(behind), .picture(picture)], on: screen)
    #expect(none.pixels.bytes.allSatisfy { $0 == 153 })
    #expect(none.layers.isEmpty && source.requests.isEmpty)
    picture.opacity = 0.25
    let mixed = try frame(noise, [.fill(behind), .picture(picture)], on: screen)
    // 64/255 of the picture, rounded.
    let isMixed = zip(mixed.pixels.bytes, noise.bytes).allSatisfy { got, above in
      abs(Double(got) - (153.0 * 191 + Double(above) * 64) / 255) <= 0.5
    }
    #expect(isMixed)
  }

  @Test func `a mask touches only what is inside`() throws {
    let noise = try Pixels.noise(20, 20)
    var picture = layer(0, 0, 20, 20)
    picture.mask = ViewRect(x: 4, y: 5, width: 9, height: 8)
    picture.cornerRadius = 3
    let frame = try frame(noise, [.picture(picture)], on: screen(20, 20)).pixels
    var isRight = true
    for y in 0..<20 {
      for x in 0..<20 {
        let isInside = (4..<13).contains(x) && (5..<13).contains(y)
        // Along the cross between the corners, every pixel is the picture's.
        let isCopied = isInside && ((7..<10).contains(x) || (8..<10).contains(y))
        if !isInside || isCopied {
          isRight = isRight && frame[x, y] == (isInside ? noise[x, y] : [0, 0, 0])
        }
      }
    }
    #expect(isRight)
    #expect(frame[4, 5] != noise[4, 5])
  }
}
