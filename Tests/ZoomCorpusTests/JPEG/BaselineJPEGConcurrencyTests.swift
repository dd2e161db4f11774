import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGConcurrencyTests {
  private func plan(_ restart: BaselineJPEG.Restart) throws -> BaselineJPEG.Plan {
    var options = BaselineJPEG.Options(quality: 70)
    options.restart = restart
    options.trailer.count = 5
    return try BaselineJPEG.Plan(picture(60, 400, .rgb8), options: options)
  }

  @Test(arguments: [BaselineJPEG.Restart.none, .rows(1), .rows(3), .mcus(2)], [1, 2, 5])
  func `several tasks write the bytes that one writes`(
    restart: BaselineJPEG.Restart, workers: Int
  ) async throws {
    let plan = try plan(restart)
    var bytes: [UInt8] = []
    try await plan.encodeConcurrently(workers: workers, bandsPerPiece: 2) { bytes += $0 }
    #expect(bytes == plan.encoded())
  }

  @Test func `an error of the sink comes back`() async throws {
    struct Full: Error {}
    let plan = try plan(.rows(1))
    var calls = 0
    await #expect(throws: Full.self) {
      try await plan.encodeConcurrently(workers: 2) { _ in
        calls += 1
        if calls == 4 { throw Full() }
      }
    }
    #expect(calls == 4)
  }
}
