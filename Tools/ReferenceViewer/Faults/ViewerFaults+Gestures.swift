/// Faults of fingers, wheel and motion.
extension ViewerFaults {
  /// Faults of pinches.
  static let pinches = [
    ViewerFault(
      "pinch-about-the-middle", .gestures, "GE-8",
      "A pinch enlarges about the middle of the viewport.",
      from: "nolimits4web/swiper#2998",
      replacing: "moved(hold.view, hold, now, now.span / hold.span)",
      with: """
        fingers.size > 1
            ? moved(hold.view, middle(), middle(), now.span / hold.span)
            : moved(hold.view, hold, now, 1)
        """),
    ViewerFault(
      "pinch-about-a-finger", .gestures, "GE-8", "A pinch enlarges about the first finger.",
      from: "NationalLibraryOfNorway/ngx-mime#96",
      replacing: "{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span:", with: "{ x: a.x, y: a.y, span:"),
    ViewerFault(
      "pinch-does-not-move", .gestures, "GE-8",
      "The picture does not follow when both fingers move.",
      from: "nolimits4web/swiper#6371",
      replacing: "moved(hold.view, hold, now, now.span / hold.span)",
      with: "moved(hold.view, hold, fingers.size > 1 ? hold : now, now.span / hold.span)"),
    ViewerFault(
      "pinch-moved-before-scaled", .gestures, "GE-8",
      "The way of the fingers is enlarged together with the picture.",
      from: "openseadragon/openseadragon#2141",
      replacing: "  show(moved(hold.view, hold, now, now.span / hold.span))",
      with: """
          const growth = now.span / hold.span
          const way = { x: (now.x - hold.x) * growth, y: (now.y - hold.y) * growth }
          show(moved(hold.view, hold, { x: hold.x + way.x, y: hold.y + way.y }, growth))
        """),
    ViewerFault(
      "span-squared", .gestures, "GE-42", "The scale follows the square of the fingers' distance.",
      replacing: "now.span / hold.span)", with: "(now.span / hold.span) ** 2)"),
    ViewerFault(
      "pinch-in-rounded-steps", .gestures, "GE-18",
      "The scale of a pinch is a product of factors that are each rounded to 0.01.",
      from: "haxiomic/firefox-multi-touch-zoom#36",
      replacing: "  show(moved(hold.view, hold, now, now.span / hold.span))",
      with: """
          show(moved(hold.view, hold, now, Math.round(now.span / hold.span * 100) / 100))
          hold = { view, ...now }
        """),
    ViewerFault(
      "clamped-scale-only", .gestures, "GE-10",
      "At a limit of the scale, the picture still moves as if it became larger or smaller.",
      from: "saseungmin/react-native-gesture-image-viewer#194",
      replacing: "  show(moved(hold.view, hold, now, now.span / hold.span))",
      with: """
          const growth = now.span / hold.span, next = moved(view, hold, now, growth)
          next.x = now.x - (hold.x - view.x) * growth
          next.y = now.y - (hold.y - view.y) * growth
          show(next)
          hold = { view, ...now }
        """),
    ViewerFault(
      "anchor-of-first-finger", .gestures, "GE-8",
      "The second finger does not change the anchor, which stays where the first one came down.",
      from: "Suwayomi/Suwayomi-Tsumiru#377",
      replacing: "  hold = fingers.size > 0 ? { view, ...grip() } : null",
      with: """
          const { x, y } = hold ?? (fingers.size > 0 ? grip() : {})
          hold = fingers.size > 0 ? { view, ...grip(), ...(fingers.size > 1 ? { x, y } : {}) } : null
        """),
    ViewerFault(
      "third-finger-replaces-first", .gestures, "GE-52",
      "A third finger takes the place of the first one.",
      replacing: "  fingers.set(event.pointerId, at(event))\n  tap =",
      with: """
          if (fingers.size === 2) fingers.delete(fingers.keys().next().value)
          fingers.set(event.pointerId, at(event))
          tap =
        """),
  ]

  /// Faults of drags, and of the finger that stays after a pinch.
  static let drags = [
    ViewerFault(
      "drag-begins-with-a-jump", .gestures, "GE-15",
      "A drag begins after 10 px and then makes up for them at once.",
      replacing: "  const now = grip()\n",
      with: "  if (tap) return\n  const now = grip()\n"),
    ViewerFault(
      "jump-when-one-lifts", .gestures, "GE-14",
      "When one of two fingers is lifted, the picture jumps to the other one.",
      from: "Glazzes/react-native-zoom-toolkit#36",
      replacing: "return index < 2 ? take(now) : undefined",
      with: "return hold = { ...hold, span: 1 }"),
    ViewerFault(
      "finger-that-stays-is-dead", .gestures, "GE-14",
      "When one of two fingers is lifted, the other one no longer moves the picture.",
      from: "Suwayomi/Suwayomi-WebUI#1052",
      replacing: "return index < 2 ? take(now) : undefined", with: "return fingers.clear()"),
  ]

