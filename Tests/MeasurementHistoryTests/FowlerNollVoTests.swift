import Testing

@testable import MeasurementHistory

@Suite struct FowlerNollVoTests {
  @Test(arguments: [
    // draft-eastlake-fnv: the test vectors for FNV-1a of 128 bits.
    ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
    ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
  ])
  func `hashes are those that were published`(text: String, digits: String) {
    #expect(FowlerNollVo.digits(text.utf8) == digits)
  }
}
