package import SystemPackage
public import ZoomLaws
public import ZoomPipeline

extension LawCatalogue {
  /// Returns the laws of regions for one picture, which is not changed, and a function that frees
  /// the picture's pixels; the suite stays usable.
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

  /// Returns the laws of pixels, tried on generated pictures.
  ///
  /// - Throws: `PipelineError` if the pipeline opens no kind of picture that can be generated.
  public static func suite(of pipeline: any Pipeline) throws(PipelineError) -> LawSuite {
    let subject = try PixelSubject(pipeline)
    return LawSuite(subject, laws: subject.laws)
  }
}

extension PixelSubject {
  /// The laws that apply to the subject.
  package var laws: [Law<PixelSubject>] { RegionLaws.all + PictureLaws.applicable(to: self) }
}
