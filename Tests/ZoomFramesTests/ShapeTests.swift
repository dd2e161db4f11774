import Foundation
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomFrames

struct ShapeTests {
  private func coverage(_ shape: (any Shape)?, _ width: Int, _ height: Int) -> [[UInt8]] {
    var all = [[UInt8]](repeating: [UInt8](repeating: 0, count: width), count: height)
    guard let shape else { return all }
    var row = CoverageRow(width: width)
    for y in shape.bounds.rows {
      shape.cover(row: y, &row)
      for x in row.columns { all[y][x] = row.inside.contains(x) ? row.insideValue : row[x] }
    }
    return all
  }

  private func sum(_ coverage: [[UInt8]]) -> Double {
    coverage.joined().reduce(0) { $0 + Double($1) } / 255
  }

  /// Returns a rotation about a point on the diagonal.
  private func rotation(_ angle: Double, about point: Double) -> Affine {
    Affine.translation(x: -point, y: -point).then(.rotation(angle))
      .then(.translation(x: point, y: point))
  }

  @Test func `whole pixels are covered wholly or not at all`() throws {
    let screen = try screen(20, 16)
    let rect = ViewRect(x: 3, y: 4, width: 9, height: 7)
    let all = coverage(
      RoundedRectangle(rect, cornerRadius: 0, .identity, opacity: 1, on: screen), 20, 16)
    #expect(Set(all.joined()) == [0, 255] && sum(all) == 9 * 7)
    #expect(all[4][3] == 255 && all[4][11] == 255 && all[10][3] == 255 && all[10][11] == 255)
  }

  @Test func `a coverage adds up to the area, also of slivers and of turned rectangles`() throws {
    let screen = try screen(40, 40)
    for (rect, radius, angle) in [
      (ViewRect(x: 5.3, y: 6.7, width: 20.2, height: 11.1), 0.0, 0.0),
      (ViewRect(x: 5.4, y: 6.5, width: 0.3, height: 20), 0, 0),
      (ViewRect(x: 8, y: 8, width: 20, height: 20), 6, 0),
      (ViewRect(x: 8, y: 8, width: 20, height: 16), 8, 0.4),
      (ViewRect(x: 12, y: 12, width: 15, height: 12), 0, 0.7),
    ] {
      let map = rotation(angle, about: 20)
      let all = coverage(
        RoundedRectangle(rect, cornerRadius: radius, map, opacity: 1, on: screen), 40, 40)
      let area = rect.width * rect.height - (4 - Double.pi) * radius * radius
      // An error of half a pixel at each corner, and one rounding per pixel.
      #expect(abs(sum(all) - area) < 0.02 * area, "\(rect) \(radius): \(sum(all)) for \(area)")
    }
  }

  @Test func `an outline covers a line's width on both sides of the border`() throws {
    let screen = try screen(20, 20)
    let outlines = [2.0, 1, 30].map { width in
      coverage(
        RectangleOutline(
          ViewRect(x: 5, y: 6, width: 10, height: 8), width: width, on: screen), 20, 20)
    }
    let (all, thin, wide) = (outlines[0], outlines[1], outlines[2])
    #expect(sum(all) == 12 * 10 - 8 * 6)
    #expect(all[5][4] == 255 && all[4][4] == 0 && all[7][6] == 0 && all[10][10] == 0)
    #expect(thin[10][4] == 128 && thin[10][5] == 128 && thin[10][6] == 0)
    #expect(sum(wide) == 400)
  }

  /// Returns a coverage convolved with a Gaussian.
  private func blurred(_ coverage: [[UInt8]], sigma: Double) -> [[Double]] {
    let reach = Int(5 * sigma)
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = weights.reduce(0, +)
    /// Blurs the rows and returns the columns.
    func blur(_ rows: [[Double]]) -> [[Double]] {
      rows[0].indices.map { x in
        rows.map { row in
          var sum = 0.0
          for near in max(0, x - reach)...min(row.count - 1, x + reach) {
            sum += weights[near - x + reach] * row[near]
          }
          return sum / total
        }
      }
    }
    return blur(blur(coverage.map { $0.map(Double.init) }))
  }

  @Test func `a shadow is its shape, convolved with a Gaussian`() throws {
    let screen = try screen(60, 60)
    let small = ViewRect(x: 20, y: 22, width: 20, height: 16)
    let long = ViewRect(x: 8, y: 26, width: 44, height: 8)
    // A shadow is within 4 levels. Without blur, its Gaussian has the variance of a pixel, and an
    // edge's coverage differs by up to 15 more; steps in a corner would differ by 50 and more.
    let cases: [(ViewRect, radius: Double, blur: Double, angle: Double, most: Double)] = [
      (small, 0, 4, 0, 4), (small, 6, 4, 0, 4), (small, 8, 4, 0, 4), (small, 0, 4, 0.5, 4),
      (small, 6, 4, 0.5, 4), (long, 0, 4, 0, 4), (long, 4, 4, 0.5, 4),
      (ViewRect(x: 10.3, y: 12, width: 40, height: 36), 15, 0, 0.4, 20),
    ]
    for (rect, radius, blur, angle, most) in cases {
      let map = rotation(angle, about: 30)
      let shape = coverage(
        RoundedRectangle(rect, cornerRadius: radius, map, opacity: 1, on: screen), 60, 60)
      let soft = Shadow(offset: ViewPoint(x: 0, y: 0), radius: blur, opacity: 1)
      let shadow = coverage(
        ShadowShape(soft, of: rect, cornerRadius: radius, map, opacity: 1, on: screen), 60, 60)
      let exact = blur > 0 ? blurred(shape, sigma: blur) : shape.map { $0.map(Double.init) }
      let largest = zip(shadow.joined(), exact.joined()).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(largest <= most, "\(rect) \(radius) \(angle): \(largest)")
    }
  }

