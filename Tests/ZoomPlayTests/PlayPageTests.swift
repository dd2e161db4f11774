import ForeignPipelines
import Foundation
import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline
import zoombench

@testable import ZoomPlay
@testable import ZoomViewers
@testable import zoombench_play

/// The browser of the tests; nil where none is installed, and unless ci/viewers asks for these tests.
private let browser =
  ProcessInfo.processInfo.environment["ZOOMBENCH_BROWSER_TESTS"] == nil
  ? nil : try? BrowserCommand.find(nil)

@Suite(.serialized, .enabled(if: browser != nil)) struct PlayPageTests {
  /// Returns pictures that show the cards of the laws, named by their sizes.
  private func cards(in folder: FilePath) throws -> [PlayLibrary.Entry] {
    let limits = PictureLimits.standard
    let opener = PictureOpener(StandardPipelines(limits: limits), [])
    return try WebViewer.sizes.map { size in
      let path = folder.appending("\(size).png")
      let png = try Image(PlaceCard.pixels(of: size)).pngBytes()
      try Data(png).write(to: URL(fileURLWithPath: path.string))
      let name = "\(size.width)x\(size.height)"
      return PlayProgram.entry(NamedPicture(name: name, path: path), opener, limits)
    }
  }

  @Test func `the page of play keeps the laws of viewers`() async throws {
    let folder = try ScratchFolder()
    let library = PlayLibrary(try cards(in: folder.path))
    let settings = PlayServer.Settings(host: "127.0.0.1", port: 0, token: nil)
    let server = try await PlayServer(library, settings)
    let page =
      server.address + "?viewer&of={picture}#picture={width}x{height}&system=double-tap"
    let viewer = WebViewer(
      try ViewerEntry("play", page: page), schemes: [.plain], browser: try #require(browser))
    // Two ratios and few cases, because this build compares pixels slowly.
    let subject = try viewer.subject(ratios: [1, 1.25], sizes: WebViewer.sizes)
    #expect(subject.traits.isRecognised && subject.traits.taps)
    #expect(subject.traits.adapter == [.settled])
    // W-P7 needs a half transparent card in place of the usual one. Most of the shared laws of gestures begin with a
    // pinch or a wheel, which the double tap lacks.
    let trials = LawCatalogue.suites(of: subject).flatMap(\.trials).filter {
      $0.law.hasPrefix("W-") && $0.law != "W-P7" || $0.law == "GE-41"
    }
    var tried: [String] = []
    for trial in trials {
      var settings = PropertySettings(cases: 3, seed: 1)
      settings.phases = [.generate]
      // Shares of classes are for longer runs.
      settings.classCases = 3
      settings.decidesEarly = true
      settings.flakiness.replays = 1
      settings.caseTimeLimit = nil
      settings.suppressing = [.tooSlow]
      let report = await trial.check(settings)
      #expect(report.breaches.map { "\($0.complaint): \($0.input)" } == [], "\(trial.law)")
      if report.cases >= 3 { tried.append(trial.law) }
    }
    #expect(Set(["W-P2", "W-P3", "W-P4", "W-P5", "W-P9", "W-S1", "GE-41"]).isSubset(of: tried))
    viewer.close()
    await server.stop()
  }
}
