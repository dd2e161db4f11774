internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import ZoomGeometry

extension SidecarDraft {
  /// Makes the sidecar of a picture whose index and digest are known.
  /// - Parameters:
  ///   - file: the picture, opened before anything was read of which the rest was made.
  ///   - jpeg: the structure of the picture's own file.
  ///   - contentDigest: SHA-256 of all of it.
  ///   - index: complete; leads into the payload, or into the picture's file without one.
  ///   - payload: a sequential JPEG of the same coefficients, for a picture that is none.
  /// - Throws: `PipelineError`: `changed` when the file is not as it was when it was opened,
  ///   `unsupported` when the sidecar would be larger than what is read back.
  init(
    of file: FileReader, _ jpeg: JPEGStructure, contentDigest: [UInt8], _ index: SeekIndex,
    payload: [UInt8]? = nil
  ) throws(PipelineError) {
    func failure(_ code: PipelineError.Code, _ reason: String) -> PipelineError {
      PipelineError(
        code, operation: "index", file: file.path, reason: reason,
        advice: code == .changed ? "index it again" : nil)
    }
    guard try FileVersion(of: file.path) == file.version else {
      throw failure(.changed, "the file changed meanwhile")
    }
    guard index.mcuCount == jpeg.mcuCount,
      let draft = SidecarDraft(
        version: file.version, contentDigest: contentDigest, frame: SidecarHeader.Frame(jpeg),
        index: index, payload: payload),
      payload != nil || draft.header.codedStart == jpeg.codedStart
    else { throw failure(.fault, "the index is of another picture") }
    guard draft.header.fileByteCount <= Self.largest(for: jpeg, pictureLength: file.length) else {
      throw failure(.unsupported, "its sequential form is too large to be kept")
    }
    self = draft
  }

  /// Builds a picture's index and makes a sidecar of it.
  ///
  /// Of a picture that cannot be entered, a sequential form is made and indexed instead. The file is
  /// hashed on another core meanwhile.
  /// - Parameters:
  ///   - path: a JPEG file.
  ///   - memoryLimit: the bytes that making a sequential form may take.
  /// - Throws: `PipelineError`: `unsupported` when no index can be made of it, `overBudget` past the
  ///   limit, `changed` when it is written to meanwhile.
  init(
    of path: FilePath, memoryLimit: Int = SequentialForm.standardMemoryLimit
  ) throws(PipelineError) {
    let settled = try FileVersion.settled(of: path)
    let file = try FileReader(path)
    guard file.version == settled else {
      throw PipelineError(
        .changed, operation: "index", file: path, reason: "the file is being written",
        advice: "index it when it is complete")
    }
    let jpeg = try JPEGParser.parse(file)
    let isWanted = Atomic<Bool>(true)
    let digest = Mutex<Result<[UInt8], PipelineError>?>(nil)
    let built = Mutex<Result<(SeekIndex, [UInt8]?), PipelineError>?>(nil)
    // The caller's own thread takes part, so that this ends though no other thread is to be had.
    DispatchQueue.concurrentPerform(iterations: 2) { part in
      if part == 0 {
        let result = Self.parts(of: file, jpeg, memoryLimit)
        if case .failure = result { isWanted.store(false, ordering: .relaxed) }
        built.withLock { $0 = result }
      } else {
        let result = Result { () throws(PipelineError) in
          try SHA256.digest(of: file) { isWanted.load(ordering: .relaxed) }
        }
        digest.withLock { $0 = result }
      }
    }
    guard let (index, payload) = try built.withLock({ $0 })?.get(),
      let digest = try digest.withLock({ $0 })?.get()
    else { preconditionFailure("both parts have ended") }
    try self.init(of: file, jpeg, contentDigest: digest, index, payload: payload)
  }

  private static func parts(
    of file: FileReader, _ jpeg: JPEGStructure, _ memoryLimit: Int
  ) -> Result<(SeekIndex, [UInt8]?), PipelineError> {
    Result { () throws(PipelineError) in
      guard SequentialForm.isNeeded(for: jpeg) else {
        return (try SeekIndex.build(of: file, jpeg), nil)
      }
      do throws(PipelineError) {
        let form = try SequentialForm(of: file, jpeg, memoryLimit: memoryLimit)
        return (form.index, form.bytes)
      } catch {
        // What another file put in its place decodes to is no reason to doubt the coefficients.
        try file.assertUntouched()
        throw error
      }
    }
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
    let table =
      ((jpeg.mcuCount - 1) / SeekIndex.pointsPerBlock + 1) * SidecarHeader.entryByteCount
    let fixed = SidecarHeader.byteCount + table + SidecarKey.tagByteCount + points
    guard SequentialForm.isNeeded(for: jpeg) else { return fixed }
    let blocks =
      jpeg.components.count == 1
      ? 1 : jpeg.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    // 2^44 bytes are beyond any picture; the bound keeps the product from overflowing.
    return fixed + 16 * min(pictureLength, 1 << 44) + 2 * blocks * jpeg.mcuCount + 1 << 16
  }
}

extension SidecarHeader.Frame {
  /// Takes what a JPEG's headers say.
  init(_ jpeg: JPEGStructure) {
    self.init(
      width: jpeg.size.width, height: jpeg.size.height, restartInterval: jpeg.restartInterval,
      factors: jpeg.components.map { UInt8($0.horizontal << 4 | $0.vertical) })
  }
}
