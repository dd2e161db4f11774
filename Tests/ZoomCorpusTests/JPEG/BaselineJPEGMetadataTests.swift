import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGMetadataTests {
  private func walk(
    _ colour: BaselineJPEG.Colour, _ change: (inout BaselineJPEG.Metadata) -> Void
  ) throws -> MarkerWalk {
    var options = BaselineJPEG.Options(colour: colour)
    change(&options.metadata)
    let scene = try picture(8, 8, colour.sourceForm)
    return try MarkerWalk(BaselineJPEG.Plan(scene, options: options).encoded())
  }

  @Test(arguments: BaselineJPEG.Colour.allCases)
  func `JFIF and Adobe segments stand where the colour needs them`(colour: BaselineJPEG.Colour)
    throws
  {
    let walk = try walk(colour) { _ in }
    let isJFIF = colour == .gray || colour == .yCbCr
    #expect(walk.all(0xE0).count == (isJFIF ? 1 : 0))
    let transforms: [BaselineJPEG.Colour: UInt8] = [.rgbAdobe: 0, .cmyk: 0, .ycck: 2]
    #expect(walk.all(0xEE).map { $0.payload.last } == transforms[colour].map { [$0] } ?? [])
    #expect(walk.all(0xEE).allSatisfy { $0.payload.count == 12 })
  }

  @Test(arguments: 1...8)
  func `the orientation stands in a directory whose offsets stay inside the block`(value: Int)
    throws
  {
    let block = try walk(.yCbCr) { $0.orientation = value }.all(0xE1)[0].payload
    #expect(block.prefix(6) == [0x45, 0x78, 0x69, 0x66, 0, 0])
    let tiff = Array(block.dropFirst(6))
    func word(_ at: Int) -> Int { Int(tiff[at]) << 8 | Int(tiff[at + 1]) }
    #expect(word(0) == 0x4D4D && word(2) == 42 && word(4) == 0 && word(6) == 8)
    let entries = (0..<word(8)).map { 10 + $0 * 12 }
    #expect(entries.map(word) == entries.map(word).sorted())
    #expect(entries.first { word($0) == 0x0112 }.map { word($0 + 8) } == value)
    for entry in entries where word(entry + 2) == 5 {
      #expect(word(entry + 10) + 8 <= tiff.count)
      #expect(word(entry + 10) >= (entries.last ?? 0) + 16)
    }
  }

  @Test func `XMP, ICC and a comment are carried as they are`() throws {
    let profile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let walk = try walk(.yCbCr) {
      $0.xmp = BaselineJPEG.Metadata.sampleXMP
      $0.icc = profile
      $0.comment = [1, 2, 3]
    }
    let name = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    #expect(walk.all(0xE1).map(\.payload) == [name + BaselineJPEG.Metadata.sampleXMP])
    let chunks = walk.all(0xE2).map(\.payload)
    #expect(chunks.map { $0[12] } == [1, 2, 3])
    #expect(chunks.allSatisfy { $0[13] == 3 && $0.starts(with: Array("ICC_PROFILE\0".utf8)) })
    #expect(chunks.flatMap { $0.dropFirst(14) } == profile)
    #expect(walk.all(0xFE).map(\.payload) == [[1, 2, 3]])
  }

  @Test func `metadata that does not fit is refused`() {
    func failure(_ change: (inout BaselineJPEG.Metadata) -> Void) -> BaselineJPEG.Failure? {
      var metadata = BaselineJPEG.Metadata()
      change(&metadata)
      do throws(BaselineJPEG.Failure) {
        try metadata.validate()
        return nil
      } catch {
        return error
      }
    }
    let bytes = [UInt8](repeating: 0, count: 65_534)
    #expect(failure { $0.orientation = 0 } == .invalidOrientation(0))
    #expect(failure { $0.orientation = 9 } == .invalidOrientation(9))
    #expect(failure { $0.comment = bytes } == .metadataTooLong(bytes: 65_534, limit: 65_533))
    #expect(failure { $0.comment = Array(bytes.dropLast()) } == nil)
    #expect(failure { $0.xmp = bytes } == .metadataTooLong(bytes: 65_534, limit: 65_504))
    #expect(failure { $0.xmp = Array(bytes.prefix(65_504)) } == nil)
    let profile = [UInt8](repeating: 0, count: 65_519 * 255 + 1)
    #expect(failure { $0.icc = profile } != nil)
    #expect(failure { $0.icc = Array(profile.dropLast()) } == nil)
  }
}
