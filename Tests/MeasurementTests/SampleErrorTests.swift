import Measurement
import Testing

@Suite struct SampleErrorTests {
  @Test func `each error says what is wrong in one line of its own`() {
    let errors: [SampleError] = [
      .noSamples, .notFinite(index: 31), .zeroDuration(index: 32),
      .unpaired(numerators: 33, denominators: 34), .invalidConfidence(35),
    ]
    let texts = errors.map { "\($0)" }
    #expect(Set(texts).count == errors.count)
    for (text, numbers) in zip(texts, [[], ["31"], ["32"], ["33", "34"], ["35"]]) {
      #expect(numbers.allSatisfy(text.contains), "\(text)")
      #expect(!text.contains(where: \.isNewline) && !text.hasSuffix("."))
    }
  }
}
