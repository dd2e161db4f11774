import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Cut-outs by brute force: small JPEGs of every sampling, a great many regions of each.
@Suite struct RestartCutoutTests {
  /// A JPEG made for a test, in a folder that goes with it.
  private struct Made {
    let folder: ScratchFolder
    let path: FilePath
  }

  private func make(
    _ options: BaselineJPEG.Options, width: Int, height: Int, seed: UInt64
  ) throws -> Made {
    let scene = try SyntheticScene(
      .mosaic, size: SceneSize(width: width, height: height), seed: seed, detail: 150,
      form: options.colour.sourceForm)
    let folder = try ScratchFolder()
    let path = folder.path.appending("made.jpg")
    try AtomicFile.write(BaselineJPEG.Plan(scene, options: options).encoded(), to: path)
    return Made(folder: folder, path: path)
  }

  /// Asks for regions with the same seed at every run: ends near MCU borders as likely as not.
  private func regions(
    in size: PixelSize, mcu: (width: Int, height: Int), count: Int, seed: UInt64
  ) throws -> [PixelRegion] {
    var random = SplitMix64(seed: seed)
    func place(_ side: Int, _ step: Int) -> Int {
      let near = Int.random(in: 0...side / step, using: &random) * step
      let place =
        Bool.random(using: &random)
        ? near + Int.random(in: -2...2, using: &random) : Int.random(in: 0..<side, using: &random)
      return min(max(place, 0), side - 1)
    }
    return try (0..<count).map { _ in
      let x = [place(size.width, mcu.width), place(size.width, mcu.width)].sorted()
      let y = [place(size.height, mcu.height), place(size.height, mcu.height)].sorted()
      return try PixelRegion(
        x: x[0], y: y[0], width: x[1] - x[0] + 1, height: y[1] - y[0] + 1)
    }
  }

  static let samplings: [[BaselineJPEG.Sampling]] = [
    BaselineJPEG.Sampling.yCbCr444, BaselineJPEG.Sampling.yCbCr422,
    BaselineJPEG.Sampling.yCbCr440, BaselineJPEG.Sampling.yCbCr420,
    BaselineJPEG.Sampling.yCbCr411, BaselineJPEG.Sampling.yCbCr410,
    [BaselineJPEG.Sampling(1, 1), BaselineJPEG.Sampling(2, 2), BaselineJPEG.Sampling(1, 2)],
  ]

  @Test(arguments: samplings, [1, 3])
  func `every region has the pixels of the whole picture`(
    sampling: [BaselineJPEG.Sampling], rows: Int
  ) throws {
    var options = BaselineJPEG.Options(sampling: sampling, quality: 90)
    options.restart = .rows(rows)
    // 4k+1 and 4k+2 pixels wide: the last chroma columns are as few as can be.
    for (width, height) in [(161, 90), (130, 65)] {
      let made = try make(options, width: width, height: height, seed: UInt64(rows))
      let whole = try Image.open(made.path, access: .random)
      let source = try RestartPipeline().open(made.path)
      let jpeg = try JPEGStructure(of: made.path)
      for region in try regions(in: source.size, mcu: jpeg.mcuSize, count: 120, seed: 7) {
        let answer = try source.read(RegionRequest(region))
        #expect(try answer.pixels == whole.read(region), "\(region) of \(width)x\(height)")
      }
    }
  }

  @Test func `a small region of a wide picture is cut out, not decoded row by row`() throws {
    var options = BaselineJPEG.Options(quality: 80)
    options.restart = .rows(1)
    let made = try make(options, width: 1600, height: 64, seed: 3)
    let source = try RestartPipeline().open(made.path)
    let region = try PixelRegion(x: 808, y: 20, width: 8, height: 8)
    let work = try source.read(RegionRequest(region)).work
    // x 808...815 lies in MCU column 50, its last pixel beside column 51; y in MCU row 1 alone.
    #expect(work.unitsDecoded == 2)
    // Columns 0...51 of one row were stepped through; two of them were decoded.
    #expect(work.unitsWalked == 50)
    #expect(work.pixelsDecoded == 32 * 16)
  }

