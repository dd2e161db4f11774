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

  @Test func `thirty cases, strips and a canary differ and use every source and listed picture`()
    throws
  {
    let folder = CorpusFolder("corpus")
    let suite = try PeekSuite(corpus: folder, manifest: .builtIn())
    let strips = try PeekSuite.strips(corpus: folder, manifest: .builtIn())
    #expect(suite.cases.count == 30 && strips.count == PeekSuite.stripCount)
    #expect(Set(suite.cases.map(\.source)) == Set(StandardPipelines().names))
    let all = suite.cases + [suite.canary] + strips
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.picture)) == Set(PeekSuite.pictures))
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
