public import SystemPackage
internal import ZoomGeometry
public import ZoomLaws
public import ZoomPipeline

/// A pipeline with an opened picture: what the laws of pixels are held against.
public struct PixelSubject: LawSubject {
  /// Measured on small pictures, in evaluations of the peek, to a factor of two or three; what
  /// decodes the whole picture takes as many times longer as there are pixels.
  public var caseCost: Int { 50 + reference.size.area / 20_000 }

  /// The pipeline's name and the picture's: `restart forest.jpg`.
  public let name: String
  /// The pipeline, which opens generated pictures too.
  package let pipeline: any Pipeline
  /// The picture's header and full decode.
  package let reference: ReferencePicture
  /// The picture, opened by the pipeline.
  package let source: any RegionSource
  /// Makes generated pictures.
  package let files: PictureFiles
  /// The kinds of file that the pipeline opens.
  package let containers: Set<PictureRange.FileKind>
  /// What pixels are compared with.
  package private(set) var comparator: PixelComparator
  /// What is wrong with the comparator.
  private var distrust: ComparatorBroken?
  /// How long a refusal may take: many times what a loaded machine needs for no work at all.
  package private(set) var patience = Duration.seconds(20)

  /// A pipeline and a picture file, which may be anybody's.
  ///
  /// - Parameters:
  ///   - pipeline: what is tested.
  ///   - path: the picture; it stays as it is.
  ///   - comparator: what pixels are compared with; it is tested itself.
  /// - Throws: `PipelineError` when the pipeline cannot open the picture; `isRefusal` tells whether
  ///   another may.
  public init(
    _ pipeline: any Pipeline, picture path: FilePath, comparator: PixelComparator = .standard
  ) throws(PipelineError) {
    try self.init(
      pipeline,
      ReferencePicture(path, limits: (pipeline as? any LimitedPipeline)?.limits ?? .standard),
      files: .shared, comparator: comparator,
      containers: Self.containers(of: pipeline, files: .shared))
  }

  /// A pipeline and a small generated picture of a kind that it opens.
  ///
  /// - Parameter pipeline: what is tested.
  /// - Throws: `PipelineError` when the pipeline opens no kind of picture that can be generated.
  public init(_ pipeline: any Pipeline) throws(PipelineError) {
    let files = PictureFiles.shared
    let containers = try Self.containers(of: pipeline, files: files)
    guard let kind = PictureRange.FileKind.allCases.first(where: containers.contains) else {
      throw PipelineError(
        .unsupported, operation: "verify", file: nil,
        reason: "\(pipeline.name) opens no PNG, TIFF or JPEG",
        advice: "name a picture file that it opens")
    }
    let file = try files.file(of: kind.sample(of: Self.standingPicture))
    try self.init(
      pipeline, ReferencePicture(file.path), files: files, comparator: .standard,
      containers: containers, keeping: file)
  }

  /// Odd sides that differ, larger than several MCUs and tiles of 16 px; every pixel tells its place.
  private static let standingPicture = TestPicture(
    size: PixelRegion.checked(0, 0, 83, 61).size, content: .noise(5))

  private let kept: PictureFiles.KeptFile?

  private init(
    _ pipeline: any Pipeline, _ reference: ReferencePicture, files: PictureFiles,
    comparator: PixelComparator, containers: Set<PictureRange.FileKind>,
    keeping kept: PictureFiles.KeptFile? = nil
  ) throws(PipelineError) {
    self.pipeline = pipeline
    self.reference = reference
    self.files = files
    self.containers = containers
    self.kept = kept
    name =
      "\(pipeline.name) \(kept == nil ? reference.path.lastComponent?.string ?? "" : "generated")"
    _ = try pipeline.prepare(reference.path)
    source = try pipeline.open(reference.path)
    self.comparator = comparator
    distrust = Self.finding(on: comparator)
  }

  /// The same subject with another pipeline in place of its own, under the same name.
  ///
  /// A pipeline that cannot even open the picture is kept from doing so until the first request.
  package func with(_ other: any Pipeline) -> PixelSubject { PixelSubject(self, other) }

  private init(_ sound: PixelSubject, _ pipeline: any Pipeline) {
    name = sound.name
    self.pipeline = pipeline
    reference = sound.reference
    files = sound.files
    containers = sound.containers
    comparator = sound.comparator
    distrust = sound.distrust
    patience = sound.patience
    kept = sound.kept
    do { source = try pipeline.open(sound.reference.path) } catch {
      source = UnopenedSource(error, size: sound.reference.size)
    }
  }

  /// The same subject with another comparator.
  package func with(_ comparator: PixelComparator) -> PixelSubject {
    var copy = self
    copy.comparator = comparator
    copy.distrust = Self.finding(on: comparator)
    return copy
  }

  /// The same subject with less time to refuse.
  package func with(patience: Duration) -> PixelSubject {
    var copy = self
    copy.patience = patience
    return copy
  }

  private static func finding(on comparator: PixelComparator) -> ComparatorBroken? {
    do {
      try ComparatorSelfTest(comparator).run()
      return nil
    } catch { return error }
  }

  /// Throws where the comparator cannot be trusted.
  package func trustComparator() throws(ComparatorBroken) { if let distrust { throw distrust } }

  private static func containers(
    of pipeline: any Pipeline, files: PictureFiles
  ) throws(PipelineError) -> Set<PictureRange.FileKind> {
    var opened: Set<PictureRange.FileKind> = []
    for kind in PictureRange.FileKind.allCases {
      let file = try files.file(of: kind.sample(of: standingPicture))
      do {
        _ = try pipeline.prepare(file.path)
        _ = try pipeline.open(file.path)
        opened.insert(kind)
      } catch {
        if error.code == .outOfTime { throw error }
        // Any other failure is a finding of the laws, not a reason to leave the kind out.
        if !error.isRefusal { opened.insert(kind) }
        // The laws find the fault with the kinds so far. A program that hangs would use up the budget of `verify` here.
        if error.code == .misbehaved { break }
      }
    }
    return opened
  }
}

/// Stands for a picture that could not be opened, and says so to every request.
private final class UnopenedSource: RegionSource {
  let error: PipelineError
  let size: PixelSize
  let state = SourceState.nothing
  let openingWork = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
  var explanation: String { "\(error)" }

  init(_ error: PipelineError, size: PixelSize) {
    self.error = error
    self.size = size
  }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer { throw error }
  func forget() {}
}
