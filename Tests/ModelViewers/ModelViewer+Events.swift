internal import Foundation
internal import ZoomGeometry
internal import ZoomLaws

extension ModelViewer {
  var picture: PixelSize { each.gesture.picture }
  var isZoomed: Bool { pose.scale > 1.01 * Pose.fit(picture, on: screen).scale }

  mutating func advance(to now: Double) {
    guard let motion else { return }
    pose = motion.pose(at: now)
    if now >= motion.end { self.motion = nil }
  }

  mutating func take(_ event: GestureEvent) {
    switch event.kind {
    case .touches(.began, let touches): for touch in touches { begin(touch) }
    case .touches(.moved, let touches): move(touches)
    case .touches(.ended, let touches), .touches(.cancelled, let touches):
      for touch in touches { end(touch, isCancelled: event.phase == .cancelled) }
    case .cancelAll: for touch in down { end(touch, isCancelled: true) }
    case .wheel(let at, let by):
      wheels += 1
      let isCentred = fault == .wheelsAboutCentre || fault == .wheelsOutAboutCentre && by.y > 0
      let place = isCentred ? screen.bounds.centre : at
      let share = fault == .wheelsUnequally ? 1 + 0.1 * Double(wheels) : 1
      let before = pose
      zoom(by: exp(-0.002 * by.y * share), about: place)
      if fault == .wheelsForgetPlace {
        // A viewer that enlarges about its middle forgets that the picture has moved from there.
        let (x, y) = (Double(picture.width) / 2, Double(picture.height) / 2)
        let moved = before.map.apply(to: ViewPoint(x: x, y: y)) - screen.bounds.centre
        pose = pose.moved(by: moved.times(1 - pose.scale / before.scale))
      }
    case .screen(let changed): resize(to: changed)
    case .device, .interface, .close: break
    }
  }

  mutating func zoom(by factor: Double, about point: ViewPoint) {
    let fit = Pose.fit(picture, on: screen).scale
    let scale = min(max(pose.scale * factor, 0.9 * fit), 8 * fit)
    pose = pose.scaled(by: scale / pose.scale, about: point)
  }

  mutating func begin(_ touch: Touch) {
    if fault == .finishesAnimation, let motion { pose = motion.to }
    if fault != .glidesOn { motion = nil }
    if down.count == 1, fault == .jumpsWhenOneReturns, way > 200 { pose.x += 20 }
    if down.isEmpty {
      touchStart = (time, touch.point)
      unused = ViewPoint(x: 0, y: 0)
    }
    down.append(touch)
    jumps = fault == .holdsFirstFinger && down.count == 2
    previous[touch.id] = (time, touch.point)
    velocity = ViewPoint(x: 0, y: 0)
  }

  mutating func move(_ touches: [Touch]) {
    if fault == .needsBothFingers, down.count > 1, touches.count == 1 {
      for touch in touches { replace(touch) }
      return
    }
    var touches = touches
    if fault == .losesSamples {
      touches = touches.indices.filter { index in
        !touches[..<index].contains { $0.id == touches[index].id }
      }.map { touches[$0] }
    }
    for touch in touches {
      let before = pair
      guard let old = down.first(where: { $0.id == touch.id }) else { continue }
      let step = touch.point - old.point
      way += step.length
      let isMouse = touch.isMouse
      let counting = isMouse ? Fault.countsMouseReports : Fault.countsReports
      if fault == counting { pose.x += 0.3 }
      replace(touch)
      if before.count < 2 { pan(by: step, touch) } else { pinch(from: before, to: pair) }
    }
  }

  mutating func replace(_ touch: Touch) {
    guard let index = down.firstIndex(where: { $0.id == touch.id }) else { return }
    if let last = previous[touch.id], time > last.time {
      velocity = (touch.point - last.point).times(1 / (time - last.time))
    }
    previous[touch.id] = (time, touch.point)
    down[index] = touch
  }

  /// The points of the two fingers that pinch.
  var pair: [ViewPoint] {
    let two = fault == .followsThirdFinger ? down.suffix(2) : down.prefix(2)
    return two.map { $0.point }
  }

