import Foundation
import ModelViewers
import SystemPackage
import TestSupport
import Testing
import ZoomFrames
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

/// Films of plays of a model viewer, whose looks are drawn here.
@Suite struct ViewerFilmTests {
  /// Returns a case, and the frames of a play in a viewer whose law is broken.
  private static func play(
    _ fault: ModelViewer.Fault
  ) async throws -> (ViewerCase, [FilmFrame], SightBreach?) {
    let viewer = try ModelViewer.subject(fault)
    let trials = LawCatalogue.suites(of: viewer).flatMap(\.trials)
    let trial = try #require(trials.first { $0.law == fault.law })
    let breach = try #require(await trial.firstBreach(cases: 6000, seed: 40))
    let gesture = breach.gesture.map { ViewerCase(gesture: $0, tiles: viewer.kinds[0]) }
    let each = try #require(breach.viewerCase ?? gesture)
    let levels = PlanePyramid(PlaceCard.pixels(of: each.gesture.picture))
    let screen = each.gesture.script.screen
    let frames = try viewer.play(each).looks.map { look -> FilmFrame in
      let place = look.sight.place.map { $0.toScreen.then(.scale(screen.scale)) }
      let blank = Pixels(
        rgb: screen.pixels, [UInt8](repeating: 255, count: 3 * screen.pixels.area))
      let shown = try ViewerFilm.compared(blank, place?.inverted(), levels)[0]
      return (look, try Image(shown).pngBytes())
    }
    return (each, frames, breach.error as? SightBreach)
  }

  @Test func `a strip has a column for each look, and rows of shown, expected and difference`()
    async throws
  {
    let (each, frames, breach) = try await Self.play(.wheelsAboutCentre)
    #expect(breach?.look != nil)
    let folder = try TestFolder()
    let path = folder.path.appending("strip.png")
    try ViewerFilm(of: each, frames, breach: breach).writeStrip(to: path)
    let size = try Picture(path).size
    let looks = min(8, frames.count)
    let cell = each.gesture.script.screen.pixels
    let width = min(cell.width, 480)
    #expect(size.width == looks * (width + ContactSheet.gap) + ContactSheet.gap)
    #expect(size.height > 3 * cell.height * width / cell.width)
  }

  @Test func `an animation is written as WebP only, and needs frames`() async throws {
    let (each, frames, breach) = try await Self.play(.tapsAboutCentre)
    let film = ViewerFilm(of: each, frames, breach: breach)
    let folder = try TestFolder()
    try film.writeAnimation(to: folder.path.appending("film.webp"))
    #expect(FileManager.default.fileExists(atPath: folder.path.appending("film.webp").string))
    #expect(throws: PipelineError.self) {
      try film.writeAnimation(to: folder.path.appending("film.png"))
    }
    let none = ViewerFilm(of: each, [])
    #expect(throws: PipelineError.self) { try none.writeStrip(to: folder.path.appending("a.png")) }
  }

  @Test func `the expected picture differs from a moved one, and fingers are drawn on the shown`()
    throws
  {
    let size = PixelRegion(uncheckedX: 0, y: 0, width: 120, height: 90).size
    let levels = Cards.wide
    let blank = Pixels(rgb: size, [UInt8](repeating: 255, count: 3 * size.area))
    let map = Affine.translation(x: 200, y: 100)
    let shown = try ViewerFilm.compared(blank, map, levels)[0]
    let same = try ViewerFilm.compared(shown, map, levels)
    #expect(same[0] == shown)
    func magenta(_ pixels: Pixels) -> Int {
      stride(from: 0, to: pixels.bytes.count, by: 3).count {
        pixels.bytes[$0] >= 128 && pixels.bytes[$0 + 1] == 0
      }
    }
    #expect(magenta(same[1]) == 0)
    let moved = try ViewerFilm.compared(shown, .translation(x: 160, y: 100), levels)
    #expect(magenta(moved[1]) > size.area / 20)
    let touch = Touch(id: 0, point: ViewPoint(x: 30, y: 20))
    let events = [GestureEvent(time: 0, kind: .touches(.began, [touch]))]
    let (before, after) = (shown.bytes, ViewerFilm.withHands(shown, events[...], 2).bytes)
    let changed = before.indices.filter { before[$0] != after[$0] }.map { ($0 / 3 % 120, $0 / 360) }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { abs($0 - 60) <= 28 && abs($1 - 40) <= 28 })
  }
}
