import PropertyTesting
import XCTest

/// Properties without Swift Testing: a report is a value, so XCTest needs no bridge.
final class CheckInXCTestTests: XCTestCase {
  func testAPropertyIsAnAssertionOnItsReport() async {
    let report = await Property.check("sums do not depend on order", .integer(in: -99...99)) {
      number, _ in
      try Property.require(number + 1 == 1 + number)
    }
    XCTAssertEqual(report.verdict, .passed, report.description)
  }

  func testAFailureIsTextThatAnAssertionShows() async {
    let report = await Property.check("numbers are small", .integer(in: 0...9999)) { number, _ in
      try Property.require(number < 100)
    }
    XCTAssertEqual(report.verdict, .failed)
    XCTAssertTrue(report.description.contains("counterexample: 100\n"), report.description)
  }
}
