import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGPlanTests {
  private func options(_ restart: BaselineJPEG.Restart) -> BaselineJPEG.Options {
    var options = BaselineJPEG.Options(quality: 70)
    options.restart = restart
    return options
  }

  @Test(
    arguments: [BaselineJPEG.Restart.none, .rows(1), .rows(2), .mcus(3), .mcus(5)], [1, 2, 100])
  func `pieces encoded alone and in any order make the same file`(
    restart: BaselineJPEG.Restart, minimum: Int
  ) throws {
    for isOneScanPerComponent in [false, true] {
      var options = options(restart)
      options.isOneScanPerComponent = isOneScanPerComponent
      let plan = try BaselineJPEG.Plan(picture(70, 90, .rgb8), options: options)
      let pieces = plan.pieces(minimumBands: minimum)
      let backwards = pieces.reversed().map { plan.encoded($0) }
      #expect(plan.prologue + backwards.reversed().joined() + plan.epilogue == plan.encoded())
    }
  }

  @Test func `pieces cover all bands of all scans in order`() throws {
    let plan = try BaselineJPEG.Plan(picture(70, 90, .rgb8), options: options(.rows(1)))
    #expect(plan.pieces().map(\.bands) == (0..<6).map { $0..<$0 + 1 })
    #expect(plan.pieces(minimumBands: 4).map(\.bands) == [0..<4, 4..<6])
    let whole = try BaselineJPEG.Plan(picture(70, 90, .rgb8), options: options(.none))
    #expect(whole.pieces().map(\.bands) == [0..<6])
  }

  @Test func `optimised tables give the same samples in fewer bytes`() throws {
    let scene = try picture(80, 60, .rgb8)
    var options = options(.rows(1))
    let usual = try BaselineJPEG.Plan(scene, options: options).encoded()
    options.huffman = .optimised
    let optimised = try BaselineJPEG.Plan(scene, options: options).encoded()
    #expect(optimised.count < usual.count)
    let decoded = try [usual, optimised].map { file in
      try ReferenceDecoder(file).components.map(\.plane)
    }
    #expect(decoded[0] == decoded[1])
  }

  @Test(arguments: [BaselineJPEG.Colour.gray, .yCbCr, .ycck])
  func `several scans and a late height decode to the same samples`(
    colour: BaselineJPEG.Colour
  ) throws {
    let scene = try picture(53, 41, colour.sourceForm)
    let usual = BaselineJPEG.Options(colour: colour, quality: 70)
    var split = usual
    split.isOneScanPerComponent = true
    split.restart = .mcus(3)
    split.definesHeightLate = true
    split.fillBytes = 2
    let whole = try ReferenceDecoder(BaselineJPEG.Plan(scene, options: usual).encoded())
    let parts = try ReferenceDecoder(BaselineJPEG.Plan(scene, options: split).encoded())
    for component in whole.components.indices {
      for y in 0..<41 {
        let rows = [whole, parts].map { it in (0..<53).map { it.sample(component, $0, y) } }
        #expect(rows[0] == rows[1])
      }
    }
  }

  @Test func `gray with 2x2 factors decodes like gray with 1x1 factors`() throws {
    let scene = try picture(53, 41, .gray8)
    let files = try [1, 2].map { factor in
      let sampling = [BaselineJPEG.Sampling(factor, factor)]
      return try BaselineJPEG.Plan(
        scene, options: BaselineJPEG.Options(colour: .gray, sampling: sampling)
      ).encoded()
    }
    #expect(files[0].count == files[1].count)
    #expect(try MarkerWalk(files[0]).all(0xDA) == MarkerWalk(files[1]).all(0xDA))
    #expect(try MarkerWalk(files[1]).all(0xC0)[0].payload[7] == 0x22)
  }

  @Test func `a scene of another form is refused`() throws {
    let scene = try picture(8, 8, .gray8)
    #expect(throws: BaselineJPEG.Failure.unsuitableScene(scene.size, .gray8)) {
      try BaselineJPEG.Plan(scene, options: BaselineJPEG.Options())
    }
  }

  @Test func `an error of the sink stops the encoding and comes back`() throws {
    struct Full: Error {}
    let plan = try BaselineJPEG.Plan(picture(70, 90, .rgb8), options: options(.none))
    var calls = 0
    #expect(throws: Full.self) {
      try plan.encode { _ in
        calls += 1
        if calls == 3 { throw Full() }
      }
    }
    #expect(calls == 3)
  }
}
