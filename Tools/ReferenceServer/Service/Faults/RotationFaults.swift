import Foundation
import ZoomPipeline

/// Faults of rotation and mirroring.
extension ServerFaults {
  static let rotations: [Fault] = [
    turned("turned-counterclockwise", "Rotation is counterclockwise.") {
      $0.degrees = $0.degrees == 0 ? 0 : 360 - $0.degrees
    },
    turned("turn-90-as-180", "A quarter turn is a half one.") {
      if $0.degrees == 90 { $0.degrees = 180 }
    },
    turned("turn-ignored", "Rotation is ignored.") { $0.degrees = 0 },
    turned("mirror-ignored", "A mirrored picture is not mirrored.") { $0.mirrored = false },
    turned("mirror-not-turned", "A picture that is mirrored is not turned.") {
      if $0.mirrored { $0.degrees = 0 }
    },
    replaced("turn-180-flips", "A half turn only exchanges top and bottom.") { raster, rotation in
      guard rotation.degrees == 180 else { return nil }
      return (rotation.mirrored ? raster.mirrored() : raster).flipped()
    },
    replaced("mirror-after-turn", "The picture is mirrored after it is turned.") {
      $1.mirrored ? $0.turned($1.unmirrored).mirrored() : nil
    }.marked(from: "specification 4.6"),
    replaced("mirror-upside-down", "The picture is mirrored on the horizontal axis.") {
      $1.mirrored ? $0.flipped().turned($1.unmirrored) : nil
    },
    Fault("turned-before-region", .rotation, "The picture is turned before the region is cut.") {
      faulty, sound in
      faulty.crop = { source, plan in sound.crop(sound.turn(source, plan), plan) }
      faulty.turn = { raster, _ in raster }
    }.marked(from: "specification 4.6"),
    Fault("turned-before-size", .rotation, "The region is turned before it is scaled.") {
      faulty, sound in
      faulty.scale = { raster, plan in sound.scale(sound.turn(raster, plan), plan) }
      faulty.turn = { raster, _ in raster }
    }.marked(from: "specification 4.6"),
    replaced(
      "turned-off-by-one", "A quarter turn loses the first column and repeats the last."
    ) { raster, rotation in
      guard (rotation.quarterTurns ?? 0) % 2 == 1 else { return nil }
      let turned = raster.turned(rotation)
      return turned.cropped(Box(x: 1, y: 0, width: turned.width, height: turned.height))
    },
    misreads(
      "angle-rounded", .rotation, \.rotation, "Other angles are rounded to quarter turns."
    ) { rotation, _ in rotation.degrees = (rotation.degrees / 90).rounded() * 90 },
    turned("angle-truncated", "Other angles are cut to whole degrees.") {
      $0.degrees = $0.degrees.rounded(.down)
    },
    turned("angle-counterclockwise", "Angles between quarter turns are counterclockwise.") {
      if $0.quarterTurns == nil { $0.degrees = 360 - $0.degrees }
    },
    refuses(
      "angle-refused", .rotation, \.rotation,
      "Other angles are refused, though rotationArbitrary is listed.", with: 501
    ) { _, rotation in rotation.quarterTurns == nil }.marked(from: "specification 5.7"),
    angled("angle-cut", "A picture turned by an angle is cut to the size.") {
      $0.rotated($1, $2, onto: $0.extent)
    },
    angled("angle-on-black", "A picture turned by an angle is on black.") {
      $0.rotated($1, $2).flattened(over: 0)
    },
    refuses(
      "mirror-refused", .rotation, \.rotation, "`!` is refused, though mirroring is listed.",
      with: 501
    ) { _, rotation in rotation.mirrored }.marked(from: "specification 5.7"),
    refuses(
      "turn-270-refused", .rotation, \.rotation, "Three quarter turns are refused at level 2."
    ) { _, rotation in rotation.degrees == 270 }.marked(from: "compliance 3.3"),
    reads("turn-beyond-360", .rotation, \.rotation, "More than 360 degrees are served.") { text in
      let isMirrored = text.hasPrefix("!")
      guard let degrees = Parameters.decimal(text.dropFirst(isMirrored ? 1 : 0)), degrees > 360,
        degrees < 1e9
      else { return text }
      return (isMirrored ? "!" : "") + "\(degrees.truncatingRemainder(dividingBy: 360))"
    }.marked(.recommendation),
  ]

  private static func turned(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout Rotation) -> Void
  ) -> Fault {
    Fault(name, .rotation, summary) { faulty, sound in
      faulty.turn = { raster, plan in
        var plan = plan
        change(&plan.request.rotation)
        return sound.turn(raster, plan)
      }
    }
  }

  /// Creates a fault that turns some pictures in another way; nil leaves one to the sound server.
  private static func replaced(
    _ name: String, _ summary: String, _ turn: @escaping @Sendable (Pixels, Rotation) -> Pixels?
  ) -> Fault {
    Fault(name, .rotation, summary) { faulty, sound in
      faulty.turn = { raster, plan in
        turn(raster, plan.request.rotation) ?? sound.turn(raster, plan)
      }
    }
  }

  /// Creates a fault of angles other than quarter turns, which the specification only recommends.
  private static func angled(
    _ name: String, _ summary: String,
    _ rotate: @escaping @Sendable (Pixels, _ sine: Double, _ cosine: Double) -> Pixels
  ) -> Fault {
    replaced(name, summary) { raster, rotation in
      guard rotation.quarterTurns == nil else { return nil }
      let angle = rotation.degrees * .pi / 180
      return rotate(rotation.mirrored ? raster.mirrored() : raster, sin(angle), cos(angle))
    }.marked(.recommendation)
  }
}

extension Rotation {
  fileprivate var unmirrored: Rotation { Rotation(mirrored: false, degrees: degrees) }
}
