internal import SystemPackage

extension SeekIndex {
  /// Makes the whole index of a JPEG file in one pass.
  /// - Parameter path: the file.
  /// - Returns: its headers, and the index.
  /// - Throws: `PipelineError`: `unsupported` when it cannot be entered, `damaged` when it is cut off.
  static func build(of path: FilePath) throws(PipelineError) -> (JPEGStructure, SeekIndex) {
    let file = try FileReader(path)
    let jpeg = try JPEGParser.parse(file)
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: jpeg.mcuCount)
    return (jpeg, pass.index)
  }
}
