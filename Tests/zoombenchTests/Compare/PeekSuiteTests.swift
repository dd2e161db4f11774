import SystemPackage
import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

@Suite struct PeekSuiteTests {
  @Test func `with the user's pictures, only the canary's picture is made`() throws {
    #expect(PeekSuite.pictures(besidesOwn: true) == ["petronas"])
    #expect(PeekSuite.pictures(besidesOwn: false) == PeekSuite.pictures)
  }

  private static let folder = CorpusFolder("corpus")

  @Test func `thirty cases have thirty names`() throws {
    let suite = try PeekSuite(corpus: Self.folder, manifest: .builtIn())
    #expect(suite.cases.count == 30)
    #expect(Set(suite.cases.map(\.name) + [suite.canary.name]).count == 31)
  }

  @Test func `the list of pictures has all that the suite uses, and no others`() throws {
    let suite = try PeekSuite(corpus: Self.folder, manifest: .builtIn())
    let strips = try PeekSuite.strips(corpus: Self.folder, manifest: .builtIn())
    let used = Set((suite.cases + [suite.canary] + strips).map(\.picture))
    #expect(used == Set(PeekSuite.pictures))
  }

  @Test func `every source is in the suite`() throws {
    let suite = try PeekSuite(corpus: Self.folder, manifest: .builtIn())
    #expect(Set(suite.cases.map(\.source)) == Set(StandardPipelines().names))
  }

  @Test func `strips and the canary have different names`() throws {
    let strips = try PeekSuite.strips(corpus: Self.folder, manifest: .builtIn())
    let canary = try PeekSuite(corpus: Self.folder, manifest: .builtIn()).canary
    #expect(Set((strips + [canary]).map(\.name)).count == PeekSuite.stripCount + 1)
  }

  @Test func `the user's pictures are measured warm, cold and with large peeks`() {
    let subject = NamedPicture(name: "a.jpg", path: "a.jpg")
    let cases = PeekSuite.cases(of: [subject], sources: ["naive", "automatic"])
    #expect(
      cases.map(\.name) == [
        "a.jpg/naive/375x375/warm", "a.jpg/naive/375x375/cold", "a.jpg/naive/750x750/warm",
        "a.jpg/automatic/375x375/warm", "a.jpg/automatic/375x375/cold",
        "a.jpg/automatic/750x750/warm",
      ])
  }
}
