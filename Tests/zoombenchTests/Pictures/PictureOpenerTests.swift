import ForeignPipelines
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct PictureOpenerTests {
  @Test func `a command for one source prefers the named program, unless a source is named`()
    async throws
  {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    let program = try ForeignPipeline("broken=worker:false", limits: .standard)
    let opener = PictureOpener(StandardPipelines(limits: .standard), [program])
    let picture = try Picture(folder.file("a.jpg"), limits: .standard)
    #expect(throws: (any Error).self) { try opener.openPreferringForeign(picture, by: "automatic") }
    #expect(try opener.openPreferringForeign(picture, by: "sequential").name == "sequential")
  }
}
