internal import Synchronization
internal import SystemPackage

extension SidecarIdentity {
  /// Reads a settled picture for `make` and, in parallel, a second time for its digest.
  /// - Throws: `PipelineError`: that of `make`, or `changed` when the file is written to meanwhile.
  static func take<Made: Sendable>(
    of path: FilePath, limits: PictureLimits,
    _ make: @Sendable (Picture) throws(PipelineError) -> Made
  ) throws(PipelineError) -> (identity: SidecarIdentity, picture: Picture, made: Made) {
    func changed(_ reason: String, _ advice: String) -> PipelineError {
      PipelineError(.changed, operation: "index", file: path, reason: reason, advice: advice)
    }
    let settled = try FileVersion.settled(of: path)
    let picture = try Picture(path, limits: limits)
    guard picture.version == settled else {
      throw changed("the file is being written", "index it when it is complete")
    }
    let isWanted = Atomic<Bool>(true)
    let parts = try concurrently(2) {
      number throws(PipelineError) -> (made: Made?, digest: [UInt8]) in
      if number == 1 {
        return (nil, try SHA256.digest(of: picture.file) { isWanted.load(ordering: .relaxed) })
      }
      do throws(PipelineError) {
        return (try make(picture), [])
      } catch {
        isWanted.store(false, ordering: .relaxed)
        throw error
      }
    }
    guard let made = parts[0].made else { preconditionFailure("each number makes its own") }
    guard try FileVersion(of: path) == picture.version else {
      throw changed("the file changed meanwhile", "index it again")
    }
    return (
      SidecarIdentity(version: picture.version, contentDigest: parts[1].digest), picture, made
    )
  }
}
