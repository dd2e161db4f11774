import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import PixelLaws

func size(_ width: Int, _ height: Int) -> PixelSize {
  PixelRegion.checked(0, 0, width, height).size
}

func painted(
  _ width: Int, _ height: Int, bands: Int = 3, _ depth: TestPicture.SampleDepth = .eight,
  _ content: TestPicture.Motif = .noise(1)
) -> Pixels {
  TestPicture(size: size(width, height), bands: bands, depth: depth, content: content)
    .storedPixels()
}

/// Returns pixels made of samples, in one row unless a width is given.
func pixels<Sample>(
  _ format: SampleFormat, _ samples: [Sample], bands: Int = 1, width: Int? = nil
) -> Pixels {
  let bytes = samples.flatMap { withUnsafeBytes(of: $0) { Array($0) } }
  let count = bytes.count / bands / format.byteCount
  return Pixels(
    size: size(width ?? count, count / (width ?? count)), bands: bands, format: format,
    interpretation: .grey, bytes: bytes)
}

/// Returns the error that a law throws for differing pixels.
func mismatch(_ got: Pixels, _ expected: Pixels) -> PixelMismatch {
  PixelMismatch(
    "the peek is wrong", got: got, expected: expected,
    comparison: PixelComparison(got, expected: expected), shift: PixelShift(got, expected: expected)
  )
}

/// Expects that no law is broken, and with `held` that each one holds.
func expectUnbroken(
  _ laws: [Law<PixelSubject>], held: Bool = false, on subject: PixelSubject, cases: Int,
  seed: UInt64 = 1
) async {
  #expect(!laws.isEmpty)
  for law in laws {
    let report = await law.check(subject, settings: PropertySettings(cases: cases, seed: seed))
    let breach = report.breaches.first
    #expect(
      report.verdict == .held || !held && report.verdict != .broken,
      "\(subject.name) \(law.name): \(breach?.input ?? ""): \(breach?.complaint ?? "")")
  }
}
