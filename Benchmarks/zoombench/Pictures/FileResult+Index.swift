internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

extension FileResult {
  /// Builds, checks or removes a picture's index.
  ///
  /// An unusable key or folder ends the run, because the next picture would fail in the same way.
  ///
  /// - Throws: `PipelineError` when the store cannot be written to.
  init(
    _ action: FileAction, _ picture: FilePath, _ store: SidecarStore, limits: PictureLimits
  ) throws {
    var limits = limits
    limits.expectsIndexBeside = store.place == .beside
    do {
      switch action {
      case .build, .inspect: self = try Self.built(picture, store, limits)
      case .check:
        self.init(
          try store.facts(
            for: FileReader.open(picture, limits), checksPoints: true, within: limits.memory),
          at: try store.location(for: picture))
      case .remove:
        let file = Row.File(where: RemoteAddress.text(of: try store.location(for: picture)))
        self.init(try store.remove(for: picture) ? .removed : .absent, file)
        verdict.standing = .passed
      }
    } catch let error as PipelineError where error.code == .unwritable {
      guard let path = try? store.location(for: picture), error.file == path else { throw error }
      self.init(.refused, Row.File(isUnwritable: true))
      (verdict.standing, verdict.reason) = (.failed, "\(error)")
    } catch let error as PipelineError where error.file == picture {
      let remedy =
        error.code == .overBudget ? " (raise --memory, or use --jobs 1)" : ""
      self.init(unreadable: error.reason + remedy)
    }
  }

  /// Builds an index, unless a usable one exists.
  private static func built(
    _ picture: FilePath, _ store: SidecarStore, _ limits: PictureLimits
  ) throws -> Self {
    let start = Timestamps.monotonic()
    // A failure to read the picture also occurs below, with a better message.
    if case .success(let facts)? = try? store.facts(
      for: FileReader.open(picture, limits), within: limits.memory)
    {
      return Self(facts, seconds: nil)
    }
    let facts = try store.build(for: picture, limits: limits)
    return Self(facts, seconds: Double(Timestamps.monotonic() - start) / 1e9)
  }

  private init(_ facts: SidecarFacts, seconds: Double?) {
    self.init(
      .indexed,
      Row.File(
        bytes: facts.byteCount, mcus: facts.mcuCount, points: facts.pointCount,
        bytesPerMegapixel: Double(facts.byteCount) * 1e6 / Double(facts.pixelCount),
        seconds: seconds, where: RemoteAddress.text(of: facts.path)))
  }

  /// Creates the result of a checked index, with the reason if it would not be used.
  private init(_ found: Result<SidecarFacts, SidecarRefusal>, at location: FilePath) {
    let file = Row.File(where: RemoteAddress.text(of: location))
    switch found {
    case .success: self.init(.current, file)
    case .failure(.absent): self.init(.absent, file)
    case .failure(let refusal):
      let isStale = if case .stale = refusal { true } else { false }
      self.init(isStale ? .stale : .refused, file)
      (verdict.standing, verdict.reason) = (.failed, refusal.description)
    }
  }
}
