import Foundation

/// Faults of rotation and mirroring.
extension ServerFaults {
  static let rotations: [Fault] = [
    turned("turned-counterclockwise", "Rotation is counterclockwise.") {
      $0.degrees = $0.degrees == 0 ? 0 : 360 - $0.degrees
    },
    turned("turn-90-as-180", "A quarter turn is a half one.") {
      if $0.degrees == 90 { $0.degrees = 180 }
    },
    turned("turn-270-as-90", "Three quarter turns are one.") {
      if $0.degrees == 270 { $0.degrees = 90 }
    },
    turned("turn-180-ignored", "A half turn is none.") {
      if $0.degrees == 180 { $0.degrees = 0 }
    },
    turned("turn-ignored", "Rotation is ignored.") { $0.degrees = 0 },
    turned("mirror-ignored", "A mirrored picture is not mirrored.") { $0.mirrored = false },
    turned("mirror-without-turn-ignored", "`!0` is not mirrored.") {
      if $0.degrees == 0 { $0.mirrored = false }
    },
    turned("mirror-lost-when-turned", "A picture that is turned is not mirrored.") {
      if $0.degrees != 0 { $0.mirrored = false }
    },
    turned("mirror-not-turned", "A picture that is mirrored is not turned.") {
      if $0.mirrored { $0.degrees = 0 }
    },
    Fault("turn-180-flips", .rotation, "A half turn only puts it upside down.", "specification 4.3")
    {
      faulty, sound in
      faulty.turn = { raster, plan in
        let rotation = plan.request.rotation
        guard rotation.degrees == 180 else { return sound.turn(raster, plan) }
        return (rotation.mirrored ? raster.mirrored() : raster).flipped()
      }
    },
    Fault("mirror-after-turn", .rotation, "Mirrored after it is turned.", "specification 4.6") {
      faulty, sound in
      faulty.turn = { raster, plan in
        guard plan.request.rotation.mirrored else { return sound.turn(raster, plan) }
        return raster.turned(Rotation(mirrored: false, degrees: plan.request.rotation.degrees))
          .mirrored()
      }
    },
    Fault(
      "mirror-upside-down", .rotation, "Mirrored on the horizontal axis.", "specification 4.3"
    ) { faulty, sound in
      faulty.turn = { raster, plan in
        guard plan.request.rotation.mirrored else { return sound.turn(raster, plan) }
        return raster.flipped()
          .turned(Rotation(mirrored: false, degrees: plan.request.rotation.degrees))
      }
    },
    Fault(
      "turned-before-region", .rotation, "The picture is turned, and then the region is cut.",
      "specification 4.6"
    ) { faulty, sound in
      faulty.crop = { source, plan in sound.crop(sound.turn(source, plan), plan) }
      faulty.turn = { raster, _ in raster }
    },
    Fault(
      "turned-before-size", .rotation, "The region is turned, and then scaled to the size.",
      "specification 4.6"
    ) { faulty, sound in
      faulty.scale = { raster, plan in sound.scale(sound.turn(raster, plan), plan) }
      faulty.turn = { raster, _ in raster }
    },
    Fault(
      "turned-off-by-one", .rotation, "A quarter turn loses the first column and repeats the last.",
      "specification 4.3"
    ) { faulty, sound in
      faulty.turn = { raster, plan in
        let turned = sound.turn(raster, plan)
        guard let turns = plan.request.rotation.quarterTurns, turns % 2 == 1 else { return turned }
        return turned.cropped(Box(x: 1, y: 0, width: turned.width, height: turned.height))
      }
    },
    Fault(
      "angle-rounded", .rotation, "Other angles are rounded to quarter turns.", "specification 4.3"
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        var rotation = try sound.rotation(text)
        rotation.degrees = (rotation.degrees / 90).rounded() * 90
        return rotation
      }
    },
    turned("angle-truncated", "Other angles are cut to whole degrees.") {
      $0.degrees = $0.degrees.rounded(.down)
    },
    turned("angle-counterclockwise", "Angles between quarter turns are counterclockwise.") {
      if $0.quarterTurns == nil { $0.degrees = 360 - $0.degrees }
    },
    Fault(
      "angle-refused", .rotation, "Other angles are refused, though rotationArbitrary is listed.",
      "specification 5.7"
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        let rotation = try sound.rotation(text)
        guard rotation.quarterTurns != nil else { throw RequestError(status: 501, "no angles") }
        return rotation
      }
    },
    angled("angle-fitted", "What is turned by an angle is scaled to fit the size.") {
      raster, sine, cosine in
      let frame = Raster.frame(of: raster.size, sine, cosine)
      let scale = min(
        Double(raster.width) / Double(frame.width), Double(raster.height) / Double(frame.height))
      return raster.rotated(sine, cosine, onto: raster.size, scale: scale)
    },
    angled("angle-cut", "What is turned by an angle is cut to the size.") { raster, sine, cosine in
      raster.rotated(sine, cosine, onto: raster.size, scale: 1)
    },
    angled("angle-with-margin", "What is turned by an angle has four pixels of space around it.") {
      raster, sine, cosine in
      var frame = Raster.frame(of: raster.size, sine, cosine)
      frame = Extent(width: frame.width + 8, height: frame.height + 8)
      return raster.rotated(sine, cosine, onto: frame, scale: 1)
    },
    angled("angle-on-black", "What is turned by an angle is on black.") { raster, sine, cosine in
      let frame = Raster.frame(of: raster.size, sine, cosine)
      return raster.rotated(sine, cosine, onto: frame, scale: 1).flattened(over: 0)
    },
    angled("angle-on-white", "What is turned by an angle is on white.") { raster, sine, cosine in
      let frame = Raster.frame(of: raster.size, sine, cosine)
      return raster.rotated(sine, cosine, onto: frame, scale: 1).flattened(over: 255)
    },
    Fault(
      "mirror-refused", .rotation, "`!` is refused, though mirroring is listed.",
      "specification 5.7"
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        guard !text.hasPrefix("!") else { throw RequestError(status: 501, "no mirror") }
        return try sound.rotation(text)
      }
    },
    Fault(
      "turn-270-refused", .rotation, "Three quarter turns are refused at level 2.",
      "compliance 3.3"
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        let rotation = try sound.rotation(text)
        guard rotation.degrees != 270 else { throw RequestError("no such rotation") }
        return rotation
      }
    },
    Fault(
      "turn-360-refused", .rotation, "360 degrees are refused.", "specification 4.3", .open
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        let rotation = try sound.rotation(text)
        guard rotation.degrees < 360 else { throw RequestError("the rotation is too large") }
        return rotation
      }
    },
    Fault(
      "turn-beyond-360", .rotation, "More than 360 degrees are served.", "specification 4.3",
      .recommendation
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        let isMirrored = text.hasPrefix("!")
        guard let degrees = Parameters.decimal(text.dropFirst(isMirrored ? 1 : 0)), degrees < 1e9
        else { return try sound.rotation(text) }
        return Rotation(mirrored: isMirrored, degrees: degrees.truncatingRemainder(dividingBy: 360))
      }
    },
    Fault(
      "turn-negative", .rotation, "Negative degrees are served.", "specification 4.3",
      .recommendation
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        guard text.hasPrefix("-") else { return try sound.rotation(text) }
        var rotation = try sound.rotation(String(text.dropFirst()))
        rotation.degrees = 360 - rotation.degrees
        return rotation
      }
    },
  ]

  private static func turned(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout Rotation) -> Void
  ) -> Fault {
    Fault(name, .rotation, summary, "specification 4.3") { faulty, sound in
      faulty.turn = { raster, plan in
        var plan = plan
        change(&plan.request.rotation)
        return sound.turn(raster, plan)
      }
    }
  }

  /// Creates a fault of angles other than quarter turns, which the specification only recommends.
  private static func angled(
    _ name: String, _ summary: String,
    _ rotate: @escaping @Sendable (Raster, _ sine: Double, _ cosine: Double) -> Raster
  ) -> Fault {
    Fault(name, .rotation, summary, "specification 4.3", .recommendation) { faulty, sound in
      faulty.turn = { raster, plan in
        let rotation = plan.request.rotation
        guard rotation.quarterTurns == nil else { return sound.turn(raster, plan) }
        let angle = rotation.degrees * .pi / 180
        return rotate(rotation.mirrored ? raster.mirrored() : raster, sin(angle), cos(angle))
      }
    }
  }
}
