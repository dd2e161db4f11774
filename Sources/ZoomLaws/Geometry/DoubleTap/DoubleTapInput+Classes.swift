internal import PropertyTesting
import ZoomGeometry

extension DoubleTapInput {
  /// The larger of the point's distances from the picture along x and along y; negative inside.
  var distance: Double {
    max(-place.x, place.x - scene.image.width, -place.y, place.y - scene.image.height)
  }

  var isBarelyBeside: Bool {
    distance > 0 && distance <= max(scene.image.width, scene.image.height).ulp
  }

  var sides: [Double] {
    [scene.image.width, scene.image.height, scene.bounds.width, scene.bounds.height]
  }

  func classify(in testCase: inout TestCase) {
    let (fit, close) = (scene.fitScale, scene.closeZoom)
    let axes = axes(ScrollPosition(zoom: close, origin: place, offset: place))
    func classify(_ name: String, atLeast share: Double, _ holds: (TapAxis) -> Bool) {
      testCase.classify(axes.contains(where: holds), as: name, atLeast: share)
    }
    testCase.classify(fit < 1, as: "shrunk to fit", atLeast: 0.1)
    testCase.classify(fit == 1, as: "smaller than the screen", atLeast: 0.05)
    classify("shorter than the screen before, longer after", atLeast: 0.01) {
      fit * $0.image < $0.bounds && $0.isLonger
    }
    classify("shorter before and after", atLeast: 0.1) { !$0.isLonger }
    classify("the tapped place can reach the middle", atLeast: 0.02) {
      close * $0.place > $0.bounds / 2 && close * ($0.image - $0.place) > $0.bounds / 2
    }
    classify("tap near the left or top border", atLeast: 0.02) {
      $0.isLonger && close * $0.place < $0.bounds / 2
    }
    classify("tap near the right or bottom border", atLeast: 0.02) {
      $0.isLonger && close * ($0.image - $0.place) < $0.bounds / 2
    }
  }
}
