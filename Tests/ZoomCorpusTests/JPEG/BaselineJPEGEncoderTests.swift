import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGEncoderTests {
  private let size = SceneSize(width: 45, height: 61)

  private func encoder(
    _ options: BaselineJPEG.Options = BaselineJPEG.Options(),
    _ sink: @escaping ([UInt8]) throws -> Void = { _ in }
  ) throws -> BaselineJPEGEncoder {
    try BaselineJPEGEncoder(size: size, options: options, sink: sink)
  }

  @Test(arguments: [1, 7, 16, 40, 61])
  func `pushed rows give the file of the whole, however they are cut`(step: Int) throws {
    let scene = try SyntheticScene(.panorama, size: size)
    var options = BaselineJPEG.Options()
    options.restart = .mcus(2)
    options.definesHeightLate = true
    options.trailer.count = 3
    var bytes: [UInt8] = []
    let encoder = try encoder(options) { bytes += $0 }
    for y in stride(from: 0, to: size.height, by: step) {
      try encoder.append(scene.pixels(rows: y..<min(size.height, y + step)))
      try encoder.append([])
    }
    try encoder.finish()
    #expect(try bytes == BaselineJPEG.Plan(scene, options: options).encoded())
  }

  @Test func `parts of rows, too many and too few rows are refused`() throws {
    let row = 45 * 3
    let encoder = try encoder()
    #expect(throws: BaselineJPEG.Failure.wrongRowBytes(row - 1)) {
      try encoder.append([UInt8](repeating: 0, count: row - 1))
    }
    try encoder.append([UInt8](repeating: 0, count: row * 60))
    #expect(throws: BaselineJPEG.Failure.wrongRowBytes(row * 12)) { try encoder.finish() }
    #expect(throws: BaselineJPEG.Failure.wrongRowBytes(row * 2)) {
      try encoder.append([UInt8](repeating: 0, count: row * 2))
    }
    try encoder.append([UInt8](repeating: 0, count: row))
    try encoder.finish()
  }

  @Test func `what needs the picture twice is refused`() {
    var optimised = BaselineJPEG.Options()
    optimised.huffman = .optimised
    var split = BaselineJPEG.Options()
    split.isOneScanPerComponent = true
    for options in [optimised, split] {
      #expect(throws: BaselineJPEG.Failure.needsWholePicture) { try encoder(options) }
    }
  }
}
