import Testing

@testable import ZoomGeometry

struct AspectFitTests {
  static let frames: [(SamplePicture, ViewRect)] = [
    (.forest, ViewRect(x: 0, y: 192.875, width: 375, height: 281.25)),
    (.petronas, ViewRect(x: 0, y: 52.25, width: 375, height: 562.5)),
    (.pharmacy, ViewRect(x: 0, y: 258.128, width: 375, height: 150.744)),
  ]

  @Test(arguments: frames)
  func `the sample pictures stand where they should`(
    picture: SamplePicture, frame: ViewRect
  ) throws {
    #expect(near(try fit(picture.size(), phone).frame, frame, within: 5e-4))
  }

  func fit(_ picture: PixelSize, _ viewport: ViewSize) -> AspectFit {
    AspectFit(picture: picture, viewport: viewport)
  }

  @Test(
    arguments: [1, 2, 15, 375, 667, 4535, 100_000, PixelSize.maximumSide], [1, 3, 1823, 99_999])
  func `the frame is inside, centred, touches two sides and has the picture's aspect`(
    width: Int, height: Int
  ) throws {
    let picture = try PixelSize(width: width, height: height)
    for viewport in [phone, ViewSize(width: 667, height: 375), ViewSize(width: 0.1, height: 0.3)] {
      let fit = fit(picture, viewport)
      let frame = fit.frame
      #expect(frame.x >= 0 && frame.y >= 0)
      #expect(frame.width <= viewport.width && frame.height <= viewport.height)
      #expect(frame.width == viewport.width || frame.height == viewport.height)
      #expect(near(frame.x, viewport.width - frame.maxX, within: 1e-12 * viewport.width))
      #expect(near(frame.y, viewport.height - frame.maxY, within: 1e-12 * viewport.height))
      #expect(near(frame.width / (Double(width) * fit.scale), 1, within: 1e-12))
      #expect(near(frame.height / (Double(height) * fit.scale), 1, within: 1e-12))
    }
  }

  @Test func `transposing everything transposes the frame`() throws {
    let size = try PixelSize(width: 4535, height: 1823)
    let one = fit(size, phone).frame
    let other = fit(size.transposed, ViewSize(width: 667, height: 375)).frame
    #expect(one == ViewRect(x: other.y, y: other.x, width: other.height, height: other.width))
  }

  @Test func `the frame is never larger than the viewport, however the product rounds`() throws {
    // Viewports of the picture's own shape: both sides fit it but for a rounding.
    let isLarger = try [0.1, 0.3, 0.7, 1.1, 1.7, 2.3].contains { scale in
      try (1...60).contains { width in
        try (1...60).contains { height in
          let viewport = ViewSize(width: Double(width) * scale, height: Double(height) * scale)
          let frame = AspectFit(
            picture: try PixelSize(width: width, height: height), viewport: viewport
          ).frame
          return frame.width > viewport.width || frame.height > viewport.height
            || frame.x < 0 || frame.y < 0
        }
      }
    }
    #expect(!isLarger)
  }
}
