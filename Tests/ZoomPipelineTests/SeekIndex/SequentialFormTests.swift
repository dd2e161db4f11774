import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests pictures without entry points, which are read from the sequential form in their index.
@Suite struct SequentialFormTests {
  /// Every sampling is rewritten by `SequentialRewriteTests` and entered by `JPEGExactnessTests`.
  private static let codings: [JPEGEncoding] =
    [
      JPEGEncoding(quality: 85), JPEGEncoding(sampling: JPEGEncoding.Sampling.yCbCr444),
      JPEGEncoding(colour: .gray), JPEGEncoding(colour: .cmyk),
    ].map { $0.with(\.coding, .progressive) }
    + Orientation.allCases.map {
      JPEGEncoding().with(\.coding, .progressive).with(\.metadata.orientation, $0.rawValue)
    }
    + [
      JPEGEncoding(quality: 55).with(\.coding, .arithmetic),
      JPEGEncoding().with(\.isOneScanPerComponent, true),
      JPEGEncoding(colour: .ycck).with(\.isOneScanPerComponent, true).with(\.restart, .mcus(5)),
    ]

  @Test(arguments: codings)
  func `every region of a picture without entry points has the pixels of the whole`(
    _ options: JPEGEncoding
  ) throws {
    for (width, height) in [(161, 90), (130, 65), (5, 3), (1, 1)] {
      let made = try MadeJPEG(options, width, height)
      let source = try made.openIndexed()
      #expect(try made.store.load(for: made.path).get().payload != nil)
      try made.expectWindows(try made.regions(60, seed: 7), from: source, "\(width)x\(height)")
    }
  }

  @Test func `a reduction is the decoder's reduction of the whole picture`() throws {
    let made = try MadeJPEG.progressive(161, 90)
    let source = try made.openIndexed()
    let sequential = try SequentialPipeline().open(made.path)
    for reduction in Reduction.real {
      for region in try made.regions(20, seed: 13) {
        let request = RegionRequest(
          region.holdingBlocks(of: reduction.rawValue, in: source.size), reduction: reduction)
        let (answer, other) = (try source.read(request), try sequential.read(request))
        #expect(answer.resampling == .decoder)
        #expect(answer.pixels.difference(from: other.pixels) == nil, "\(request)")
      }
    }
  }

  // MARK: Refusals

  @Test func `a refusal without an index says how to make one`() throws {
    let made = try MadeJPEG.progressive(60, 40)
    func reason() -> String {
      let error = expectError(.unsupported) {
        try PartialPipeline(stores: [made.store]).open(made.path)
      }
      return error?.reason ?? ""
    }
    #expect(reason().contains("progressive"))
    #expect(reason().contains("zoombench index FILE"))
    // An index of the picture before its change.
    try made.store.build(for: made.path)
    try AtomicFile.write(try made.bytes + [0], to: made.path)
    #expect(reason().contains("stale"))
    #expect(reason().contains("zoombench index FILE"))
  }

  @Test func `a form with other pixels is not taken for the picture's`() throws {
    let made = try MadeJPEG.progressive(60, 40)
    let picture = try Picture(made.path)
    let payload = try #require(try SequentialForm.index(of: picture).payload)
    #expect(try SequentialForm.isSame(payload, picture))
    for other in [(60, 40, 1), (60, 41, 3), (60, 40, 3)] {
      let options = JPEGEncoding(colour: other.2 == 1 ? .gray : .yCbCr, quality: 85)
        .with(\.restart, .rows(1))
      let bytes = try MadeJPEG(options, other.0, other.1).bytes
      #expect(try !SequentialForm.isSame(bytes, picture), "\(other)")
    }
  }

  @Test func `another picture's form is refused`() throws {
    let made = try MadeJPEG.progressive(60, 40)
    // As many MCUs of the same kind, in a picture one pixel narrower.
    let other = try MadeJPEG.progressive(59, 40)
    let index = try SequentialForm.index(of: Picture(other.path))
    try made.store.save(try draft(index, for: made), for: made.path)
    let error = expectError(.unsupported) {
      try PartialPipeline(stores: [made.store]).open(made.path)
    }
    #expect(error?.reason.contains("its index holds another picture") == true)
  }

  @Test func `a picture that is cut off, incomplete or too large has no index`() throws {
    let whole = try MadeJPEG.progressive(120, 90)
    let bytes = try whole.bytes
    let scans = JPEGBytes(bytes).places(of: 0xDA)
    let cases: [(made: MadeJPEG, limit: Int, code: PipelineError.Code)] = [
      (whole, 1000, .overBudget),
      (try MadeJPEG(Array(bytes.prefix(bytes.count * 2 / 3))), 1 << 24, .damaged),
      // A decoder smooths blocks whose later scans are missing.
      (try MadeJPEG(Array(bytes.prefix(scans[2] - 1)) + [0xFF, 0xD9]), 1 << 24, .unsupported),
    ]
    for (made, limit, code) in cases {
      expectError(code, of: made.path) {
        try SidecarDraft.build(
          of: made.path, limits: PictureLimits(memory: MemoryBudget(limit: limit)))
      }
    }
    #expect(try SidecarDraft.build(of: whole.path).draft.payload != nil)
  }

  @Test func `a form counts towards the budget while it is open, and is not read beyond it`()
    throws
  {
    let made = try MadeJPEG.progressive(120, 90)
    try made.store.build(for: made.path)
    let count = try #require(try made.store.load(for: made.path).get().payload?.count)
    func open(_ budget: MemoryBudget) throws -> any RegionSource {
      try PartialPipeline(stores: [made.store], limits: PictureLimits(memory: budget))
        .open(made.path)
    }
    for limit in [count, 2 * count - 1] {
      let budget = MemoryBudget(limit: limit)
      var source: (any RegionSource)? = try open(budget)
      #expect(budget.inUse == count)
      let error = expectError(.unsupported, of: made.path) { try open(budget) }
      #expect(error?.reason.contains("--memory") == true)
      withExtendedLifetime(source) {}
      source = nil
      #expect(budget.inUse == 0)
    }
    expectError(.unsupported) { try open(MemoryBudget(limit: count - 1)) }
  }

  @Test func `a form that is too large to be read back makes no index`() throws {
    let progressive = try MadeJPEG.progressive(60, 40)
    let file = try FileReader(progressive.path)
    var form = try SequentialForm.index(of: Picture(progressive.path))
    let most = try IndexedHeaders(file).largest(pictureLength: file.length)
    form.payload? += [UInt8](repeating: 0, count: most)
    expectError(.unsupported) { try draft(form, for: progressive) }
  }

  /// Creates a sidecar of a picture with an index that may be of another.
  private func draft(_ index: CompleteIndex, for made: MadeJPEG) throws -> SidecarDraft {
    let file = try FileReader(made.path)
    return try SidecarDraft(
      SidecarIdentity(version: file.version, contentDigest: SHA256.digest(of: file)),
      IndexedHeaders(file), index, of: file)
  }
}
