import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

@Suite struct SightReaderTests {
  @Test func `a reading is kept for an equal digest, and a screenshot that is no picture fails`()
    throws
  {
    let picture = try ViewerPicture(card: TileService.size(240, 320))
    let reader = SightReader(picture, content: .card, former: nil, limits: .standard)
    func read(_ png: [UInt8], as digest: UInt64) throws(ViewerFailure) -> SightReader.Reading {
      try reader.read(
        png, as: SightReader.Shot(digest: digest, isSettled: true, ratio: 1, place: nil))
    }
    let reading = try read(try Image(picture.pixels).pngBytes(), as: 1)
    #expect(reading.sight.place != nil && reading.checks != nil)
    let again = try read([], as: 1)
    #expect(again.sight == reading.sight && again.checks == reading.checks)
    #expect(throws: ViewerFailure.self) { try read([], as: 2) }
  }
}
