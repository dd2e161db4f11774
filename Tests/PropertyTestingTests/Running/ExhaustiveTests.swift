import PropertyTesting
import Synchronization
import Testing

@Suite struct ExhaustiveTests {
  /// Returns the values that a run tried, in any order.
  private static func seen<Value: Sendable & Hashable>(
    _ generator: Gen<Value>, cases: Int, parallelism: Int = 1
  ) async -> (values: [Value], report: PropertyReport<Value>) {
    let values = Mutex<[Value]>([])
    let settings = PropertySettings(cases: cases, seed: 1, parallelism: parallelism)
    let report = await Property.check("seen", generator, settings: settings) { value, _ in
      values.withLock { $0.append(value) }
    }
    return (values.withLock { $0 }, report)
  }

  @Test(arguments: [1, 3])
  func `each of few values is tried once`(_ parallelism: Int) async {
    let pairs = Gens.zip(Gen<Int>.integer(in: -3...4), Gen<Bool>.bool).map { [$0, $1 ? 1 : 0] }
    let (values, report) = await Self.seen(pairs, cases: 100, parallelism: parallelism)
    #expect(values.count == 16)
    #expect(Set(values).count == 16)
    #expect(report.wasExhaustive)
    #expect(report.cases == 16)
    #expect(report.verdict == .passed)
  }

  @Test func `lists are tried by length and content`() async {
    let lists = Gen<[Bool]>.array(of: .bool, count: 0...5)
    // 1 + 2 + 4 + 8 + 16 + 32 lists.
    let (values, report) = await Self.seen(lists, cases: 63)
    #expect(Set(values).count == 63 && values.count == 63)
    #expect(report.wasExhaustive)
  }

  @Test func `one value more than cases is too many`() async {
    let (_, report) = await Self.seen(.integer(in: 0...100), cases: 100)
    #expect(!report.wasExhaustive)
    #expect(report.cases == 100)
    let (values, all) = await Self.seen(.integer(in: 0...99), cases: 100)
    #expect(all.wasExhaustive && Set(values).count == 100)
  }

  @Test func `dependent values are tried for each value they depend on`() async {
    let triangle = Gen<Int>.integer(in: 0...4).flatMap { row in
      Gen<Int>.integer(in: 0...row).map { [row, $0] }
    }
    let (values, report) = await Self.seen(triangle, cases: 40)
    #expect(Set(values).count == 15 && values.count == 15)
    #expect(report.wasExhaustive)
  }

  @Test func `doubles are never all tried, unless there is one`() async {
    let (_, many) = await Self.seen(.double(in: 1...1.0.nextUp), cases: 50)
    #expect(!many.wasExhaustive)
    let (values, one) = await Self.seen(.double(in: 1...1), cases: 50)
    #expect(one.wasExhaustive && values == [1])
  }

  @Test func `a property that draws by itself is not taken for tried out`() async {
    let numbers = Mutex<Set<Int>>([])
    let report = await Property.check(
      "draws", Gen<Bool>.bool, settings: PropertySettings(cases: 60, seed: 1)
    ) { _, testCase in
      let number = testCase.integer(in: 0...1000)
      numbers.withLock { _ = $0.insert(number) }
    }
    #expect(!report.wasExhaustive)
    #expect(report.cases == 60)
    #expect(report.oversized == 0)
    #expect(numbers.withLock { $0.count } > 20)
  }

  @Test func `shares of classes are exact when all values were tried`() async {
    func run(_ share: Double) async -> PropertyReport<Int> {
      await Property.check("shares", Gen<Int>.integer(in: 0...9)) { number, testCase in
        testCase.classify(number < 3, as: "low", atLeast: share)
      }
    }
    #expect(await run(0.3).verdict == .passed)
    #expect(await run(0.31).verdict == .gaveUp(.missedClasses(["low"])))
  }
}
