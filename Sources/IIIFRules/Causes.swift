internal import ForeignPipelines
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// Names the known fault that produces the received pixels.
///
/// It draws the picture that each fault would produce, and names the fault whose picture matches.
struct PixelCause: Sendable {
  let oracle: Oracle

  private var shown: ShownPicture { oracle.shown }

  /// The name of a fault and the rule that it breaks; nil keeps the rule of the violation.
  struct Explanation: Sendable {
    let name: String
    var rule: IIIFRule?
  }

  /// Returns the first fault that explains the answer; nil if none does.
  func explanation(of got: Pixels, tones: Tones) -> Explanation? {
    for (name, candidate) in turns where isLike(got, candidate, tones) {
      return Explanation(name: name, rule: shown.rotationRule)
    }
    if let name = coarseness(got) {
      return Explanation(name: name, rule: tones.isColoured ? .qualityColour : nil)
    }
    for (name, candidate) in colours where isLike(got, candidate, tones) {
      return Explanation(
        name: name, rule: tones.isColoured ? .qualityColour : nil)
    }
    if let name = blackEdge(got) { return Explanation(name: name) }
    for (name, region) in regions {
      guard let candidate = scaled(region) else { continue }
      if isLike(got, oracle.placed(candidate), tones) {
        let isOfRegion = shown.region != .full && name != "cut off and stretched"
        return Explanation(
          name: name, rule: isOfRegion ? shown.regionRule(oracle.picture) : nil)
      }
    }
    return nil
  }

  private func isLike(_ got: Pixels, _ candidate: Pixels, _ tones: Tones) -> Bool {
    tones.candidates(candidate).contains { candidate in
      guard candidate.hasForm(of: got) else { return false }
      // A mean difference below one level is rounding; other content differs far more.
      return got == candidate || got.meanDifference(from: candidate) < 1
    }
  }

  /// Returns a part of the picture in the requested size.
  private func scaled(_ region: PixelRegion) -> Pixels? {
    guard region.x >= 0, region.y >= 0, region.maxX <= oracle.picture.width,
      region.maxY <= oracle.picture.height
    else { return nil }
    let size = shown.nominalSize(of: oracle.region)
    return oracle.picture.cut(region)
      .scaled(width: size.width, height: size.height, .linear)
  }

  private var turns: [(String, Pixels)] {
    guard let plain = scaled(oracle.region) else { return [] }
    let quarters = shown.rotation.quarters ?? 0
    let isMirrored = shown.rotation.isMirrored
    let mirrored = isMirrored ? plain.mirrored : plain
    var found: [(String, Pixels)] = []
    if quarters != 0 {
      found.append(("turned counterclockwise", mirrored.turned(quarters: -quarters)))
      found.append(("not turned", mirrored))
      found.append(("turned by another angle", mirrored.turned(quarters: quarters + 2)))
      found.append(("flipped instead of turned", plain.mirrored.turned(quarters: quarters)))
      found.append(("flipped instead of turned", plain.mirrored.turned(quarters: quarters + 2)))
    }
    if isMirrored {
      found.append(("not mirrored", plain.turned(quarters: quarters)))
      found.append(("mirrored after the rotation", plain.turned(quarters: quarters).mirrored))
      found.append(("top and bottom exchanged", plain.mirrored.turned(quarters: 2 + quarters)))
      found.append(
        ("turned counterclockwise", plain.mirrored.turned(quarters: -quarters)))
    } else {
      found.append(("mirrored", plain.turned(quarters: quarters).mirrored))
      found.append(("top and bottom exchanged", plain.mirrored.turned(quarters: quarters + 2)))
    }
    return found
  }

  private var colours: [(String, Pixels)] {
    guard let plain = scaled(oracle.region).map(oracle.placed) else { return [] }
    var found = [("inverted", plain.with(plain.size, plain.bytes.map { 255 - $0 }))]
    if plain.bands == 3 {
      found.append(("red and blue swapped", plain.withBands(3) { $0 += $1.reversed() }))
      found.append(("grey instead of colour", plain.grey { ($0 + $1 + $2) / 3 }.withColourBands(3)))
    }
    return found
  }

  private func coarseness(_ got: Pixels) -> String? {
    if oracle.picture.bands == 3, got.bands == 3, got.isGrey, !oracle.picture.isGrey {
      return "grey instead of colour"
    }
    return got.hasFewLevels(besides: oracle.picture) ? "fewer levels" : nil
  }

