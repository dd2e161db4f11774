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
    #expect(shown.largestDifference(from: try Pixels(1, 1, 3, bytes: [10, 250, 10])) <= 1)
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

  /// Returns a profile with a table for the perceptual intent only.
  ///
  /// `corner` gives L*, a* and b* in 8 bits for each combination of no and full amounts.
  private static func profile(
    of space: String, _ bands: Int, _ corner: ([Int]) -> [Int]
  ) -> [UInt8] {
    let matrix = (0..<9).flatMap { [0, $0 % 4 == 0 ? 1 : 0, 0, 0] as [UInt8] }
    let curve = Array(0...255) as [UInt8]
    let steps = (0..<1 << bands).flatMap { number in
      corner((1...bands).map { number >> (bands - $0) & 1 }).map { UInt8($0) }
    }
    // A lut8Type with two steps of each colour.
    let head = Array("mft1".utf8) + [0, 0, 0, 0, UInt8(bands), 3, 2, 0] + matrix
    let curves = [[UInt8]](repeating: curve, count: bands).flatMap(\.self)
    return ColourProfile.made(
      "table", "scnr\(space)Lab ", white: ColourProfile.d50,
      [("A2B0", head + curves + steps + curve + curve + curve)])
  }

  /// The more green, the darker the grey.
  private static let table = profile(of: "RGB ", 3) { [255 - 255 * $0[1], 128, 128] }

  @Test func `a profile with a table for the perceptual intent only is applied`() throws {
    let green = try Pixels(3, 1, 3, bytes: [10, 0, 200, 200, 255, 10, 99, 128, 0])
    // L* 100, 0 and 49.8 in sRGB.
    let grey = try Pixels(3, 1, 3, bytes: [255, 255, 255, 0, 0, 0, 118, 118, 118])
    let shown = try answer(green, Self.table).pixels
    #expect(shown.largestDifference(from: grey) <= 2)
  }

  @Test(
    arguments: [
      (.srgb, [236, 189, 131, 121, 151, 144]), (.p3, [229, 191, 139, 127, 150, 144]),
    ] as [(ColourTarget, [UInt8])])
  func `each ink has the effect that its profile gives it`(
    target: ColourTarget, expected: [UInt8]
  ) throws {
    // Magenta is red, cyan is its opposite, yellow is yellow, and black is dark.
    let profile = Self.profile(of: "CMYK", 4) { inks in
      [255 - 255 * inks[3], 128 + 60 * (inks[1] - inks[0]), 128 + 60 * inks[2]]
    }
    // L* a* b* 80 12 36 and 60 -12 0. Computed by the formulas of CIELAB, a Bradford adaptation from
    // D50 to D65, and the target's primaries and curve.
    let inks = try Pixels(2, 1, 4, .uint8, .cmyk, bytes: [51, 102, 153, 51, 102, 51, 0, 102])
    let shown = try answer(inks, profile, in: target).pixels
    #expect(shown.largestDifference(from: try Pixels(2, 1, 3, bytes: expected)) <= 1)
  }

  @Test(
    arguments: [
      (0xE2, "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0", true),
      (
        0xE1, "http://ns.adobe.com/xap/1.0/\0<x xmlns:h='http://ns.adobe.com/hdr-gain-map/1.0/'/>",
        true
      ),
      (0xE1, "http://ns.adobe.com/xap/1.0/\0<x xmlns:h='http://ns.adobe.com/hdr-gain'/>", false),
      (0xE1, "http://example.org/hdr-gain-map/", false), (0xE2, "MPF\0", false), (0xE2, "", false),
    ] as [(UInt8, String, Bool)])
  func `the base picture of a gain map is converted, and the source says so`(
    code: UInt8, text: String, isFound: Bool
  ) throws {
    let plain = try JPEGBytes.small()
    let announced = plain.patched {
      $0.insert(contentsOf: JPEGBytes.segment(code, Array(text.utf8)), at: 2)
    }
    let (base, found) = try (
      Picture(folder.write(plain.bytes, as: "a.jpg")),
      Picture(folder.write(announced.bytes, as: "b.jpg"))
    )
    #expect(found.jpegStructure?.hasGainMap == isFound)
    let whole = RegionRequest(PixelRegion(whole: base.size))
    let pipeline = ResidentPipeline().converting(to: .p3)
    let source = try pipeline.open(found)
    #expect(try source.read(whole).pixels == pipeline.open(base).read(whole).pixels)
    #expect(source.explanation.contains(", without the gain map") == isFound)
  }

  /// Returns a profile in which the first of some characters are others, as many.
  private static func replacing(_ some: String, in profile: [UInt8], by other: String) -> [UInt8] {
    var made = profile
    let place = profile.indices.first { profile[$0...].starts(with: some.utf8) } ?? 0
    made.replaceSubrange(place..<place + some.utf8.count, with: other.utf8)
    return made
  }

  @Test(arguments: [
    Array(ColourProfile.swapped.prefix(60)), [1, 2, 3],
    Array(ColourProfile.swapped.dropLast()), Array(table.dropLast(100)),
    replacing("scnr", in: table, by: "link"),
    replacing("scnr", in: table, by: "abst"),
    replacing("scnr", in: ColourProfile.swapped, by: "nmcl"),
    replacing("A2B0", in: table, by: "B2A0"),
    replacing("gTRC", in: ColourProfile.swapped, by: "kTRC"),
    // The table's place is past the end.
    replacing("A2B0\u{0}", in: table, by: "A2B0\u{1}"),
  ])
  func `a profile that is cut off, or does not convert from its colours, is refused`(
    profile: [UInt8]
  ) throws {
    let error = #expect(throws: PipelineError.self) {
      try answer(try Pixels.noise(4, 3), profile)
    }
    #expect(error?.isRefusal == true)
    #expect(error?.reason.contains("profile is broken, or not one for its") == true)
  }

  @Test(
    arguments: [
      (1, .grey, ColourProfile.swapped, "are grey, but its colour profile is for RGB"),
      (2, .grey, ColourProfile.swapped, "are grey, but its colour profile is for RGB"),
      (3, .srgb, ColourProfile.grey, "are RGB, but its colour profile is for grey"),
      (4, .cmyk, ColourProfile.swapped, "are CMYK, but its colour profile is for RGB"),
    ] as [(Int, ColourInterpretation, [UInt8], String)])
  func `a profile for other colours than the picture's is refused with the names of both`(
    bands: Int, interpretation: ColourInterpretation, profile: [UInt8], reason: String
  ) throws {
    let bytes = [UInt8](repeating: 99, count: bands)
    let pixels = try Pixels(1, 1, bands, .uint8, interpretation, bytes: bytes)
    let error = #expect(throws: PipelineError.self) { try answer(pixels, profile) }
    #expect(error?.isRefusal == true && error?.reason.contains(reason) == true)
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
