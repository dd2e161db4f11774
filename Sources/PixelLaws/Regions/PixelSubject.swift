public import SystemPackage
internal import ZoomGeometry
public import ZoomLaws
public import ZoomPipeline

/// A pipeline and an opened picture that the laws of pixels are tried on.
public struct PixelSubject: LawSubject {
  /// The cost of one case, in evaluations of the peek formula (see `LawSubject.caseCost`).
  ///
  /// It was measured on small pictures and is correct within a factor of three.
  /// Pipelines that decode the whole picture take longer in proportion to its pixels.
  /// Setting up a conversion of colours takes libvips some 6 ms.
  public var caseCost: Int { (converts ? 150 : 50) + reference.size.area / 20_000 }

  /// The names of pipeline and picture, such as `restart forest.jpg`.
  public let name: String
  /// The pipeline, which also opens generated pictures.
  package private(set) var pipeline: any Pipeline
  /// Whether answers are converted to other colours; then most generated pictures have a profile.
  var converts: Bool { pipeline.colour != nil }
  /// The picture's header and full decode.
  let reference: ReferencePicture
  /// The picture, opened by the pipeline.
  package private(set) var source: any RegionSource
  /// The cache of generated pictures.
  var files: PictureFiles { .shared }
  /// The kinds of file that the pipeline opens.
  let containers: Set<PictureContainer.Kind>
  /// The comparator of pixels, which is tested when it is set.
  package var comparator: PixelComparator {
    didSet { distrust = Self.finding(on: comparator) }
  }
  /// The defect that the self-test found in the comparator.
  private var distrust: ComparatorBroken?
  /// The time limit for a refusal, which needs no work: it is generous even on a busy machine.
  package var patience = Duration.seconds(20)

  /// Opens a picture file, which may come from anywhere and is not changed.
  ///
  /// - Parameters:
  ///   - pipeline: the pipeline under test.
  ///   - path: the picture.
  ///   - comparator: compares pixels; it is tested first.
  /// - Throws: `PipelineError` if the pipeline cannot open the picture; `isRefusal` says whether it
  ///   may open others.
  public init(
    _ pipeline: any Pipeline, picture path: FilePath, comparator: PixelComparator = .standard
  ) throws(PipelineError) {
    try self.init(
      pipeline,
      ReferencePicture(
        path, limits: (pipeline as? any LimitedPipeline)?.limits ?? .standard,
        colour: pipeline.colour),
      comparator: comparator, containers: Self.containers(of: pipeline))
  }

  /// Opens a small generated picture of a kind that the pipeline supports.
  ///
  /// - Throws: `PipelineError` if the pipeline opens no kind of picture that can be generated.
  public init(_ pipeline: any Pipeline) throws(PipelineError) {
    let containers = try Self.containers(of: pipeline)
    guard let kind = PictureContainer.Kind.allCases.first(where: containers.contains) else {
      throw PipelineError(
        .unsupported, operation: "verify", file: nil,
        reason: "\(pipeline.name) opens no PNG, TIFF or JPEG",
        advice: "name a picture file that it opens")
    }
    let file = try PictureFiles.shared.file(of: Self.standingPicture(kind))
    try self.init(
      pipeline, ReferencePicture(file.path, colour: pipeline.colour), comparator: .standard,
      containers: containers, keeping: file)
  }

  /// Returns a picture with different odd sides, larger than several MCUs, without equal pixels.
  private static func standingPicture(_ kind: PictureContainer.Kind) -> TestPicture {
    TestPicture(
      size: PixelRegion.checked(0, 0, 83, 61).size, content: .noise(5), container: kind.sample)
  }

  private let kept: PictureFiles.KeptFile?

  private init(
    _ pipeline: any Pipeline, _ reference: ReferencePicture, comparator: PixelComparator,
    containers: Set<PictureContainer.Kind>, keeping kept: PictureFiles.KeptFile? = nil
  ) throws(PipelineError) {
    self.pipeline = pipeline
    self.reference = reference
    self.containers = containers
    self.kept = kept
    name =
      "\(pipeline.name) \(kept == nil ? reference.path.lastComponent?.string ?? "" : "generated")"
    source = try pipeline.open(reference.path)
    self.comparator = comparator
    distrust = Self.finding(on: comparator)
  }

  /// Returns the subject with another pipeline under the same name.
  ///
  /// If that pipeline cannot open the picture, each request throws its error.
  package func with(_ other: any Pipeline) -> PixelSubject {
    var copy = self
    copy.pipeline = other
    do { copy.source = try other.open(reference.path) } catch {
      copy.source = UnopenedSource(error, size: reference.size)
    }
    return copy
  }

  private static func finding(on comparator: PixelComparator) -> ComparatorBroken? {
    do {
      try ComparatorSelfTest(comparator).run()
      return nil
    } catch { return error }
  }

  /// Throws if the comparator cannot be trusted.
  func trustComparator() throws(ComparatorBroken) { if let distrust { throw distrust } }

  private static func containers(
    of pipeline: any Pipeline
  ) throws(PipelineError) -> Set<PictureContainer.Kind> {
    var opened: Set<PictureContainer.Kind> = []
    for kind in PictureContainer.Kind.allCases {
      let file = try PictureFiles.shared.file(of: standingPicture(kind))
      do {
        _ = try pipeline.open(file.path)
        opened.insert(kind)
      } catch {
        if error.code == .outOfTime { throw error }
        // Any other failure is for the laws to report and no reason to leave the kind out.
        if !error.isRefusal { opened.insert(kind) }
        // The kinds so far suffice to report it, and a program that hangs would use up the budget.
        if error.code == .misbehaved { break }
      }
    }
    return opened
  }
}

/// Replaces a picture that could not be opened; every request throws the error.
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
