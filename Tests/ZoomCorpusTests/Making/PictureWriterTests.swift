import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import ZoomCorpus

struct PictureWriterTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func picture(_ change: (inout PictureRecipe) -> Void = { _ in }) throws -> CorpusPicture {
    var picture = try #require(try CorpusManifest.builtIn().pictures(named: ["tiny-17x3"]).first)
    change(&picture.recipe)
    return picture
  }

  private func write(_ picture: CorpusPicture, workers: Int = 1) async throws -> [UInt8] {
    let path = folder.path.appending("made")
    try await PictureWriter(picture: picture).write(to: path, workers: workers) { _ in }
    return try bytes(of: path)
  }

  @Test func `the bytes do not depend on the number of workers`() async throws {
    let picture = try picture {
      $0.width = 60
      $0.height = 400
    }
    let one = try await write(picture)
    for workers in [2, 3, 8] { #expect(isSame(try await write(picture, workers: workers), one)) }
  }

  @Test func `any other setting of a JPEG recipe changes the file`() async throws {
    let plain = try picture {
      $0.width = 70
      $0.height = 50
    }
    let before = try await write(plain)
    let changes: [(String, @Sendable (inout PictureRecipe) -> Void)] = [
      ("seed", { $0.seed += 1 }), ("scene", { $0.scene = "petronas" }),
      ("quality", { $0.encoding.quality = 30 }), ("colour", { $0.encoding.colour = "rgbAdobe" }),
      ("sampling", { $0.encoding.sampling = ["2x1", "1x1", "1x1"] }),
      ("restartRows", { $0.encoding.restartRows = 2 }),
      ("restartMCUs", { $0.encoding.restartMCUs = 3 }),
      ("orientation", { $0.encoding.orientation = 8 }), ("xmp", { $0.encoding.xmp = true }),
      ("profile", { $0.encoding.profile = true }), ("optimised", { $0.encoding.optimised = true }),
      ("separateScans", { $0.encoding.separateScans = true }),
      ("trailingBytes", { $0.encoding.trailingBytes = 5 }),
    ]
    for (what, change) in changes {
      var changed = plain
      change(&changed.recipe)
      #expect(!isSame(try await write(changed), before), "\(what)")
    }
  }

  @Test func `a recipe that names what does not exist is refused and nothing is written`()
    async throws
  {
    let changes: [@Sendable (inout PictureRecipe) -> Void] = [
      { $0.scene = "ocean" }, { $0.encoding.colour = "cmy" }, { $0.width = 0 },
      { $0.encoding.sampling = ["2x2"] }, { $0.encoding.sampling = ["2", "1x1", "1x1"] },
      { $0.encoding.sampling = ["9x9", "1x1", "1x1"] }, { $0.encoding.restartRows = 0 },
      { $0.encoding.quality = 0 }, { $0.encoding.orientation = 9 },
      {
        $0.encoding = PictureRecipe.Encoding(format: .png)
        $0.form = "rgb32"
      },
    ]
    for change in changes {
      let wrong = try picture(change)
      await #expect(throws: CorpusError.self) { try await write(wrong) }
      #expect(try folder.names().isEmpty)
    }
  }
}
