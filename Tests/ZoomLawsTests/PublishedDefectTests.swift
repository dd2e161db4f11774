import Foundation
import Testing
import ZoomGeometry
import ZoomLaws

struct PublishedDefectTests {
  @Test(arguments: ZoomSystem.allCases)
  func `a defect names only laws that the published system is known to break`(system: ZoomSystem) {
    let trials = LawCatalogue.suites(of: system, .original).flatMap(\.trials)
    let broken = Set(trials.filter(\.isBrokenAsPublished).map(\.law))
    let named = PublishedDefect.all.filter { $0.system == system }.flatMap(\.laws)
    #expect(!named.isEmpty && Set(named).subtracting(broken).isEmpty)
  }

  @Test func `every code in the sources, tests and documentation is in the table`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    let codes = Set(PublishedDefect.all.map(\.code))
    var used: Set<String> = []
    for folder in ["Sources", "Tests", "Tools", "Benchmarks/zoombench", "Documentation"] {
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files)
      where ["swift", "md"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        used.formUnion(text.matches(of: /\b(FZ|ZV|FT|DT|TI)-B[0-9]+/).map { String($0.output.0) })
      }
    }
    #expect(
      used.count > 50 && used.subtracting(codes).isEmpty, "\(used.subtracting(codes).sorted())")
  }
}
