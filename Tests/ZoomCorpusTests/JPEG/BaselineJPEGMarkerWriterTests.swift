import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGMarkerWriterTests {
  @Test func `a segment's length counts itself but not its marker`() {
    var writer = BaselineJPEG.MarkerWriter(fillBytes: 0)
    writer.segment(0xFE, [9, 8, 7])
    #expect(writer.bytes == [0xFF, 0xFE, 0, 5, 9, 8, 7])
  }

  @Test func `fill bytes stand before every marker but the first of a file`() {
    var writer = BaselineJPEG.MarkerWriter(fillBytes: 2)
    writer.marker(0xD8)
    writer.marker(0xD9)
    #expect(writer.bytes == [0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xD9])
  }

  @Test func `a word is big-endian and refuses what it cannot hold`() async {
    #expect(BaselineJPEG.MarkerWriter.word(0xABCD) == [0xAB, 0xCD])
    await #expect(processExitsWith: .failure) {
      _ = BaselineJPEG.MarkerWriter.word(65_536)
    }
  }
}
