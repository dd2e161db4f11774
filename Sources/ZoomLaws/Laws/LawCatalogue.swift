public import SystemPackage
public import ZoomGeometry
public import ZoomPipeline

/// Every law that comes along, with what it can be held against.
public enum LawCatalogue {
  /// The laws of a zoom system, and those of gestures as it plays them.
  ///
  /// - Parameters:
  ///   - system: which.
  ///   - form: as it should be, or as it was published.
  /// - Returns: a suite for each subject.
  public static func suites(of system: ZoomSystem, _ form: ZoomForm) -> [LawSuite] {
    let replay = ReplaySubject.self
    let gestures = LawSuite(
      form == .original ? replay.original(system) : replay.corrected(system),
      laws: GestureLaws.all(of: system), faults: GestureFaults.all(of: system))
    return (form == .original ? originals(of: system) : [corrected(system)]) + [gestures]
  }

  /// The arithmetic that the systems share.
  public static let arithmetic = LawSuite(
    ArithmeticSubject.geometry, laws: NumberLaws.arithmetic, faults: ArithmeticFaults.all)

  private static func corrected(_ system: ZoomSystem) -> LawSuite {
    switch system {
    case .peek:
      LawSuite(
        PeekSubject.corrected, laws: PeekLaws.all + NumberLaws.peek, faults: PeekFaults.all)
    case .fullscreen:
      LawSuite(
        FullscreenSubject.corrected, laws: FullscreenLaws.all, faults: FullscreenFaults.all)
    case .force:
      LawSuite(ForceSubject.corrected, laws: ForceLaws.all, faults: ForceFaults.all)
    case .doubleTap:
      LawSuite(
        DoubleTapSubject.corrected, laws: DoubleTapLaws.all + NumberLaws.doubleTap,
        faults: DoubleTapFaults.all)
    case .transition:
      LawSuite(
        TransitionSubject.corrected, laws: TransitionLaws.all, faults: TransitionFaults.all)
    }
  }

  /// The published double taps, and what each breaks beside what the last version does (DT-B1,
  /// DT-B2).
  private static let doubleTaps: [(DoubleTapSubject, Set<String>)] = [
    (.original, []),
    (.firstVersion, ["DT-P5", "DT-P7", "DT-P8r", "DT-P9"]),
    (.withoutTerm, ["DT-P5", "DT-P8r"]),
    (.fourTimes, ["DT-P5", "DT-P8r"]),
  ]

  private static func originals(of system: ZoomSystem) -> [LawSuite] {
    switch system {
    case .peek: [LawSuite(PeekSubject.original, laws: PeekLaws.all)]
    case .fullscreen: [LawSuite(FullscreenSubject.original, laws: FullscreenLaws.all)]
    case .force: [LawSuite(ForceSubject.original, laws: ForceLaws.all)]
    case .doubleTap:
      doubleTaps.map { subject, moreBroken in
        LawSuite(
          subject,
          laws: DoubleTapLaws.all.map { moreBroken.contains($0.name) ? $0.markedBroken : $0 })
      }
    case .transition: [LawSuite(TransitionSubject.original, laws: TransitionLaws.all)]
    }
  }

  /// The laws of pixels of one picture.
  ///
  /// - Parameters:
  ///   - pipeline: what is tested.
  ///   - picture: the picture's file; it stays as it is.
  /// - Returns: a suite.
  /// - Throws: `PipelineError` when the pipeline cannot open the picture.
  public static func suite(
    of pipeline: any Pipeline, picture: FilePath
  ) throws(PipelineError) -> LawSuite {
    LawSuite(try PixelSubject(pipeline, picture: picture), laws: PixelLaws.all)
  }

  /// The laws of pixels of pictures that are generated, and the faults of region sources.
  ///
  /// - Parameter pipeline: what is tested.
  /// - Returns: a suite.
  /// - Throws: `PipelineError` when the pipeline opens no kind of picture that can be generated.
  public static func suite(of pipeline: any Pipeline) throws(PipelineError) -> LawSuite {
    let subject = try PixelSubject(pipeline)
    return LawSuite(
      subject, laws: PixelLaws.all + PictureLaws.applicable(to: subject), faults: PixelFaults.all)
  }
}
