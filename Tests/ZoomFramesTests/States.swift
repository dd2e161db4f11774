import Testing
import ZoomGeometry
import ZoomPipeline

func screen(_ width: Double, _ height: Double, scale: Double = 1) throws -> Screen {
  try Screen(size: ViewSize(width: width, height: height), scale: scale)
}

/// Returns a layer that shows a rectangle of a picture through a map, one point per picture pixel.
func layer(
  _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ map: Affine = .identity
) -> PictureLayer {
  PictureLayer(
    content: PictureRect(x: x, y: y, width: width, height: height),
    size: ViewSize(width: width, height: height), transform: map)
}

func expectError<Result>(
  _ code: PipelineError.Code, _ comment: Comment? = nil, in body: () throws -> Result
) {
  let error = #expect(throws: PipelineError.self, comment, performing: body)
  #expect(error?.code == code, comment)
}
