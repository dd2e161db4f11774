import Testing
import XCTest

/// Every test here meets an expectation on each path to its end: the rule must list none.
struct CanFailTests {
  private static let numbers = [1, 2, 3]

  private func expectSmall(_ number: Int) throws { #expect(number < try limit()) }

  private func expectSmall(text: String) throws { try expectSmall(text.count) }

  private func withFolder(_ body: () throws -> Void) throws {
    try prepare()
    try body()
  }

  @Test func `an expectation`() { #expect(limit == 1) }

  @Test func `a guard that requires`() throws {
    let item = try #require(Self.numbers.first)
    guard item > 1 else { return }
    #expect(item == 2)
  }

  @Test func `a guard that records`() {
    guard let item = Self.numbers.first else {
      Issue.record("no number")
      return
    }
    #expect(item == 1)
  }

  @Test func `loops over what is there`() {
    for number in [1, 2] { #expect(number < 3) }
  }

  @Test func `a closed range`() {
    for number in 1...limit { #expect(number > 0) }
  }

  @Test func `all cases`() {
    for kind in Kind.allCases.reversed() { #expect(kind != .none) }
  }

  @Test func `a constant of its own`() {
    let sizes = [(1, 2), (3, 4)]
    for (index, size) in sizes.enumerated() + [] { #expect(size.0 > index) }
  }

  @Test func `a count of what was tried`() {
    var tried = 0
    for path in paths() {
      guard let file = try? open(path) else { continue }
      #expect(file == path)
      tried += 1
    }
    #expect(tried >= 3)
  }

  @Test func `both ways of an if`() {
    if limit > 1 { #expect(limit == 2) } else { #expect(limit == 1) }
  }

  @Test func `every case of a switch`() {
    switch limit {
    case 1: #expect(Self.numbers == [1])
    default: Issue.record("\(limit)")
    }
  }

  @Test func `what is not thrown is recorded`() {
    do {
      _ = try open("a")
      Issue.record("opened")
    } catch {
      #expect(error is Failure)
    }
  }

  @Test func `an error ends the test`() throws {
    guard limit > 0 else { throw Failure() }
    #expect(limit == 1)
  }

  @Test func `a helper`() throws { try expectSmall(1) }

  @Test func `another form of the helper`() throws { try expectSmall(text: "a") }

  @Test func `a helper that calls its closure`() throws { try withFolder { #expect(limit == 1) } }

  @Test func `a group of tasks`() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { #expect(limit == 1) }
    }
  }

  @Test(arguments: numbers) func `its arguments`(number: Int) { #expect(number == number + 0) }

  @Test func `a regular expression with a bracket`() { #expect("a(b".contains(#/\(/#)) }

  @Test func `the same call twice`() { #expect(limit() == limit()) }

  @Test func `properties`() async {
    await expectForAll(.integer(in: 0...9)) { number in
      guard number > 3 else { return }
      #expect(number > 2)
    }
    await expectForAll(.integer(in: 0...9)) { number in
      try Property.require(number < limit)
      guard let item = try? open(number) else { return }
      #expect(item == number)
    }
  }

  @Test func `all of a filtered list that is counted`() {
    let found = items().filter { $0 > 1 }
    #expect(!found.isEmpty && found.allSatisfy { $0 > 2 })
    #expect(items().filter { $0 > 1 }.allSatisfy { $0 > 2 } == true)
  }
}

final class CanFailCases: XCTestCase {
  func testEqual() throws { XCTAssertEqual(try XCTUnwrap([1].first), 1) }
}
