import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline
import ZoomLaws

@testable import PixelLaws

@Suite struct GenRegionsTests {
  @Test(arguments: [(1, 1), (2, 3), (83, 61), (4000, 9), (70_000, 50_000)])
  func `every region lies inside its picture and is no longer than asked`(
    _ width: Int, _ height: Int
  ) {
    let size = size(width, height)
    let regions = Gen<PixelRegion>.regions(in: size, longest: 200).sample(400, seed: 1)
    #expect(regions.count == 400)
    #expect(regions.allSatisfy { $0.isInside(size) && max($0.width, $0.height) <= 200 })
  }

  @Test func `the simplest request is the first pixel`() throws {
    var testCase = TestCase()
    testCase.begin(replaying: [], tail: .simplest)
    let request = try Gen<RegionRequest>.requests(in: size(83, 61)).body(&testCase)
    #expect(request == RegionRequest(.checked(0, 0, 1, 1)))
  }

  @Test(arguments: [(1, 1), (613, 457), (616, 457), (70_001, 9)])
  func `requests can be answered, and a third of the reduced ones end in a part of a block`(
    _ width: Int, _ height: Int
  ) throws {
    let size = size(width, height)
    for request in Gen<RegionRequest>.requests(in: size).sample(400, seed: 3) {
      try request.check(pictureSize: size, file: nil)
    }
    let requests = Gen<RegionRequest>.reducedRequests(in: size).sample(400, seed: 4)
    for request in requests + RegionRequest.raggedEdges(of: size) {
      try request.check(pictureSize: size, file: nil)
      #expect(request.reduction != .none || width * height == 1)
    }
    #expect(requests.count { $0.isRaggedStrip(of: size) } > 100)
    #expect(RegionRequest.raggedEdges(of: size).allSatisfy { $0.isRaggedStrip(of: size) })
  }

  @Test func `long regions span either axis, some with a length at or next to a power of two`()
    throws
  {
    let size = size(70_000, 40_000)
    let regions = RegionLaws.longRegions(in: size).sample(2000, seed: 5)
    #expect(regions.allSatisfy { $0.isInside(size) })
    #expect(regions.allSatisfy { min($0.width, $0.height) <= RegionLaws.breadth })
    func share(_ holds: (PixelRegion) -> Bool) -> Double {
      Double(regions.filter(holds).count) / 2000
    }
    #expect(share { $0.width == size.width } > 0.1 && share { $0.height == size.height } > 0.1)
    for power in [4096, 32_768, 65_536] {
      for side in power - 1...power + 1 {
        #expect(regions.contains { $0.width == side })
        #expect(regions.contains { $0.height == side } == (side < size.height))
      }
    }
  }
}
