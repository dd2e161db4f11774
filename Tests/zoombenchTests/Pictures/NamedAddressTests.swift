import ArgumentParser
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

/// Addresses in lists, and in the commands that results print.
@Suite struct NamedAddressTests {
  @Test func `the command that repeats a case names the address without its query`() throws {
    let server = try RangeServer([
      "/photo.jpg": try JPEGBytes(90, 70, JPEGEncoding(quality: 90)).bytes
    ])
    defer { server.stop() }
    let name = try #require(GivenAddresses.book.add("\(server.address)/photo.jpg?x=s3cret"))
    let limits = PictureLimits(
      memory: MemoryBudget(), loaders: .trusted, remote: try RemoteOptions.parse([]).access)
    let suite = try VerifyCatalogue.suite(
      of: StandardPipelines(limits: limits).partial, NamedPicture(FilePath(name)))
    #expect(suite.selection == ["--sources", "partial", "\(server.address)/photo.jpg"])
  }

  @Test func `a list that changes after it was read leads to no other server`() throws {
    let folder = try TestFolder()
    try folder.write("a.jpg\nhttps://one.example/a.jpg\n".utf8, to: "list")
    let options = try PictureListOptions.parse(["--list", folder.file("list").string])
    let list = try options.paths([], try RemoteOptions.parse([])) { _ in [] }
    // An address of another server would get the headers that are meant for the first.
    try folder.write(
      "b.jpg\nhttps://one.example/b.jpg\nhttps://other.example/b.jpg\n".utf8, to: "list")
    var found: [FilePath] = []
    try list.forEach { found.append($0) }
    #expect(found == ["b.jpg", "https://one.example/b.jpg", FilePath(GivenAddresses.invalid)])
    #expect(!GivenAddresses.book.servers.contains("https://other.example:443"))
  }
}
