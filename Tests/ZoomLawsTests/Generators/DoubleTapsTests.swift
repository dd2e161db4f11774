import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct DoubleTapsTests {
  @Test func `double taps are on the picture, borders included`() {
    let taps = Gen<DoubleTapInput>.doubleTaps().sample(3000)
    #expect(taps.allSatisfy { isInside($0) })
    #expect(taps.count { $0.place.x == $0.scene.image.width } > 50)
    #expect(taps.count { $0.place.y == $0.scene.image.height / 2 } > 50)
    #expect(taps.count { $0.scene.factor == 2 } > 200 && taps.count { $0.scene.factor > 3 } > 200)
  }

  @Test func `double taps beside the picture are beside it on one side or two`() {
    let taps = Gen<DoubleTapInput>.doubleTapsBeside().sample(2000)
    #expect(taps.allSatisfy { !isInside($0) })
    #expect(taps.contains { $0.place.x == $0.scene.image.width.nextUp })
    #expect(taps.contains { $0.place.y < 0 && $0.place.x > $0.scene.image.width })
  }

  @Test func `a subject of one factor is given no other`() {
    let scenes = Gen<DoubleTapScene>.doubleTapScenes(onlyFactor: 4).sample(200)
    #expect(scenes.allSatisfy { $0.factor == 4 && $0.maximumZoom == 3 })
  }

  @Test func `invalid double taps are refused by the corrected form`() {
    for input in Gen<DoubleTapInput>.invalidDoubleTaps.sample(300) {
      #expect(throws: GeometryError.self) {
        let fitted = try DoubleTapSubject.corrected.fitted(input.scene)
        _ = try DoubleTapSubject.corrected.toggled(input, fitted)
      }
    }
  }

  private func isInside(_ input: DoubleTapInput) -> Bool {
    let (image, place) = (input.scene.image, input.place)
    return place.x >= 0 && place.x <= image.width && place.y >= 0 && place.y <= image.height
  }
}
