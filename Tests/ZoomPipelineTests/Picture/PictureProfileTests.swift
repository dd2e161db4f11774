import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline
@testable import ZoomCorpus

struct PictureProfileTests {
  @Test(
    arguments: [("jpeg-profile", ColourProfile.wideGamut), ("jpeg-444", nil)]
      as [(String, [UInt8]?)])
  func `an embedded profile comes out byte for byte`(
    _ name: String, _ profile: [UInt8]?
  ) async throws {
    let picture = try Picture(try await CorpusPictures.file(name))
    #expect(picture.profileLength == profile?.count ?? 0)
    #expect(try picture.iccProfile() == profile)
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
