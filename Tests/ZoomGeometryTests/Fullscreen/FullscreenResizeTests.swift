import Testing

@testable import ZoomGeometry

/// Taps on the view in full screen while the screen changes.
struct FullscreenResizeTests {
  @Test(arguments: [ViewSize(667, 375), ViewSize(375, 640)])
  func `a finger that is down while the screen changes does not tap`(size: ViewSize) throws {
    for form in ZoomForm.allCases {
      var zoom = try live(.fullscreen, form)
      for event in tap(0, 187, 333) { try zoom.handle(event) }
      try zoom.advance(to: 2)
      try zoom.handle(finger(2, .began, 187, 333))
      try zoom.handle(resize(2.05, size.width, size.height))
      try zoom.handle(finger(2.1, .ended, 187, 333))
      #expect(zoom.events == [.singleTap, .present] && zoom.recogniser == .failed)
      for event in tap(3, 187, 333) { try zoom.handle(event) }
      #expect(zoom.events.last == .dismiss)
    }
  }

  @Test func `the same screen again breaks no tap`() throws {
    var zoom = try live(.fullscreen)
    try zoom.handle(finger(0, .began, 187, 333))
    try zoom.handle(resize(0.01, phone.width, phone.height))
    try zoom.handle(finger(0.05, .ended, 187, 333))
    #expect(zoom.events == [.singleTap, .present])
  }
}
