import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomCorpus

struct CorpusManifestTests {
  private let builtIn: CorpusManifest

  init() throws { builtIn = try CorpusManifest.builtIn() }

  @Test func `a file is named after its picture and format, and a picture has a purpose`() {
    let suffixes: [PictureRecipe.Encoding.Format: String] = [
      .jpeg: "jpg", .progressiveJPEG: "jpg", .png: "png", .webp: "webp", .tiff: "tif",
    ]
    for picture in builtIn.pictures {
      #expect(picture.file == "\(picture.name).\(suffixes[picture.recipe.encoding.format] ?? "?")")
      #expect(!picture.purpose.isEmpty)
    }
  }

  @Test func `every picture that is not on demand has a checksum, of 64 digits`() throws {
    let digests = try builtIn.pictures(named: []).map { $0.pixels?.hexadecimal ?? "" }
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

  @Test func `a manifest is read as it was written, and the committed file is written so`() throws {
    let json = try builtIn.json()
    #expect(try CorpusManifest(json: json) == builtIn)
    #expect(json.last == 0x0A)
    let committed = String(decoding: PackageResources.manifest_json, as: UTF8.self)
    let written = String(decoding: json, as: UTF8.self)
    #expect(committed.filter { !$0.isWhitespace } == written.filter { !$0.isWhitespace })
  }

  @Test func `another version is refused`() throws {
    for version in [0, 2, -1, .max] {
      let other = try CorpusManifest(version: version, pictures: builtIn.pictures).json()
      #expect(throws: CorpusError.self) { try CorpusManifest(json: other) }
    }
  }

  @Test func `a name or a file that occurs twice is refused`() throws {
    var first = builtIn.pictures[0]
    first.file = "other.jpg"
    var second = builtIn.pictures[0]
    second.name = "other"
    for twin in [first, second] {
      let json = try CorpusManifest(version: 1, pictures: [builtIn.pictures[0], twin]).json()
      let error = #expect(throws: CorpusError.self) { try CorpusManifest(json: json) }
      #expect(error?.description.contains(twin.name) == true)
    }
  }

  @Test(arguments: ["../a.jpg", "/etc/a.jpg", "a/b.jpg", ".a.jpg", "..", ".", ""])
  func `a file that would leave the folder or hide is refused`(_ file: String) throws {
    var picture = builtIn.pictures[0]
    picture.file = file
    let json = try CorpusManifest(version: 1, pictures: [picture]).json()
    #expect(throws: CorpusError.self) { try CorpusManifest(json: json) }
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
