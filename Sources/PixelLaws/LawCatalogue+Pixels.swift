public import SystemPackage
public import ZoomLaws
public import ZoomPipeline

extension LawCatalogue {
  /// The laws of regions of one picture, which stays as it is.
  ///
  /// - Throws: `PipelineError` when the pipeline cannot open the picture.
  public static func suite(
    of pipeline: any Pipeline, picture: FilePath
  ) throws(PipelineError) -> LawSuite {
    LawSuite(try PixelSubject(pipeline, picture: picture), laws: RegionLaws.all)
  }

  /// The same, and how to give the memory back that the picture takes; the laws may go on afterwards.
  package static func releasableSuite(
    of pipeline: any Pipeline, picture: FilePath
  ) throws(PipelineError) -> (suite: LawSuite, release: @Sendable () -> Void) {
    let subject = try PixelSubject(pipeline, picture: picture)
    return (
      LawSuite(subject, laws: RegionLaws.all),
      {
        subject.reference.forget()
        subject.source.forget()
      }
    )
  }

  /// The laws of pixels, tried on pictures that are generated.
  ///
  /// - Throws: `PipelineError` when the pipeline opens no kind of picture that can be generated.
  public static func suite(of pipeline: any Pipeline) throws(PipelineError) -> LawSuite {
    let subject = try PixelSubject(pipeline)
    return LawSuite(subject, laws: subject.laws)
  }
}

extension PixelSubject {
  /// The laws that can be held against the subject.
  package var laws: [Law<PixelSubject>] { RegionLaws.all + PictureLaws.applicable(to: self) }
}
