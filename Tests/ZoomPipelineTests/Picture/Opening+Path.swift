import SystemPackage

@testable import ZoomPipeline

extension Image {
  /// Opens a file's pixels with libvips, for tests that need no other part of the picture.
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
  /// Creates limits with trusted loaders and a memory budget.
  init(bytes: Int) { self.init(memory: MemoryBudget(limit: bytes)) }
}

extension SidecarStore {
  func load(for picture: FilePath) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    let file = try FileReader(picture)
    return try load(for: file, try IndexedHeaders(file))
  }
}