  /// Faults of the wheel.
  static let wheels = [
    ViewerFault(
      "wheel-about-the-middle", .gestures, "W-G1",
      "The wheel enlarges about the middle of the viewport.",
      from: "wiremind/d3-xyzoom#6",
      replacing: "moved(view, at(event), at(event),", with: "moved(view, middle(), middle(),"),
    ViewerFault(
      "wheel-in-page-coordinates", .gestures, "W-G1",
      "The pointer's place is off by the height of a header above the viewer.",
      from: "jackmoore/wheelzoom#17",
      replacing: "  show(bounded(moved(view, at(event), at(event),",
      with: """
          const pointer = { x: event.pageX, y: event.pageY + 48 }
          show(bounded(moved(view, pointer, pointer,
        """),
    ViewerFault(
      "wheel-at-last-tap", .gestures, "W-G1",
      "The wheel enlarges about the place that was tapped last, wherever the pointer is.",
      from: "nolimits4web/swiper#7186",
      replacing: "  show(bounded(moved(view, at(event), at(event),",
      with: """
          const pointer = lastTap ?? middle()
          show(bounded(moved(view, pointer, pointer,
        """),
    ViewerFault(
      "wheel-adds", .gestures, "W-G2",
      "A turn of the wheel adds to the scale instead of multiplying it.",
      replacing: "1.002 ** -turned", with: "(view.scale - 0.002 * turned) / view.scale"),
  ]

  /// Faults of double taps.
  static let taps = [
    ViewerFault(
      "tap-about-the-middle", .gestures, "GE-41",
      "A double tap enlarges about the middle of the viewport.",
      from: "sachinchoolur/lightGallery#271",
      replacing: "moved(view, tap, tap, 2)", with: "moved(view, middle(), middle(), 2)"),
    ViewerFault(
      "tap-does-not-return", .gestures, "GE-41", "A second double tap enlarges further.",
      replacing: "view.scale > fit() * 1.01", with: "view.scale > fit() * 1000"),
    ViewerFault(
      "tap-at-the-border", .gestures, "GE-41",
      "The place of a double tap is off by the place of another viewer beside this one.",
      from: "dimsemenov/PhotoSwipe#1366",
      replacing: "moved(view, tap, tap, 2)",
      with: "moved(view, { ...tap, x: tap.x + middle().x }, { ...tap, x: tap.x + middle().x }, 2)"),
  ]

  /// Faults of motion.
  static let motions = [
    ViewerFault(
      "glide-is-not-stopped", .time, "W-G5", "The picture glides on under a finger.",
      replacing: "  if (motion) show(view)\n", with: ""),
    ViewerFault(
      "flick-across-only", .time, "W-G4", "A flick loses its vertical part.",
      replacing: "y: view.y + y * times", with: "y: view.y"),
    ViewerFault(
      "flick-leaves-the-bounds", .time, "W-G4", "A flick takes the picture off its bounds.",
      replacing:
        "glide(bounded({ scale: view.scale, x: view.x + x * times, y: view.y + y * times }), now)",
      with: "glide({ scale: view.scale, x: view.x + x * times, y: view.y + y * times }, now)"),
    ViewerFault(
      "jump-to-the-target", .time, "W-G6",
      "A gesture that interrupts a motion takes the picture to the end of it.",
      replacing: "  if (motion) show(view)\n", with: "  if (motion) show(motion.to)\n"),
    ViewerFault(
      "friction-per-frame", .time, "GE-29",
      "A glide loses a tenth of its speed in each frame, whatever the time between frames.",
      replacing: "  const rest = Math.exp(-Math.max(0, now - began) / calm)",
      with: """
          const speed = motion.speed ?? 1, passed = now - (motion.last ?? now)
          const rest = (motion.rest ?? 1) - speed * passed / 200
          Object.assign(motion, { rest, last: now, speed: speed * 0.9 })
          if (speed < 0.01) return show(view)
        """),
  ]

  /// Faults of a viewport that changes.
  static let viewports = [
    ViewerFault(
      "resize-keeps-the-corner", .gestures, "GE-49",
      "When the viewport changes, the picture keeps its distance from the upper left corner.",
      replacing: "bounded(centred({ ...kept, scale: Math.max(kept.scale, fit()) }))",
      with: "bounded({ ...view, scale: Math.max(view.scale, fit()) })"),
    ViewerFault(
      "resize-stretches", .pixels, "W-P3",
      "The canvas keeps its pixels when the viewport changes, and the browser stretches them.",
      replacing: "  [canvas.width, canvas.height] = [size.inlineSize, size.blockSize]",
      with: "  if (!source) [canvas.width, canvas.height] = [size.inlineSize, size.blockSize]"),
  ]
}
