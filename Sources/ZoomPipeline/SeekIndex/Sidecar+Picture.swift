internal import SystemPackage
internal import ZoomGeometry

extension Sidecar.Frame {
  /// Takes what a JPEG's headers say.
  init(_ jpeg: JPEGStructure) {
    self.init(
      width: jpeg.size.width, height: jpeg.size.height, restartInterval: jpeg.restartInterval,
      factors: jpeg.components.map { UInt8($0.horizontal << 4 | $0.vertical) })
  }
}

extension Sidecar {
  /// Makes the sidecar of a picture; reads its whole file once, for the digest.
  /// - Parameters:
  ///   - path: the picture.
  ///   - jpeg: the structure of the picture's own file.
  ///   - index: complete; leads into the payload, or into the picture's file without one.
  ///   - payload: a sequential JPEG of the same coefficients, for a picture that is none.
  ///   - version: settled, taken before anything was read of which the index was made.
  /// - Throws: `PipelineError`: `changed` when the file is not the one that was seen, `unsupported`
  ///   when the sidecar would be larger than what is read back.
  init(
    of path: FilePath, _ jpeg: JPEGStructure, _ index: SeekIndex, payload: [UInt8]? = nil,
    seen version: FileVersion
  ) throws(PipelineError) {
    let file = try FileReader(path)
    let identity = try SidecarIdentity(
      of: file, seen: version, headerLength: jpeg.codedStart)
    guard index.mcuCount == jpeg.mcuCount,
      let sidecar = Sidecar(
        identity: identity, frame: Frame(jpeg), index: index, payload: payload)
    else {
      throw PipelineError(
        .fault, operation: "index", file: path, reason: "the index is of another picture")
    }
    guard sidecar.encodedByteCount <= Self.largest(for: jpeg, pictureLength: identity.length)
    else {
      throw PipelineError(
        .unsupported, operation: "index", file: path,
        reason: "its sequential form is too large to be kept")
    }
    self = sidecar
  }

  /// Builds a picture's index and makes a sidecar of it.
  ///
  /// Of a picture that cannot be entered, a sequential form is made and indexed instead.
  /// - Parameters:
  ///   - path: a JPEG file.
  ///   - memoryLimit: the bytes that making a sequential form may take.
  /// - Returns: its sidecar, which `SidecarStore.save` writes.
  /// - Throws: `PipelineError`: `unsupported` when no index can be made of it, `overBudget` past the
  ///   limit.
  static func build(
    of path: FilePath, memoryLimit: Int = SequentialForm.standardMemoryLimit
  ) throws(PipelineError) -> Sidecar {
    let version = try FileVersion.settled(of: path)
    let file = try FileReader(path)
    let jpeg = try JPEGParser.parse(file)
    guard SequentialForm.isNeeded(for: jpeg) else {
      return try Sidecar(of: path, jpeg, try SeekIndex.build(of: file, jpeg), seen: version)
    }
    let form: SequentialForm
    do {
      form = try SequentialForm(of: file, jpeg, memoryLimit: memoryLimit)
    } catch {
      // What another file put in its place decodes to is no reason to doubt the coefficients.
      try file.assertUntouched()
      throw error
    }
    return try Sidecar(of: path, jpeg, form.index, payload: form.bytes, seen: version)
  }

  /// The most bytes that a picture's sidecar can need; larger files are not read.
  ///
  /// A point at every MCU, the densest there can be, is a sixteenth of the decoded pixels. A payload
  /// is longer than its picture: by some per cent, and by far more where most blocks are empty, as
  /// their end-of-block codes (2 bytes a block at most with Annex K's tables, DC included) were
  /// coded many at a time. No bound follows from the format for arithmetic coding; 16 times is
  /// beyond what any picture was seen to need, and the headers and tables have 64 KB.
  static func largest(for jpeg: JPEGStructure, pictureLength: Int) -> Int {
    let points = jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
    let fixed = headerByteCount + points + SidecarKey.tagByteCount
    guard SequentialForm.isNeeded(for: jpeg) else { return fixed }
    let blocks =
      jpeg.components.count == 1
      ? 1 : jpeg.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    // 2^44 bytes are beyond any picture; the bound keeps the product from overflowing.
    return fixed + 16 * min(pictureLength, 1 << 44) + 2 * blocks * jpeg.mcuCount + 1 << 16
  }
}