  @Test func `tables without a needed code fall back to whole rows, with the same pixels`() throws {
    // A flat first column leaves optimised DC tables without large categories; the jump to white
    // needs one when a row is made to begin there.
    let width = 256
    let height = 32
    let bytes = (0..<height).flatMap { _ in
      (0..<width).map { x in UInt8(clamping: 8 * (x / 8)) }
    }
    let scene = try #require(
      RasterScene(size: SceneSize(width: width, height: height), form: .gray8, bytes: bytes))
    var options = BaselineJPEG.Options(colour: .gray, quality: 95)
    options.restart = .rows(1)
    options.huffman = .optimised
    let folder = try ScratchFolder()
    let path = folder.path.appending("flat.jpg")
    try AtomicFile.write(BaselineJPEG.Plan(scene, options: options).encoded(), to: path)
    let source = try RestartPipeline().open(path)
    let whole = try Image.open(path, access: .random)
    // The middle has a DC near zero; small differences everywhere give tables of small categories.
    let region = try PixelRegion(x: 232, y: 9, width: 16, height: 4)
    let answer = try source.read(RegionRequest(region))
    #expect(try answer.pixels == whole.read(region))
    #expect(answer.work.pixelsDecoded == width * 8, "whole rows were expected")
  }

  @Test func `broken coded bytes give what a full decode makes of them, or an error`() throws {
    var options = BaselineJPEG.Options(quality: 80)
    options.restart = .rows(1)
    let made = try make(options, width: 320, height: 96, seed: 5)
    let reader = try FileReader(made.path)
    let intact = try reader.bytes(at: 0, count: reader.length)
    let jpeg = try JPEGStructure(of: made.path)
    var random = SplitMix64(seed: 11)
    let region = try PixelRegion(x: 200, y: 40, width: 30, height: 30)
    var compared = 0
    for _ in 0..<200 {
      var bytes = intact
      let place = Int.random(in: jpeg.codedStart..<bytes.count - 2, using: &random)
      // No byte becomes or was FF, so that markers stay where they are.
      guard bytes[place] != 0xFF, bytes[place - 1] != 0xFF else { continue }
      bytes[place] = UInt8.random(in: 0..<0xFF, using: &random)
      let path = made.folder.path.appending("broken.jpg")
      try AtomicFile.write(bytes, to: path)
      guard let whole = try? Image.open(path, access: .random).read(region),
        let source = try? RestartPipeline().open(path),
        let answer = try? source.read(RegionRequest(region))
      else { continue }
      #expect(answer.pixels.bytes == whole.bytes, "byte \(place)")
      compared += 1
    }
    #expect(compared > 100, "nearly every broken file decodes to something")
  }

  @Test func `fill bytes inside the coded data change no pixel`() throws {
    var options = BaselineJPEG.Options(quality: 95)
    options.restart = .rows(1)
    let made = try make(options, width: 480, height: 160, seed: 9)
    let reader = try FileReader(made.path)
    let intact = try reader.bytes(at: 0, count: reader.length)
    let start = try JPEGStructure(of: made.path).codedStart
    // Every stuffed FF is doubled or tripled, which decoders read as the one it was.
    var filled = Array(intact[..<start])
    var doubled = 0
    for index in start..<intact.count {
      if intact[index] == 0xFF, index + 1 < intact.count, intact[index + 1] == 0 {
        filled += [UInt8](repeating: 0xFF, count: 1 + doubled % 2)
        doubled += 1
      }
      filled.append(intact[index])
    }
    #expect(doubled > 20)
    let path = made.folder.path.appending("filled.jpg")
    try AtomicFile.write(filled, to: path)
    let whole = try Image.open(made.path, access: .random)
    let source = try RestartPipeline().open(path)
    for region in try regions(in: source.size, mcu: (16, 16), count: 60, seed: 8) {
      let answer = try source.read(RegionRequest(region))
      #expect(try answer.pixels == whole.read(region), "\(region)")
    }
  }
}
