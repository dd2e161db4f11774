import Testing
import XCTest

/// Every test here can pass without an expectation, or expects what always holds: the rule must list each one.
struct CannotFailTests {
  private func items() -> [Int] { [1, 2].filter { $0 > 9 } }

  private func expectSmall(_ numbers: [Int]) {
    for number in numbers { #expect(number < 3) }
  }

  private func expectForEver(_ number: Int) { expectForEver(number + 1) }

  @Test func `a helper that only calls itself`() { expectForEver(1) }

  @Test func `no expectation`() throws { _ = try open() }

  @Test func `a guard that returns`() {
    guard let item = items().first else { return }
    #expect(item == 1)
  }

  @Test func `a guard in a loop that continues`() {
    for path in ["a", "b"] {
      guard let file = try? open(path) else { continue }
      #expect(file == path)
    }
  }

  @Test func `an if`() {
    if let item = items().first { #expect(item == 1) }
  }

  @Test func `an else if`() {
    if items().count > 1 {
      #expect(items() == [])
    } else if items().count == 1 {
      #expect(items() == [1])
    }
  }

  @Test func `a filtered loop`() {
    for number in 1...9 where number.isMultiple(of: 10) { #expect(number > 9) }
  }

  @Test func `a loop over what a function gives`() {
    for item in items() { #expect(item == 1) }
  }

  @Test func `a while loop`() {
    var number = 9
    while number < 3 {
      number += 1
      #expect(number > 0)
    }
  }

  @Test func `a catch`() {
    do {
      _ = try open()
    } catch {
      #expect(error is Failure)
    }
  }

  @Test func `a closure that nobody calls`() {
    let check = { #expect(Bool(false)) }
    _ = check
  }

  @Test func `a closure for each of no items`() { items().forEach { #expect($0 == 1) } }

  @Test func `one case of a switch`() {
    switch items().count {
    case 1: #expect(items() == [1])
    default: break
    }
  }

  @Test func `a helper that loops`() { expectSmall(items()) }

  @Test(arguments: [1, 2].filter { $0 > 9 }) func `no argument`(number: Int) { #expect(number > 9) }

  @Test func `a value and itself`() {
    let item = items()
    #expect(item == item)
  }

  @Test func `a count that is not negative`() { #expect(items().count >= 0) }

  @Test func `a property that gives up in every case`() async {
    await expectForAll(.integer(in: 0...9)) { number in
      guard let item = try? open(number) else { return }
      #expect(item == number)
    }
  }

  @Test func `a property of a report that gives up`() async {
    let report = await Property.check("x", .integer(in: 0...9)) { number in
      guard let item = items().first else { return }
      try Property.require(item == number)
    }
    #expect(report.verdict == .passed)
  }

  @Test func `all of a filtered list`() {
    let found = items().filter { $0 > 1 }
    #expect(found.allSatisfy { $0 > 2 })
  }

  @Test func `or true`() { #expect(items() == [7] || true) }

  @Test func `nil is taken for yes`() { #expect(items().first?.isMultiple(of: 2) != false) }
}

final class CannotFailCases: XCTestCase {
  func testGuard() {
    guard let item = [Int]().first else { return }
    XCTAssertEqual(item, 1)
  }
}
