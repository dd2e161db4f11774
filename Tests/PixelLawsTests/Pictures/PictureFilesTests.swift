import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct PictureFilesTests {
  private static func picture(_ seed: UInt64) -> TestPicture {
    TestPicture(size: size(8, 8), bands: 1, content: .noise(seed))
  }

  private static func isThere(_ path: FilePath) -> Bool { (try? FileVersion(of: path)) != nil }

  @Test func `one recipe is made once, and again after files were removed`() throws {
    let files = PictureFiles()
    let (one, again) = (try files.file(of: Self.picture(1)), try files.file(of: Self.picture(1)))
    #expect(one === again)
    #expect(try files.file(of: Self.picture(2)).path != one.path)
    files.removeFiles()
    #expect(!Self.isThere(one.path))
    #expect(Self.isThere(try files.file(of: Self.picture(1)).path))
  }

  @Test func `a file stays while it is held and goes when nothing holds it`() throws {
    // One picture costs a little more than 4 KB, so the cache holds one.
    let files = PictureFiles(mostBytes: 5000)
    var held: PictureFiles.KeptFile? = try files.file(of: Self.picture(1))
    let path = try #require(held?.path)
    let second = try files.file(of: Self.picture(2)).path
    #expect(Self.isThere(path))
    held = nil
    #expect(held == nil && !Self.isThere(path))
    #expect(Self.isThere(second))
  }

  @Test func `the folder goes with the last reference`() throws {
    var files: PictureFiles? = PictureFiles()
    let path = try #require(try files?.file(of: Self.picture(1)).path)
    let folder = path.removingLastComponent()
    #expect(Self.isThere(path))
    files = nil
    #expect(files == nil && !Self.isThere(path))
    #expect(throws: (any Error).self) { try FileDescriptor.open(folder, .readOnly).close() }
  }
}
