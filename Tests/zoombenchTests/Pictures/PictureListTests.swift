import ArgumentParser
import SystemPackage
import Testing

@testable import zoombench

@Suite struct PictureListTests {
  @Test func `a list that changes after it was read names the same pictures`() throws {
    let folder = try TestFolder()
    try folder.write("a.jpg\nhttps://one.example/a.jpg\n".utf8, to: "list")
    let options = try PictureListOptions.parse(["--list", folder.file("list").string])
    let list = try options.paths([], try RemoteOptions.parse([])) { _ in [] }
    // An address of another server would get the headers that are meant for the first.
    try folder.write("b.jpg\nhttps://other.example/b.jpg\n".utf8, to: "list")
    var found: [FilePath] = []
    try list.forEach { found.append($0) }
    #expect(found == ["a.jpg", "https://one.example/a.jpg"])
    #expect(!GivenAddresses.book.servers.contains("https://other.example:443"))
  }
}
