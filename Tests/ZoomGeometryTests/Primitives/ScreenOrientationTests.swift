import Testing
import ZoomGeometry

struct ScreenOrientationTests {
  @Test func `the numbers are UIKit's`() {
    #expect(DeviceOrientation.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    #expect(DeviceOrientation.landscapeLeft.rawValue == 3)
    #expect(InterfaceOrientation.landscapeRight.rawValue == 3)
    #expect(InterfaceOrientation.landscapeLeft.rawValue == 4)
  }

  @Test func `by their numbers device and interface agree, by their names they do not`() {
    for interface in InterfaceOrientation.allCases {
      #expect(DeviceOrientation(upright: interface).rawValue == interface.rawValue)
    }
    #expect(DeviceOrientation(upright: .landscapeLeft) == .landscapeRight)
  }

  @Test func `held to the left content turns clockwise, and flat says nothing`() {
    let turns = DeviceOrientation.allCases.map(\.contentTurn)
    #expect(turns == [nil, QuarterTurn.none, .half, .clockwise, .counterclockwise, nil, nil])
  }
}
