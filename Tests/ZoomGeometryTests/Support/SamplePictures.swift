import ZoomGeometry

/// The three pictures of the published demonstration, by size.
enum SamplePicture: String, CaseIterable {
  case forest, pharmacy, petronas

  func size() throws -> PixelSize {
    switch self {
    case .forest: try PixelSize(width: 1600, height: 1200)
    case .pharmacy: try PixelSize(width: 4535, height: 1823)
    case .petronas: try PixelSize(width: 3264, height: 4896)
    }
  }
}

/// The screen of all published numbers: 375x667 points.
let phone = ViewSize(width: 375, height: 667)

/// Its middle, where every picture has its own.
let middle = ViewPoint(x: 187.5, y: 333.5)

/// A picture on the phone's screen, peeked at as published: 375 points, one pixel a point.
func onPhone(_ width: Int, _ height: Int) throws -> PeekSetup {
  try PeekSetup(picture: PixelSize(width: width, height: height), viewport: phone)
}

/// The screen point that shows a place of the picture.
func viewPoint(_ setup: PeekSetup, _ x: Double, _ y: Double) -> ViewPoint {
  ViewPoint(
    x: setup.shownFrame.x + x * setup.fitScale, y: setup.shownFrame.y + y * setup.fitScale)
}
