import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct ColourTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Opens a TIFF of pixels; libtiff checks no profile.
  private func picture(_ pixels: Pixels, _ profile: [UInt8]?) throws -> Picture {
    var image = try Image(pixels)
    if let profile { image = try image.carrying(profile: profile) }
    let path = folder.path.appending("a.tif")
    try image.write(to: path)
    return try Picture(path)
  }

  private func answer(
    _ pixels: Pixels, _ profile: [UInt8]?, in colour: ColourTarget = .srgb
  ) throws -> RegionAnswer {
    let source = try ResidentPipeline().converting(to: colour).open(picture(pixels, profile))
    return try source.read(RegionRequest(PixelRegion(whole: pixels.size)))
  }

  @Test func `red and green change places where the profile swaps them, and alpha stays`() throws {
    let pixels = try Pixels(2, 1, 4, bytes: [200, 50, 10, 77, 255, 255, 255, 0])
    let swapped = try answer(pixels, ColourProfile.swapped)
    #expect(swapped.colour == .srgb)
    // What the gamma of the profile makes of 50, 200 and 10 in sRGB.
    let expected = try Pixels(2, 1, 4, bytes: [46, 201, 3, 77, 255, 255, 255, 0])
    #expect(swapped.pixels.largestDifference(from: expected) <= 1)
    #expect(swapped.pixels.interpretation == .srgb)
    let plain = try answer(pixels, nil)
    #expect(plain.pixels.largestDifference(from: pixels) <= 1)
  }

  /// A profile of Debian's colord-data.
  private static let swapped = FilePath("/usr/share/color/icc/colord/SwappedRedAndGreen.icc")

  @Test(.enabled(if: (try? FileVersion(of: Self.swapped)) != nil))
  func `an installed profile that swaps red and green swaps them`() throws {
    let red = try Pixels(1, 1, 3, bytes: [250, 10, 10])
    let shown = try answer(red, bytes(of: Self.swapped)).pixels
    #expect(shown.largestDifference(from: try Pixels(1, 1, 3, bytes: [10, 250, 10])) < 30)
  }

  @Test func `grey becomes RGB of the same depth, with or without a profile`() throws {
    let grey = try Pixels(
      2, 1, 1, .uint16, ColourInterpretation(rawValue: "grey16"), bytes: [0, 0, 0, 0x80])
    for (profile, level) in [(nil, 32_768), (ColourProfile.grey, 45_290)] as [([UInt8]?, Int)] {
      let made = try answer(grey, profile, in: .p3)
      #expect(made.colour == .p3 && made.pixels.interpretation == .rgb16)
      #expect(made.pixels.bands == 3 && made.pixels.format == .uint16)
      let last = Int(made.pixels.bytes[10]) | Int(made.pixels.bytes[11]) << 8
      #expect(abs(last - level) < 400, "\(last)")
    }
  }

  @Test(arguments: [ColourProfile.grey, Array(ColourProfile.swapped.prefix(60)), [1, 2, 3]])
  func `a profile that is cut off, or is for other colours, is refused`(profile: [UInt8]) throws {
    let error = #expect(throws: PipelineError.self) {
      try answer(try Pixels.noise(4, 3), profile)
    }
    #expect(error?.isRefusal == true)
    #expect(error?.reason.contains("profile is broken, or not one of its") == true)
  }

  @Test func `a profile with damaged tags is reported when it is applied`() throws {
    // The tags follow a header of 128 bytes and a table of nine.
    let (start, count) = (ColourProfile.swapped.prefix(240), ColourProfile.swapped.count - 240)
    let profile = start + [UInt8](repeating: 0, count: count)
    let error = #expect(throws: PipelineError.self) {
      try answer(try Pixels.noise(4, 3), Array(profile))
    }
    #expect(error?.code == .damaged)
    #expect(error?.reason.contains("profile cannot be applied") == true)
  }

  @Test func `colours other than grey, RGB and CMYK of 8 or 16 bits are refused`() throws {
    let light = try Pixels(
      1, 1, 3, .float32, ColourInterpretation(rawValue: "scrgb"),
      bytes: [UInt8](repeating: 0, count: 12))
    let error = #expect(throws: PipelineError.self) { try answer(light, nil) }
    #expect(error?.isRefusal == true && error?.reason.contains("not grey, RGB or CMYK") == true)
  }

  @Test func `each target has a profile of its own, with its colour space in the header`() throws {
    let profiles = try ColourTarget.allCases.map { try $0.profile() }
    #expect(Set(profiles).count == 2)
    for profile in profiles { #expect(profile[16..<20].elementsEqual("RGB ".utf8)) }
  }
}
