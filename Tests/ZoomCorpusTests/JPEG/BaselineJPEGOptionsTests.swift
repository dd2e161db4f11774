import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGOptionsTests {
  @Test(arguments: BaselineJPEG.Colour.allCases)
  func `a colour's usual options are valid for its source form`(colour: BaselineJPEG.Colour) throws
  {
    let options = BaselineJPEG.Options(colour: colour)
    #expect(options.sampling.count == colour.componentCount)
    #expect(colour.sourceForm.bands == colour.componentCount)
    let file = try BaselineJPEG.Plan(picture(9, 9, colour.sourceForm), options: options).encoded()
    #expect(try MarkerWalk(file).all(0xC0)[0].payload[5] == UInt8(colour.componentCount))
  }

  @Test func `a trailer follows the end marker, is repeatable and holds no marker`() throws {
    var options = BaselineJPEG.Options()
    let bare = try BaselineJPEG.Plan(picture(20, 20, .rgb8), options: options).encoded()
    options.trailer = BaselineJPEG.Trailer(count: 727, seed: 9)
    let file = try BaselineJPEG.Plan(picture(20, 20, .rgb8), options: options).encoded()
    let trailer = try MarkerWalk(file).trailer
    #expect(file == bare + trailer)
    #expect(trailer.count == 727)
    #expect(!trailer.contains(0xFF))
    #expect(Set(trailer).count > 200)
    #expect(trailer == BaselineJPEG.Trailer(count: 727, seed: 9).bytes)
    #expect(trailer != BaselineJPEG.Trailer(count: 727, seed: 10).bytes)
  }
}
