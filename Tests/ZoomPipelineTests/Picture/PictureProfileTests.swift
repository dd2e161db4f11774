import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline
@testable import ZoomCorpus

struct PictureProfileTests {
  @Test func `an embedded profile comes out byte for byte`() async throws {
    let picture = try Picture(try await CorpusPictures.file("jpeg-profile"))
    #expect(picture.profileLength == ColourProfile.wideGamut.count)
    #expect(try picture.iccProfile() == ColourProfile.wideGamut)
  }

  @Test func `a picture without a profile has none`() async throws {
    let picture = try Picture(try await CorpusPictures.file("jpeg-444"))
    #expect(picture.profileLength == 0)
    #expect(try picture.iccProfile() == nil)
  }

  @Test func `a peek carries the profile into its file, with the pixels as they are`()
    async throws
  {
    let path = try await CorpusPictures.file("jpeg-profile")
    let region = try PixelRegion(x: 20, y: 30, width: 60, height: 50)
    let pipeline = AutomaticPipeline(indexed: IndexedPipeline())
    let pixels = try pipeline.open(path).read(RegionRequest(region)).pixels
    let profile = try #require(try Picture(path).iccProfile())
    let plain = try Image(pixels)
    let folder = try TestFolder()
    let target = folder.path.appending("peek.png")
    try plain.carrying(profile: profile).writeForScreen(to: target)
    #expect(try Picture(target).iccProfile() == profile)
    #expect(try Reference(target).pixels.difference(from: pixels) == nil)
    // The image that the profile was attached to is shared and must not have changed.
    try plain.writeForScreen(to: target)
    #expect(try Picture(target).iccProfile() == nil)
  }
}
