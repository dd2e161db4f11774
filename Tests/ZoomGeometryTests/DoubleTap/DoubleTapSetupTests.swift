import Testing

@testable import ZoomGeometry

/// Tests of the corrected double tap with known numbers; its laws are DT-P1 to DT-P11.
struct DoubleTapSetupTests {
  @Test func `DT-B3: a zoom within a thousandth of the fit, or below it, is the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let fit = setup.fitScale
    for zoom in [fit, fit.nextUp, fit.nextDown, fit * 1.0009, fit * 0.9] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image))?.zoom == 2 * fit)
    }
    for zoom in [fit * 1.0011, fit * 2, 3] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image)) == setup.fitted)
    }
    #expect(!setup.isFitted(.nan))
  }
}
