import Measurement
import SystemPackage
import Testing

@testable import zoombench

@Suite struct PictureNameTests {
  /// Returns different relative paths of few folders and names, so that endings often agree.
  private static func paths(seed: UInt64) -> [FilePath] {
    var random = SeededRandom(seed: seed)
    let paths = (0..<20).map { _ -> String in
      let depth = random.index(below: 4)
      let parts = (0...depth).map { _ in ["a", "b", "a b"][random.index(below: 3)] }
      return parts.joined(separator: "/")
    }
    return Set(paths).sorted().map { FilePath($0) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `names differ, and each is the shortest ending that no other path has`(seed: UInt64) {
    let paths = Self.paths(seed: seed)
    let names = PictureName.names(of: paths)
    #expect(Set(names).count == paths.count)
    for (path, name) in zip(paths, names) {
      #expect("/\(path)".hasSuffix("/\(name)"))
      guard let slash = name.firstIndex(of: "/") else { continue }
      let shorter = name[name.index(after: slash)...]
      #expect(paths.count { "/\($0)".hasSuffix("/\(shorter)") } > 1)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `names are the same in every clone`(seed: UInt64) {
    let clones = ["/clones/one", "/builds/42/two"].map { root in
      PictureName.names(of: Self.paths(seed: seed).map { FilePath("\(root)/\($0)") })
    }
    // Only a path that is an ending of another path needs a folder from outside.
    let isWithin = Self.paths(seed: seed).map { path in
      Self.paths(seed: seed).count { "/\($0)".hasSuffix("/\(path)") } == 1
    }
    #expect(isWithin.contains(true))
    for (index, names) in zip(clones[0], clones[1]).enumerated() where isWithin[index] {
      #expect(names.0 == names.1)
    }
  }

  @Test func `a single picture is called by its file`() {
    #expect(PictureName.names(of: ["/somewhere/photos/forest.jpg"]) == ["forest.jpg"])
    #expect(PictureName.names(of: ["x/a.jpg", "y/a.jpg"]) == ["x/a.jpg", "y/a.jpg"])
    #expect(PictureName.names(of: ["a.jpg", "x/a.jpg"]) == ["a.jpg", "x/a.jpg"])
    #expect(PictureName.names(of: ["a.jpg", "/a.jpg"]) == ["a.jpg", "a.jpg #2"])
  }

  @Test func `equal names get numbers`() {
    #expect(["a", "a", "a #2"].numbered == ["a", "a #2", "a #2 #2"])
  }
}
