internal import SystemPackage

extension SeekIndex {
  /// Makes the whole index of a JPEG file in one pass.
  /// - Parameter path: the file.
  /// - Returns: its headers, and the index.
  /// - Throws: `PipelineError`: `unsupported` when it cannot be entered, `damaged` when it is cut off.
  static func build(of path: FilePath) throws(PipelineError) -> (JPEGStructure, SeekIndex) {
    let file = try FileReader(path)
    let jpeg = try JPEGParser.parse(file)
    return (jpeg, try build(of: file, jpeg))
  }

  /// Makes the whole index of a JPEG whose headers are known.
  /// - Parameters:
  ///   - file: its bytes.
  ///   - jpeg: its headers.
  /// - Returns: the index.
  /// - Throws: `PipelineError`, as `build` of a path does.
  static func build(
    of file: any CodedSource, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> SeekIndex {
    if let index = build(of: file, jpeg, inParts: parts(ofFileOf: file.length)) { return index }
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: jpeg.mcuCount)
    return pass.index
  }
}
