import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGBandSamplerTests {
  private func sampler(
    _ width: Int, _ height: Int, _ colour: BaselineJPEG.Colour,
    _ sampling: [BaselineJPEG.Sampling], _ pixels: [UInt8]
  ) -> BaselineJPEG.BandSampler {
    let size = SceneSize(width: width, height: height)
    let layout = BaselineJPEG.Layout(size: size, colour: colour, sampling: sampling)
    let sampler = BaselineJPEG.BandSampler(layout: layout, colour: colour)
    pixels.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { sampler.load(base, rowCount: height) }
    }
    return sampler
  }

  @Test func `the last column and row are repeated to the edge of the MCU`() {
    let pixels: [UInt8] = [1, 2, 3, 4, 5, 6]
    let it = sampler(3, 2, .gray, [BaselineJPEG.Sampling(1, 1)], pixels)
    for y in 0..<8 {
      let row = (0..<8).map { it.plane(0)[y * it.stride(of: 0) + $0] }
      #expect(row == (y == 0 ? [1, 2, 3, 3, 3, 3, 3, 3] : [4, 5, 6, 6, 6, 6, 6, 6]))
    }
  }

  @Test func `chroma is the rounded mean of the samples that it covers`() {
    // RGB-coded, so that samples can be read off: green and blue at half resolution.
    var pixels: [UInt8] = []
    for index in 0..<16 {
      pixels += [UInt8(index), UInt8(index * 10), UInt8(index / 4 * 3)]
    }
    let it = sampler(4, 4, .rgbAdobe, BaselineJPEG.Sampling.yCbCr420, pixels)
    let green = (0..<2).map { y in (0..<2).map { it.plane(1)[y * it.stride(of: 1) + $0] } }
    // 0, 10, 40, 50 -> 25 and so on.
    #expect(green == [[25, 45], [105, 125]])
    let blue = (0..<2).map { it.plane(2)[$0 * it.stride(of: 2)] }
    // 0, 0, 3, 3 -> 1.5 -> 2; 6, 6, 9, 9 -> 7.5 -> 8.
    #expect(blue == [2, 8])
    #expect((0..<4).map { it.plane(0)[it.stride(of: 0) + $0] } == [4, 5, 6, 7])
  }

  @Test func `factors that do not divide average every sample they touch`() {
    var pixels: [UInt8] = []
    for index in 0..<6 {
      pixels += [UInt8(index * 30), UInt8(index * 30), 0]
    }
    let sampling = [
      BaselineJPEG.Sampling(3, 1), BaselineJPEG.Sampling(2, 1), BaselineJPEG.Sampling(1, 1),
    ]
    let it = sampler(6, 1, .rgbAdobe, sampling, pixels)
    // Samples 0, 1 | 1, 2 | 3, 4 | 4, 5 of 0, 30, 60, ...
    #expect((0..<4).map { it.plane(1)[$0] } == [15, 45, 105, 135])
  }

  @Test func `primary colours have the values of the JFIF specification`() {
    let colours: [[UInt8]] = [
      [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128],
    ]
    let it = sampler(6, 1, .yCbCr, BaselineJPEG.Sampling.yCbCr444, colours.flatMap { $0 })
    let expected: [[UInt8]] = [
      [76, 85, 255], [150, 44, 21], [29, 255, 107], [255, 128, 128], [0, 128, 128],
      [128, 128, 128],
    ]
    for (index, wanted) in expected.enumerated() {
      #expect((0..<3).map { it.plane($0)[index] } == wanted)
    }
  }

  @Test func `ink is stored inverted`() {
    let it = sampler(
      1, 1, .cmyk, BaselineJPEG.Colour.cmyk.usualSampling, [0, 10, 200, 255])
    #expect((0..<4).map { it.plane($0)[0] } == [255, 245, 55, 0])
  }
}
