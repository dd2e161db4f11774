import SystemPackage

@testable import ZoomPipeline

extension Image {
  /// A file's pixels as libvips gives them, for those that need no more of the picture.
  static func open(_ path: FilePath, access: Access) throws(PipelineError) -> Image {
    try open(try Picture(path), access: access)
  }
}

extension AutomaticPipeline {
  func choose(_ path: FilePath) throws(PipelineError) -> Choice {
    try choose(try Picture(path, limits: limits))
  }
}

extension PictureLimits {
  /// Trusted loaders and so many bytes.
  init(bytes: Int) { self.init(memory: MemoryBudget(limit: bytes)) }
}
