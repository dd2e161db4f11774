import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

@Suite struct SightReaderTests {
  @Test func `readings are kept until the next play begins`() throws {
    let picture = try ViewerPicture(card: TileService.size(40, 30))
    let reader = SightReader(picture, content: .card, former: nil, limits: .standard)
    let shots = (0..<250).map {
      SightReader.Shot(digest: UInt64($0), isSettled: false, ratio: 1, place: nil)
    }
    reader.beginPlay()
    // Bytes that are not a picture have a reading, too: a failure.
    for shot in shots { reader.begin([], as: shot) }
    for count in [1, 201, 250] {
      #expect(reader.readings(of: Array(shots.prefix(count))).count == count)
    }
    reader.beginPlay()
    #expect(reader.readings(of: shots).isEmpty)
  }
}
