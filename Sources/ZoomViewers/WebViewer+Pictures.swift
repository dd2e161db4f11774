package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

extension WebViewer {
  /// Makes the pictures of laws: cards, and pictures without the card's code.
  package static let generated:
    @Sendable (PixelSize, ViewerCase.Content?) throws(PipelineError) -> ViewerPicture = {
      size, content throws(PipelineError) in
      switch content {
      case .card: try ViewerPicture(card: size)
      case .alpha: try ViewerPicture(alpha: size)
      case .photograph(let seed): try ViewerPicture(photograph: seed, size)
      case nil: try ViewerPicture(card: size, seed: 1)
      }
    }

  /// The sizes of pictures in laws: odd sides, both formats, and powers of two.
  package static let sizes: [PixelSize] = [
    TileService.size(1501, 1003), TileService.size(701, 1097), TileService.size(512, 1024),
  ]

  /// The device pixel ratios in laws; the first is the simplest.
  package static let ratios: [Double] = [1, 1.25, 1.5, 2, 3]
}

extension TileScheme {
  /// The words for schemes on the command line, the simplest schemes first.
  ///
  /// Sides differ from 256 where a scheme states them, so that a viewer has to read them.
  package static let words: [(word: String, schemes: [TileScheme])] = [
    ("plain", [.plain]),
    ("dzi", [.deepZoom(side: 128, overlap: 1), .deepZoom(side: 250, overlap: 0)]),
    ("iiif2", [.iiif(level: 2, side: 256)]), ("iiif1", [.iiif(level: 1, side: 128)]),
    ("iiif0", [.iiif(level: 0, side: 128)]), ("zoomify", [.zoomify(side: 256)]),
    ("xyz", [.xyz(side: 256)]),
  ]
}
