import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGFormatTests {
  typealias Options = BaselineJPEG.Options
  typealias Sampling = BaselineJPEG.Sampling

  private let size = SceneSize(width: 70, height: 45)

  private func walk(_ options: Options) throws -> MarkerWalk {
    let scene = try SyntheticScene(.mosaic, size: size, form: options.colour.sourceForm)
    return try MarkerWalk(BaselineJPEG.Plan(scene, options: options).encoded())
  }

  private func failure(_ size: SceneSize, _ options: Options) -> BaselineJPEG.Failure? {
    do throws(BaselineJPEG.Failure) {
      _ = try BaselineJPEG.Format(size: size, options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a plain file has its segments in the usual order`() throws {
    let walk = try walk(Options())
    #expect(
      walk.markers == [
        0xD8, 0xE0, 0xDB, 0xDB, 0xC0, 0xC4, 0xC4, 0xC4, 0xC4, 0xDA, 0xD9,
      ])
    #expect(
      walk.all(0xC0)[0].payload == [8, 0, 45, 0, 70, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
    #expect(walk.all(0xDA)[0].payload == [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])
    #expect(walk.all(0xC4).map { $0.payload[0] } == [0x00, 0x10, 0x01, 0x11])
    #expect(walk.trailer.isEmpty)
  }

  @Test func `extended sequential differs from baseline in one byte`() throws {
    var options = Options()
    let scene = try SyntheticScene(.mosaic, size: size)
    let baseline = try BaselineJPEG.Plan(scene, options: options).encoded()
    options.isExtendedSequential = true
    let extended = try BaselineJPEG.Plan(scene, options: options).encoded()
    let different = baseline.indices.filter { baseline[$0] != extended[$0] }
    #expect(baseline.count == extended.count)
    #expect(different.map { [baseline[$0], extended[$0]] } == [[0xC0, 0xC1]])
  }

  @Test func `a late height is 0 in the frame and follows the first scan`() throws {
    for isOneScanPerComponent in [false, true] {
      var options = Options()
      options.definesHeightLate = true
      options.isOneScanPerComponent = isOneScanPerComponent
      let walk = try walk(options)
      #expect(Array(walk.all(0xC0)[0].payload[1...2]) == [0, 0])
      #expect(walk.all(0xDC).map(\.payload) == [[0, 45]])
      let scan = try #require(walk.markers.firstIndex(of: 0xDA))
      #expect(walk.markers[scan + 1] == 0xDC)
    }
  }

  @Test(arguments: [1, 3, 200])
  func `fill bytes stand before every marker after the first`(count: Int) throws {
    var options = Options()
    options.fillBytes = count
    options.restart = .mcus(4)
    let walk = try walk(options)
    #expect(walk.segments[0].fillBytes == 0)
    #expect(walk.segments.dropFirst().allSatisfy { $0.fillBytes == count })
    #expect(walk.restarts.count == 3)
  }

  @Test func `one scan per component repeats only the interval that changes`() throws {
    var options = Options()
    options.isOneScanPerComponent = true
    options.restart = .rows(1)
    let walk = try walk(options)
    #expect(walk.all(0xDA).map { $0.payload.prefix(2) } == [[1, 1], [1, 2], [1, 3]])
    // 70 pixels are 9 luma blocks and, halved, 5 chroma blocks; the two chroma scans agree.
    #expect(walk.all(0xDD).map(\.payload) == [[0, 9], [0, 5]])
    let first = Array(0..<5)
    #expect(walk.restarts == first + [0, 1] + [0, 1])
  }

  @Test(arguments: [1, 2, 3, 5, 7, 14, 15, 16])
  func `restart markers are as many as needed and numbered modulo 8`(interval: Int) throws {
    var options = Options()
    options.restart = .mcus(interval)
    let walk = try walk(options)
    #expect(walk.all(0xDD).map(\.payload) == [[0, UInt8(interval)]])
    // 5 x 3 MCUs; none after the last.
    #expect(walk.restarts == (0..<(15 - 1) / interval).map { $0 % 8 })
  }

  @Test func `sizes and options outside their ranges are refused with what was wrong`() {
    for (width, height) in [(0, 5), (5, 0), (-1, 5), (65_501, 5), (5, 65_501)] {
      let wrong = SceneSize(width: width, height: height)
      #expect(failure(wrong, Options()) == .invalidSize(wrong))
    }
    #expect(failure(SceneSize(width: 65_500, height: 65_500), Options()) == nil)
    for quality in [0, 101, -5] {
      #expect(failure(size, Options(quality: quality)) == .invalidQuality(quality))
    }
    #expect(
      failure(size, Options(sampling: [Sampling(1, 1)]))
        == .wrongSamplingCount(expected: 3, got: 1))
    for wrong in [Sampling(0, 1), Sampling(1, 5), Sampling(-1, 1)] {
      let options = Options(sampling: [Sampling(1, 1), wrong, Sampling(1, 1)])
      #expect(failure(size, options) == .invalidSampling(component: 1, wrong))
    }
    var crowded = Options(sampling: [Sampling(4, 2), Sampling(2, 1), Sampling(1, 1)])
    #expect(failure(size, crowded) == .tooManyBlocksInMCU(11))
    crowded.isOneScanPerComponent = true
    #expect(failure(size, crowded) == nil)
    var padded = Options()
    padded.fillBytes = 256
    #expect(failure(size, padded) == .invalidPadding(256))
    padded.fillBytes = 0
    padded.trailer.count = -1
    #expect(failure(size, padded) == .invalidPadding(-1))
  }
}
