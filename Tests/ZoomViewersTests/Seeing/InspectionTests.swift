import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

@Suite struct InspectionTests {
  private static func checks(_ shot: Pixels, _ view: SyntheticView) throws -> SightChecks {
    let place = ViewerPlace(toScreen: view.toDevice.then(.scale(0.5)))
    let grid = try #require(FitGrid(shot))
    return try #require(Inspection(grid, place, ratio: 2, of: view.levels)).checks()
  }

  /// A view between levels: each device pixel is 1.25 picture pixels.
  private static let middle = SyntheticView(scale: 0.8, point: (450, 300))

  @Test(arguments: [0.3, 0.55, 0.8, 1.4, 3.7], [0, 0.7])
  func `a sound view has no finding`(scale: Double, angle: Double) throws {
    for (filter, isMirrored) in [(SyntheticView.Filter.linear, false), (.area, true)] {
      var view = SyntheticView(
        scale: scale, angle: angle, isMirrored: isMirrored, point: (450, 300))
      view.filter = filter
      let checks = try Self.checks(view.pixels(), view)
      #expect(checks.exact == nil && checks.seam < 2.5 && checks.mean < 1.5)
      #expect(checks.shift.px < 0.2 && checks.wrongPlace.px < 0.2)
      #expect(checks.backgroundInside == 0 && checks.background == nil)
      #expect(checks.pictureOutside == 0)
      #expect((0.7...1.2).contains(checks.sharpness))
    }
  }

  @Test func `pixels at 1 to 1 are compared exactly, also at the picture's corner`() throws {
    let view = SyntheticView(scale: 1, point: (0, 0), at: (100, 60))
    let shot = try view.pixels()
    let area = 140 * 260
    let sound = SightChecks.ExactDifference(pixels: 0, level: 0, compared: area)
    #expect(try Self.checks(shot, view).exact == sound)
    let changed = try shot.changed { x, y, band, old in
      x == 101 && y == 70 && band == 2 ? old &+ 7 : x < 100 ? 9 : old
    }
    let one = SightChecks.ExactDifference(pixels: 1, level: 7, compared: area)
    #expect(try Self.checks(changed, view).exact == one)
  }

  @Test func `a part that is moved by a pixel or by half a pixel is measured`() throws {
    let view = Self.middle
    let shot = try view.pixels()
    for (way, range) in [(1.0, 0.9...1.15), (0.5, 0.4...0.7)] {
      var moved = view
      moved.toDevice = moved.toDevice.then(.translation(x: way, y: 0))
      let checks = try Self.checks(shot.joined(moved.pixels(), fromColumn: 120), view)
      #expect(range.contains(checks.shift.px), "\(checks.shift)")
      #expect(checks.shift.x > 110)
    }
  }

  // A screen pixel of an enlarged picture is rounded as its neighbours are.
  @Test(arguments: [4, 5.86, 9], [(450.0, 300.0), (890, 595), (30, 20), (700, 100)])
  func `the colours of an enlarged picture name no other place`(
    scale: Double, point: (Double, Double)
  ) throws {
    let view = SyntheticView(scale: scale, point: point)
    #expect(try Self.checks(view.pixels(), view).wrongPlace.px < 1)
  }

  @Test(arguments: [6.0, 9, 12]) func `a part that is moved by three enlarged pixels is found`(
    scale: Double
  ) throws {
    let view = SyntheticView(scale: scale, point: (450, 300))
    var moved = view
    moved.toDevice = moved.toDevice.then(.translation(x: 3 * scale, y: 0))
    let checks = try Self.checks(view.pixels().joined(moved.pixels(), fromColumn: 120), view)
    // What W-P3 allows.
    #expect(max(checks.shift.px, checks.wrongPlace.px) > 1.1 + scale / 6, "\(checks)")
  }

  @Test func `a tile of the neighbouring column is named by its colours`() throws {
    let view = Self.middle
    var other = view
    other.toDevice = other.toDevice.then(.translation(x: -200, y: 0))
    let checks = try Self.checks(view.pixels().joined(other.pixels(), fromColumn: 120), view)
    #expect(abs(checks.wrongPlace.px - 200) < 3, "\(checks.wrongPlace)")
  }

