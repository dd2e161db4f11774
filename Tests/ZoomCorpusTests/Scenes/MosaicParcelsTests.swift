import Testing

@testable import ZoomCorpus

@Suite struct MosaicParcelsTests {
  @Test func `a parcel's look does not depend on where the row was begun`() {
    let one = MosaicParcels(seed: 4)
    let other = MosaicParcels(seed: 4)
    one.begin(77)
    other.begin(77)
    for x in 0..<700 { _ = one.field(x, leaf: 0) }
    for x in stride(from: 699, through: 0, by: -13) {
      #expect(one.field(x, leaf: 9).red == other.field(x, leaf: 9).red)
      #expect(one.boat(x) == other.boat(x))
      #expect(one.town(x, density: 3000).blue == other.town(x, density: 3000).blue)
    }
  }

  @Test func `fields and towns show many colours`() {
    let parcels = MosaicParcels(seed: 4)
    var fields: Set<Int32> = []
    var towns: Set<Int32> = []
    for y in stride(from: 0, to: 900, by: 30) {
      parcels.begin(y)
      for x in 0..<900 {
        fields.insert(parcels.field(x, leaf: 0).green)
        towns.insert(parcels.town(x, density: 4000).red)
      }
    }
    #expect(fields.count > 40)
    #expect(towns.count > 20)
  }

  @Test func `about half of the cells at sea have a boat, and it is small`() {
    let parcels = MosaicParcels(seed: 4)
    var counts = [Int](repeating: 0, count: 64)
    for y in 0..<2048 {
      parcels.begin(y)
      for x in stride(from: 0, to: 2048, by: 4) where parcels.boat(x) > 0 {
        counts[(y >> 8) * 8 + x >> 8] += 4
      }
    }
    // 64 fair throws: mean 32, standard deviation 4.
    #expect((16...48).contains(counts.count { $0 > 0 }))
    #expect(counts.allSatisfy { $0 < 2000 })
  }
}