  mutating func pan(by step: ViewPoint, _ touch: Touch) {
    var step = step
    if fault == .runsAhead, !touch.isMouse { step = step.times(1.3) }
    if fault == .halvesMouse, touch.isMouse { step = step.times(0.5) }
    if fault == .dragsSlowly { step = step.times(0.75) }
    if fault == .lagsLeftward, step.x < 0 { step.x *= 0.8 }
    if fault == .beginsLate, unused.length < 30 {
      unused = unused + step
      return
    }
    pose = pose.moved(by: step)
    if jumps { pose.x += 30 }
    jumps = false
  }

  mutating func pinch(from old: [ViewPoint], to new: [ViewPoint]) {
    let start = (old[0] + old[1]).times(0.5)
    let end = (new[0] + new[1]).times(0.5)
    var ratio = (new[1] - new[0]).length / max(1, (old[1] - old[0]).length)
    switch fault {
    case .closesFaster: if ratio < 1 { ratio *= ratio }
    case .roundsSteps: ratio = (ratio * 20).rounded() / 20
    case .invertsPinches: ratio = 1 / ratio
    case .squaresRatio: ratio *= ratio
    case .needsFirstFingerLeft: if new[1].x < new[0].x { ratio = 1 }
    default: break
    }
    zoom(by: ratio, about: fault == .pinchesAboutCentre ? screen.bounds.centre : start)
    pose = pose.moved(by: end - start)
    if jumps, fault == .holdsFirstFinger { pose = pose.moved(by: start - old[0]) }
    jumps = false
  }

  mutating func end(_ touch: Touch, isCancelled: Bool) {
    guard down.contains(where: { $0.id == touch.id }) else { return }
    down.removeAll { $0.id == touch.id }
    if !down.isEmpty { velocity = ViewPoint(x: 0, y: 0) }
    if down.count == 1, fault == .jumpsWhenOneStays { jumps = true }
    guard down.isEmpty, !isCancelled else { return }
    let isTap =
      time - touchStart.time < 0.3 && (touch.point - touchStart.point).length < 10
    if isTap {
      let isSecond = time - lastTap < 0.35
      lastTap = isSecond ? -1 : time
      guard isSecond else { return }
      let about = fault == .tapsAboutCentre ? screen.bounds.centre : touch.point
      // A sound double tap leads to 1:1 in CSS pixels, whatever the picture's size.
      let scale = fault == .tapsReduce ? 0.95 * pose.scale : 1
      let target =
        isZoomed && fault != .tapsEnlargeAgain
        ? Pose.fit(picture, on: screen) : pose.scaled(by: scale / pose.scale, about: about)
      motion = Motion(from: pose, to: target, start: time, end: time + 0.25, isThrow: false)
      return
    }
    let last = previous[touch.id]?.time ?? 0
    guard time - last < 0.05, velocity.length > 100, way > 0 else { return }
    let glide = velocity.times(fault == .glidesBack ? -0.15 : 0.15)
    let target = inBounds(pose.moved(by: glide))
    motion = Motion(from: pose, to: target, start: time, end: time + 0.5, isThrow: true)
  }

  /// Returns the pose moved so that the picture covers the screen or is in its middle.
  func inBounds(_ pose: Pose) -> Pose {
    func place(_ start: Double, _ length: Double, _ side: Double) -> Double {
      length <= side ? (side - length) / 2 : min(0, max(side - length, start))
    }
    return Pose(
      scale: pose.scale,
      x: place(pose.x, pose.scale * Double(picture.width), screen.size.width),
      y: place(pose.y, pose.scale * Double(picture.height), screen.size.height))
  }

  mutating func resize(to changed: Screen) {
    guard changed.size != screen.size else { return }
    resizes += 1
    let (old, wasZoomed) = (screen.bounds.centre, isZoomed)
    screen = changed
    motion = nil
    if !wasZoomed {
      pose = Pose.fit(picture, on: screen)
    } else if fault != .keepsCorner {
      pose = pose.moved(by: screen.bounds.centre - old)
    }
    switch fault {
    case .shrinksWhenResized where resizes > 1: pose = pose.scaled(by: 0.9, about: old)
    case .movesWhenResized where resizes > 1 && !wasZoomed: pose.x += 20
    case .losesPlace where wasZoomed: pose.x += 5
    default: break
    }
  }
}

extension ViewPoint {
  func times(_ factor: Double) -> ViewPoint { ViewPoint(x: x * factor, y: y * factor) }
}
