@testable import ZoomCorpus

/// A small picture with gradients and edges in a form.
func picture(_ width: Int, _ height: Int, _ form: PixelForm) throws -> SyntheticScene {
  try SyntheticScene(
    .petronas, size: SceneSize(width: width, height: height), seed: 3, form: form)
}

/// A picture of one value everywhere.
func flat(_ width: Int, _ height: Int, _ form: PixelForm, _ value: UInt8) -> RasterScene? {
  let bytes = [UInt8](repeating: value, count: width * height * form.bytesPerPixel)
  return RasterScene(size: SceneSize(width: width, height: height), form: form, bytes: bytes)
}

/// Noise, the hardest picture to code.
func noise(_ width: Int, _ height: Int, _ form: PixelForm) -> RasterScene? {
  let bytes = (0..<width * height * form.bytesPerPixel).map { index in
    LatticeHash.value(5, index, 0) & 1 == 0 ? UInt8(0) : 255
  }
  return RasterScene(size: SceneSize(width: width, height: height), form: form, bytes: bytes)
}
