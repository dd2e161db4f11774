import PropertyTesting
import XCTest

/// Properties without Swift Testing: a report is a value, so XCTest needs no bridge.
final class CheckInXCTestTests: XCTestCase {
  func testAFailureIsTextThatAnAssertionShows() async {
    let report = await Property.check("numbers are small", .integer(in: 0...9999)) { number, _ in
      try Property.require(number < 100)
    }
    XCTAssertEqual(report.verdict, .failed)
    XCTAssertTrue(report.description.contains("counterexample: 100\n"), report.description)
  }
}
