import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomCorpus

struct CorpusManifestTests {
  private let builtIn: CorpusManifest

  init() throws { builtIn = try CorpusManifest.builtIn() }

  @Test func `a file is named after its picture and format, and a picture has a purpose`() {
    #expect(!builtIn.pictures.isEmpty)
    let suffixes: [PictureRecipe.Encoding.Format: String] = [
      .jpeg: "jpg", .progressiveJPEG: "jpg", .png: "png", .webp: "webp", .tiff: "tif",
    ]
    for picture in builtIn.pictures {
      #expect(picture.file == "\(picture.name).\(suffixes[picture.recipe.encoding.format] ?? "?")")
      #expect(!picture.purpose.isEmpty)
    }
  }

  @Test func `every picture that is not on demand has a checksum, of 64 digits`() throws {
    let digests = try builtIn.pictures(named: []).map { $0.pixels?.rawValue ?? "" }
    #expect(!digests.isEmpty)
    #expect(digests.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func `the structure's size is the recipe's`() {
    for picture in builtIn.pictures {
      let (recipe, canvas) = (picture.recipe, picture.recipe.canvas)
      #expect(picture.structure.width == canvas?.width ?? recipe.width, "\(picture.name)")
      #expect(picture.structure.height == canvas?.height ?? recipe.height, "\(picture.name)")
      #expect(picture.structure.orientation == picture.recipe.encoding.orientation ?? 1)
      #expect(SceneRecipe(rawValue: picture.recipe.scene) != nil, "\(picture.name)")
    }
  }

  @Test
  func `writing and reading a manifest changes nothing, and the committed file is so written`()
    throws
  {
    let json = try builtIn.json()
    #expect(try CorpusManifest(json: json) == builtIn)
    #expect(json.last == 0x0A)
    let committed = String(decoding: PackageResources.manifest_json, as: UTF8.self)
    let written = String(decoding: json, as: UTF8.self)
    #expect(committed.filter { !$0.isWhitespace } == written.filter { !$0.isWhitespace })
  }

  @Test func `another version, a repeated name or file, and a file elsewhere are refused`() throws {
    let first = builtIn.pictures[0]
    var refused = [0, 2, -1, .max].map { CorpusManifest(version: $0, pictures: [first]) }
    for (name, file) in [
      (first.name, "other.jpg"), ("other", first.file), ("other", "../a.jpg"),
      ("other", "/etc/a.jpg"), ("other", "a/b.jpg"), ("other", ".a.jpg"), ("other", ".."),
      ("other", "."), ("other", ""),
    ] {
      var picture = first
      (picture.name, picture.file) = (name, file)
      refused.append(CorpusManifest(version: 1, pictures: [first, picture]))
    }
    for manifest in refused {
      let json = try manifest.json()
      #expect(throws: CorpusError.self) { try CorpusManifest(json: json) }
    }
  }

  @Test func `anything but a manifest is refused`() throws {
    let whole = try builtIn.json()
    for json in [[], Array("{}".utf8), Array("[]".utf8), Array(whole.prefix(whole.count / 2))] {
      #expect(throws: CorpusError.self) { try CorpusManifest(json: json) }
    }
  }

  @Test func `pictures are found by name in the order asked for`() throws {
    #expect(try builtIn.pictures(named: ["png", "forest"]).map(\.name) == ["png", "forest"])
    #expect(try builtIn.pictures(named: ["gigapixel"]).map(\.name) == ["gigapixel"])
    #expect(try !builtIn.pictures(named: []).contains(where: \.isOnDemand))
    let error = #expect(throws: CorpusError.self) { try builtIn.pictures(named: ["forrest"]) }
    #expect(error?.description.contains("forrest") == true)
  }
}
