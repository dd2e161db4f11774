import Foundation
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import zoombench

struct LawListTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Documentation/LawList.md").standardizedFileURL

  @Test func `the page of laws has every law with its statement`() throws {
    let text = try Self.text()
    // To update the page: ZOOMBENCH_WRITE_PAGES=1 swift test --filter LawListTests
    if ProcessInfo.processInfo.environment["ZOOMBENCH_WRITE_PAGES"] == "1" {
      try text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    #expect(page == text, "write it with ZOOMBENCH_WRITE_PAGES=1")
  }

  private static func text() throws -> String {
    var text = """
      # All laws

      What [`zoombench verify`](Laws.md) tries. A cross marks laws that the published form of a system breaks, as is known
      and expected; the [defects](#published-defects) behind them are listed at the end. The rules of IIIF servers are on [a page of their own](ImageServers.md#rules).

      """
    for system in ZoomSystem.allCases {
      let suites = VerifyCatalogue.systems([system], form: .original)
      text += section(system.rawValue, suites.flatMap(\.suite.trials))
    }
    text += section("arithmetic", VerifyCatalogue.arithmetic.suite.trials)
    text += try viewers()
    let pipelines: [any Pipeline] = [NaivePipeline(), NaivePipeline().converting(to: .srgb)]
    let naive = try VerifyCatalogue.sources(pipelines, pictures: [], areNamed: false)
    text += section("pixels of sources and programs", naive.choices.flatMap(\.suite.trials))
    return text + "\n## Published defects\n" + ZoomSystem.allCases.map(defects).joined()
  }

  private static func viewers() throws -> String {
    let viewer = ViewerSubject(
      "viewer", traits: ViewerTraits(scales: 0.1...1, fitScale: 0.1), kinds: [.plain], ratios: [1],
      sizes: [try PixelSize(width: 3, height: 2)], play: { _ in ViewerPlay(looks: []) })
    let laws =
      ViewerLaws.all.map { ($0.name, $0.statement) }
      + GestureLaws.viewer(viewer).map { ($0.name, $0.statement) }
    return "\n## viewers in a browser\n\n| law | what must hold |\n|---|---|\n"
      + laws.map { "| \($0.0) | \($0.1) |\n" }.joined()
  }

  private static func defects(of system: ZoomSystem) -> String {
    let rows = PublishedDefect.all.filter { $0.system == system }.map {
      "| \($0.code) | \($0.summary) | \($0.laws.joined(separator: ", ")) |\n"
    }
    return "\n\(system.rawValue), as published in \(PublishedDefect.publication(of: system)):\n\n"
      + "| code | defect | laws that it breaks |\n|---|---|---|\n" + rows.joined()
  }

  private static func section(_ title: String, _ trials: [LawTrial]) -> String {
    var seen: Set<String> = []
    let rows = trials.filter { seen.insert($0.law).inserted }.map { trial in
      "| \(trial.law) | \(trial.statement.replacing("|", with: "\\|")) "
        + "| \(trial.isBrokenAsPublished ? "×" : "") |\n"
    }
    return "\n## \(title)\n\n| law | what must hold | published |\n|---|---|---|\n" + rows.joined()
  }
}
