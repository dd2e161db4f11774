import Foundation
import Testing
import ZoomPipeline

@testable import ZoomCorpus

struct CorpusPictureTests {
  @Test func `recording a digest changes nothing else`() throws {
    let picture = try #require(try CorpusManifest.builtIn().pictures.first)
    let digest = PixelDigest(hexadecimal: String(repeating: "a", count: 64))
    let recorded = picture.recording(digest)
    #expect(recorded.pixels == digest)
    #expect(recorded != picture)
    #expect(recorded.recording(picture.pixels) == picture)
    #expect(picture.recording(nil).pixels == nil)
  }

  @Test func `it is on demand only when it says so`() throws {
    var picture = try #require(try CorpusManifest.builtIn().pictures.first)
    for (value, isOnDemand) in [(nil, false), (false, false), (true, true)] as [(Bool?, Bool)] {
      picture.onDemand = value
      #expect(picture.isOnDemand == isOnDemand)
    }
  }

  @Test func `what is left out of the JSON stays out`() throws {
    let json = """
      {"name": "a", "file": "a.png", "purpose": "b", "recipe": {"scene": "forest", "width": 3,
      "height": 2, "seed": 1, "encoding": {"format": "png"}},
      "structure": {"width": 3, "height": 2, "orientation": 1}}
      """
    let picture = try JSONDecoder().decode(CorpusPicture.self, from: Data(json.utf8))
    #expect(picture.pixels == nil && picture.onDemand == nil)
    #expect(picture.structure.process == nil && picture.recipe.encoding.quality == nil)
    let written = String(decoding: try JSONEncoder().encode(picture), as: UTF8.self)
    #expect(!written.contains("null") && !written.contains("quality"))
  }
}