  @Test func `a gap shows the background, and names the part of the picture`() throws {
    let view = Self.middle
    let shot = try view.pixels().changed { x, y, _, old in x == 77 ? 255 : old }
    let checks = try Self.checks(shot, view)
    #expect(checks.backgroundInside == 320)
    let region = try #require(checks.background)
    let left = try #require(view.toDevice.inverted()).apply(to: ViewPoint(x: 77.5, y: 0)).x
    #expect(region.contains(ViewPoint(x: left, y: 300)) && region.width <= 3)
  }

  @Test(arguments: [false, true]) func `a seam is found and named`(isColumn: Bool) throws {
    let view = Self.middle
    let shot = try view.pixels().changed { x, y, _, old in
      (isColumn ? x : y) == 91 ? UInt8(min(Int(old) + 30, 255)) : old
    }
    let checks = try Self.checks(shot, view)
    #expect(checks.seam > 12 && checks.seamName == "\(isColumn ? "column" : "row") 91")
  }

  // OpenSeadragon's seams of 26 levels were taken for a displacement of 4.9 px.
  @Test(arguments: [-70, -26, -8, 8, 26, 70])
  func `bright or dark seams that cross are no displacement`(level: Int) throws {
    let view = Self.middle
    let sound = try view.pixels()
    for column in [119, 120, 121, 132] {
      let shot = try sound.changed { x, y, _, old in
        x == column || y == 168 ? UInt8(min(max(Int(old) + level, 0), 255)) : old
      }
      #expect(try Self.checks(shot, view).shift.px < 0.5)
    }
  }

  @Test(arguments: [1.0, 4, 5])
  func `a last row or column that is not drawn is missed at 1 to 1 or enlarged`(
    scale: Double
  ) throws {
    let view = SyntheticView(scale: scale, point: (901, 603), at: (130, 170))
    let whole = try view.pixels()
    for isColumn in [false, true] {
      let shot = try whole.changed { x, y, _, old in
        Double(isColumn ? x : y) >= (isColumn ? 130 : 170) - scale ? 255 : old
      }
      let checks = try Self.checks(shot, view)
      #expect(checks.backgroundInside > 0 || checks.exact?.pixels ?? 0 > 0)
    }
  }

  @Test func `picture outside its outline is counted`() throws {
    let view = SyntheticView(scale: 1, point: (901, 603), at: (130, 170))
    let shot = try view.pixels()
    let repeated = try shot.changed { x, y, band, old in
      (130..<136).contains(x) && y < 170 ? shot.bytes[(y * 240 + 129) * 3 + band] : old
    }
    // The first two columns lie within the margin of 1.5 pixels.
    #expect(try Self.checks(repeated, view).pictureOutside >= 4 * 170)
  }

  @Test(arguments: [0.3, 0.55, 0.8, 1])
  func `one level lower is less sharp than any filter of the best one`(scale: Double) throws {
    var view = SyntheticView(scale: scale, point: (450, 300))
    view.filter = .coarser(1)
    #expect(try Self.checks(view.pixels(), view).sharpness < 0.65)
  }

  // A viewer that takes 0.50002 for a half draws the half.
  @Test(arguments: [0.25, 0.5], [0, 1])
  func `a level that is as long as the screen's pixels but for rounding is sharp`(
    scale: Double, halvings: Int
  ) throws {
    var view = SyntheticView(scale: scale * 1.0001, point: (450, 300))
    view.filter = .coarser(halvings)
    #expect(try Self.checks(view.pixels(), view).sharpness >= 0.65)
  }

  @Test func `parts of the picture that was open before name other places`() throws {
    let view = Self.middle
    let turned = ViewerPicture(card: Cards.wide.size, isTurned: true)
    let former = SyntheticView(turned.levels, scale: 0.8, point: (450, 300))
    let mixed = try view.pixels().joined(former.pixels(), fromColumn: 120)
    #expect(try Self.checks(mixed, view).wrongPlace.px > 50)
  }

  @Test func `places that are no places are not compared`() throws {
    let shot = try Self.middle.pixels()
    let grid = try #require(FitGrid(shot))
    func checks(_ map: Affine) -> SightChecks? {
      Inspection(grid, ViewerPlace(toScreen: map), ratio: 1, of: Cards.wide)?.checks()
    }
    let flat = Affine(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0)
    for map in [flat, .scale(.nan), .scale(1e-9), .translation(x: .infinity, y: 0)] {
      #expect(checks(map) == nil)
    }
    #expect(checks(.translation(x: 1e6, y: 0))?.exact == nil)
  }
}
