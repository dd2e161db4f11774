extension Transition {
  /// The picture in a pose, seen through the mask.
  func layer(
    of picture: PixelSize, at pose: TransitionPose, openedBy share: Double
  ) throws(GeometryError) -> PictureLayer {
    var layer = PictureLayer(whole: picture, in: full)
    layer.transform = pose.transform(of: full.size)
    if share < 1 {
      let mask = try self.mask(openedBy: share)
      layer.mask = mask
      // Corners cannot be rounder than a half circle.
      let roundest = min(mask.width, mask.height) / 2
      layer.cornerRadius = min(try radius(openedBy: share), roundest)
    }
    return layer
  }

  /// The picture as the thumbnail shows it.
  func thumbnailLayer(of picture: PixelSize) throws(GeometryError) -> PictureLayer {
    try layer(of: picture, at: start, openedBy: 0)
  }
}