  private func blackEdge(_ got: Pixels) -> String? {
    guard got.width > 1, got.height > 1 else { return nil }
    func isBlack(_ part: Pixels) -> Bool { part.bytes.allSatisfy { $0 == 0 } }
    let column = got.cut(.checked(got.width - 1, 0, 1, got.height))
    let row = got.cut(.checked(0, got.height - 1, got.width, 1))
    switch (isBlack(column), isBlack(row)) {
    case (true, true): return "last row and column black"
    case (true, false): return "last column black"
    case (false, true): return "last row black"
    case (false, false): return nil
    }
  }

  /// The regions that known faults would show instead.
  private var regions: [(String, PixelRegion)] {
    let asked = oracle.region
    func region(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRegion? {
      try? PixelRegion(x: x, y: y, width: width, height: height)
    }
    var found: [(String, PixelRegion?)] = [
      ("x and y swapped", region(asked.y, asked.x, asked.width, asked.height)),
      ("whole picture", PixelRegion(whole: shown.information.size)),
    ]
    let size = shown.nominalSize(of: asked)
    if size.width != asked.width || size.height != asked.height {
      let across = Double(asked.width) / Double(size.width)
      let down = Double(asked.height) / Double(size.height)
      found.append(
        (
          "taken from the scaled picture",
          region(
            Int(Double(asked.x) * across), Int(Double(asked.y) * down), asked.width, asked.height)
        ))
    }
    for block in [8, 16, 64, 128, 256] {
      found.append(
        (
          "snapped to \(block)",
          region(asked.x / block * block, asked.y / block * block, asked.width, asked.height)
        ))
    }
    for distance in 1...16 {
      for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        let name = distance == 1 ? "off by one" : "off by \(distance)"
        found.append(
          (
            name,
            region(
              asked.x + x * distance, asked.y + y * distance, asked.width, asked.height)
          ))
      }
    }
    for part in [0.99, 0.98, 0.97, 0.96, 0.95, 0.9, 0.75, 0.5] {
      found.append(
        (
          "cut off and stretched",
          region(
            asked.x, asked.y, max(1, Int(Double(asked.width) * part)),
            max(1, Int(Double(asked.height) * part)))
        ))
    }
    return found.compactMap { name, region in
      region.flatMap { $0 == asked ? nil : (name, $0) }
    }
  }
}

/// Names the known fault that produces a picture of the received size.
struct SizeCause: Sendable {
  let shown: ShownPicture
  let picture: Pixels

  func name(_ got: Pixels) -> String? {
    let isOnSide = shown.rotation.quarters.map { $0 % 2 == 1 } ?? false
    guard let region = shown.regions.first else { return nil }
    let right = shown.nominalSize(of: region)
    let turned = isOnSide ? (right.height, right.width) : (right.width, right.height)
    let came = (got.width, got.height)
    let plain = isOnSide ? (got.height, got.width) : came
    if isOnSide, came == (right.width, right.height) { return "not turned" }
    if came == (turned.1, turned.0) { return "width and height swapped" }
    if case .pixels(let x, let y, let width, let height) = shown.region {
      if plain == (width, height) { return "not cut at the edge" }
      if plain == (width - x, height - y) { return "right and bottom taken for width and height" }
      if plain == (x + width, y + height) { return "width and height taken for right and bottom" }
    }
    if case .percent(let x, let y, let width, let height) = shown.region {
      let whole = [Int(x), Int(y), Int(width), Int(height)]
      if plain == (picture.width * whole[2] / 100, picture.height * whole[3] / 100) {
        return "percent truncated"
      }
    }
    if case .percent(let percent) = shown.size.kind, percent != percent.rounded() {
      let whole = percent.rounded(.down) / 100
      if abs(Double(plain.0) - Double(region.width) * whole) < 1,
        abs(Double(plain.1) - Double(region.height) * whole) < 1
      {
        return "percent truncated"
      }
    }
    if plain == (region.width, region.height) { return "not scaled" }
    if plain == (picture.width, picture.height) { return "whole picture" }
    switch shown.size.kind {
    case .within(let width, let height):
      if plain == (width, height) { return "stretched into the box" }
      if plain.0 > width || plain.1 > height { return "larger than the box" }
    case .both:
      if abs(plain.0 * region.height - plain.1 * region.width) <= max(region.width, region.height) {
        return "ratio kept"
      }
    default: break
    }
    if max(abs(plain.0 - right.width), abs(plain.1 - right.height)) == 1 { return "off by one" }
    return nil
  }
}
