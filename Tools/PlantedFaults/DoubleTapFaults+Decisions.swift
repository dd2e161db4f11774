import ZoomGeometry
import ZoomLaws

extension DoubleTapFaults {
  static let decisions: [Fault] = [
    decision(
      "exact comparison", "Only the fit to the last bit counts as the fit.",
      origin: "fanyinan/ZoomImageScrollViewDemo DT-B3"
    ) { sound, input, position in
      let fitted = try sound.fitted(input.scene)
      return position.zoom == fitted.zoom ? try sound.toggled(input, position) : fitted
    },
    decision("always enlarges", "A second double tap enlarges again.") { sound, input, _ in
      try sound.toggled(input, try sound.fitted(input.scene))
    },
    decision("never enlarges", "A double tap shows the whole picture.") { sound, input, _ in
      let fitted = try sound.fitted(input.scene)
      return try sound.toggled(input, fitted) == nil ? nil : fitted
    },
    decision("returns unclamped", "The way back keeps the offset of the enlarged picture.") {
      sound, input, position in
      guard var back = try sound.toggled(input, position) else { return nil }
      if back.zoom <= input.scene.fitScale { back.offset = position.offset }
      return back
    },
    input("letterbox counts", "A double tap beside the picture zooms at its nearest place.") {
      input in
      let image = input.scene.image
      guard input.place.x.isFinite, input.place.y.isFinite, image.width > 0, image.height > 0
      else { return }
      input.place = ViewPoint(
        x: input.place.x.clamped(to: 0...image.width),
        y: input.place.y.clamped(to: 0...image.height))
    },
    decision("border excluded", "A double tap on the right border does nothing.") {
      sound, input, position in
      input.place.x == input.scene.image.width ? nil : try sound.toggled(input, position)
    },
    enlarged("no largest zoom", "The zoom may exceed the largest one.") { position, input in
      position.centre(at: input.scene.fitScale * input.scene.factor, in: input.scene)
      position.aim(at: input.place, in: input.scene)
    },
    input("factor ignored", "The picture is always enlarged twice.") {
      if $0.scene.factor >= 1 { $0.scene.factor = 2 }
    },
    enlarged("zoom to the largest", "A double tap goes to the largest zoom.") { position, input in
      position.centre(at: input.scene.maximumZoom, in: input.scene)
      position.aim(at: input.place, in: input.scene)
    },
    fit("fit of the width", "The picture is fitted by its width alone.") { position, scene in
      position.centre(at: min(1, scene.bounds.width / scene.image.width), in: scene)
    },
    fit("fit enlarges", "A picture smaller than the screen is enlarged to fill it.") {
      position, scene in
      let (bounds, image) = (scene.bounds, scene.image)
      position.centre(at: min(bounds.width / image.width, bounds.height / image.height), in: scene)
    },
    input("picture swapped", "The picture's width and height are swapped.") {
      $0.scene.image = $0.scene.image.transposed
    },
    input("bounds swapped", "The scroll view's width and height are those of a turn before.") {
      $0.scene.bounds = $0.scene.bounds.transposed
    },
    Fault("NaN passes", "What should be refused is answered with NaN.") { faulty, sound in
      let bad = ScrollPosition(
        zoom: .nan, origin: ViewPoint(x: .nan, y: .nan), offset: ViewPoint(x: .nan, y: .nan))
      faulty.fitted = { (try? sound.fitted($0)) ?? bad }
      faulty.toggled = { input, position in
        do { return try sound.toggled(input, position) } catch { return bad }
      }
    },
    input("empty bounds are one", "A scroll view of no size is taken for one of a point.") {
      input in
      if input.scene.bounds.width == 0 { input.scene.bounds.width = 1 }
      if input.scene.bounds.height == 0 { input.scene.bounds.height = 1 }
    },
  ]
}