  @Test func `an edge far from its ends is blurred to the normal distribution`() throws {
    let screen = try screen(60, 60)
    let soft = Shadow(offset: ViewPoint(x: 0, y: 0), radius: 4, opacity: 1)
    let half = ViewRect(x: -1e9, y: -1e9, width: 1e9 + 30, height: 3e9)
    let edge = coverage(
      ShadowShape(soft, of: half, cornerRadius: 0, .identity, opacity: 1, on: screen), 60, 60)
    for (x, share) in [(0, 1), (30 - 1, 0.549), (30, 0.451), (33, 0.192), (37, 0.031), (45, 0)] {
      #expect(abs(Double(edge[30][x]) / 255 - share) < 0.006, "\(x)")
    }
  }

  @Test func `a shadow falls where its offset says, in points of the viewport`() throws {
    let screen = try screen(30, 30, scale: 2)
    let rect = ViewRect(x: 8, y: 9, width: 7, height: 6)
    for angle in [0.0, 0.5] {
      let map = rotation(angle, about: 12)
      let cast = { (x: Double, y: Double) in
        coverage(
          ShadowShape(
            Shadow(offset: ViewPoint(x: x, y: y), radius: 1.5, opacity: 0.8), of: rect,
            cornerRadius: 2, map, opacity: 1, on: screen), 60, 60)
      }
      let (plain, moved) = (cast(0, 0), cast(4, 2.5))
      var largest = 0
      for y in 5..<60 {
        for x in 8..<60 {
          largest = max(largest, abs(Int(moved[y][x]) - Int(plain[y - 5][x - 8])))
        }
      }
      // If turned, coordinates are rounded.
      #expect(largest <= (angle == 0 ? 0 : 1), "\(angle): \(largest)")
    }
  }

  @Test func `a shadow never brightens, and a hidden one changes nothing`() throws {
    let noise = try Pixels.noise(30, 30)
    let renderer = FrameRenderer(source: PlainSource(noise))
    let screen = try screen(30, 30)
    func drawn(_ top: Layer) throws -> Pixels {
      try renderer.render([.picture(layer(0, 0, 30, 30)), top], on: screen).pixels
    }
    for angle in [0.0, 0.6] {
      var shadowed = layer(
        0, 0, 10, 8, Affine.rotation(angle).then(.translation(x: 12, y: 10)))
      shadowed.cornerRadius = 2
      let plain = try drawn(.picture(shadowed))
      shadowed.shadow = Shadow(offset: ViewPoint(x: 2, y: 3), radius: 2, opacity: 0.6)
      let dark = try drawn(.picture(shadowed))
      #expect(zip(plain.bytes, dark.bytes).allSatisfy { $0 >= $1 })
      #expect(!isSame(plain.bytes, dark.bytes))
      shadowed.shadow?.opacity = 0
      #expect(try drawn(.picture(shadowed)).difference(from: plain) == nil)
    }
    let outline = OutlineLayer(
      rect: ViewRect(x: 8, y: 8, width: 12, height: 12), width: 1, shade: 0,
      shadow: Shadow(offset: ViewPoint(x: 1, y: 1), radius: 1, opacity: 0.5))
    let lined = try drawn(.outline(outline))
    #expect(zip(noise.bytes, lined.bytes).allSatisfy { $0 >= $1 })
    // The shadow leaves the inside of the outline as it is.
    #expect(lined[14, 14] == noise[14, 14])
  }

  @Test func `mixing rounds to the nearest`() {
    var isRight = true
    for below in stride(from: 0, through: 255, by: 5) {
      for above in stride(from: 0, through: 255, by: 5) {
        for share in 0...255 {
          let got = CanvasRows.over(UInt8(below), UInt8(above), UInt8(share))
          let exact = Double(below * (255 - share) + above * share) / 255
          isRight = isRight && abs(Double(got) - exact) <= 0.5
        }
      }
    }
    #expect(isRight)
  }

  @Test func `a raster that is painted in bands is painted the same`() throws {
    // Large enough for two bands, and the same rows in a raster too small for bands.
    let screen = try screen(160, 120)
    let fills = [
      FillLayer(rect: screen.bounds, shade: 0.8),
      FillLayer(
        rect: ViewRect(x: 10.3, y: 20.2, width: 90, height: 80), shade: 0.3, opacity: 0.7,
        cornerRadius: 12, shadow: Shadow(offset: ViewPoint(x: 3, y: 3), radius: 5, opacity: 0.5)),
    ]
    let steps = fills.flatMap { PaintStep.steps(of: .fill($0), on: screen) }
    let whole = Canvas.paint(steps, size: screen.pixels)
    let top = try Canvas.paint(steps, size: PixelSize(width: 160, height: 90))
    #expect(Canvas.bands(of: whole.size).count == 2 && Canvas.bands(of: top.size).count == 1)
    #expect(whole.crop(PixelRegion(whole: top.size)).difference(from: top) == nil)
  }
}
