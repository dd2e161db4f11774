internal import ForeignPipelines
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

extension Oracle {
  /// Returns the first known fault whose picture matches the received pixels; nil if none does.
  ///
  /// `rule` is the rule that the fault breaks; nil means the violation's own rule.
  func explanation(of got: Pixels) -> (name: String, rule: IIIFRule?)? {
    let ofColour: IIIFRule? = shown.tones.isColoured ? .qualityColour : nil
    for (name, candidate) in turns where isLike(got, candidate) {
      return (name, shown.rotationRule)
    }
    if let name = coarseness(got) { return (name, ofColour) }
    for (name, candidate) in colours where isLike(got, candidate) {
      return (name, ofColour)
    }
    if let name = blackEdge(got) { return (name, nil) }
    for (name, region) in regions {
      guard let candidate = scaled(region), isLike(got, placed(candidate)) else { continue }
      let isOfRegion = shown.region != .full && name != "cut off and stretched"
      return (name, isOfRegion ? shown.regionRule(picture) : nil)
    }
    return nil
  }

  private func isLike(_ got: Pixels, _ candidate: Pixels) -> Bool {
    shown.tones.candidates(candidate).contains { candidate in
      // A mean difference below one level is rounding; other content differs far more.
      candidate.hasForm(of: got) && got.meanDifference(from: candidate) < 1
    }
  }

  /// Returns a part of the picture in the requested size.
  private func scaled(_ region: PixelRegion) -> Pixels? {
    guard region.isInside(picture.size) else { return nil }
    return picture.cut(region).scaled(to: shown.nominalSize(of: self.region), .linear)
  }

  private var turns: [(String, Pixels)] {
    guard let plain = scaled(region) else { return [] }
    let quarters = shown.rotation.quarters ?? 0
    let isMirrored = shown.rotation.isMirrored
    let mirrored = isMirrored ? plain.mirrored : plain
    var found: [(String, Pixels)] = []
    if quarters != 0 {
      found = [
        ("turned counterclockwise", mirrored.turned(quarters: -quarters)),
        ("not turned", mirrored),
        ("turned by another angle", mirrored.turned(quarters: quarters + 2)),
        ("flipped instead of turned", plain.mirrored.turned(quarters: quarters)),
        ("flipped instead of turned", plain.mirrored.turned(quarters: quarters + 2)),
      ]
    }
    if isMirrored { found.append(("not mirrored", plain.turned(quarters: quarters))) }
    found += [
      (
        isMirrored ? "mirrored after the rotation" : "mirrored",
        plain.turned(quarters: quarters).mirrored
      ),
      ("top and bottom exchanged", plain.mirrored.turned(quarters: quarters + 2)),
    ]
    return found
  }

  private var colours: [(String, Pixels)] {
    guard let plain = scaled(region).map(placed) else { return [] }
    let inverted = ("inverted", plain.with(plain.size, plain.bytes.map { 255 - $0 }))
    guard plain.bands == 3 else { return [inverted] }
    return [
      inverted, ("red and blue swapped", plain.withBands(3) { $0 += $1.reversed() }),
      ("grey instead of colour", plain.grey { ($0 + $1 + $2) / 3 }.withColourBands(3)),
    ]
  }

  private func coarseness(_ got: Pixels) -> String? {
    if picture.bands == 3, got.bands == 3, got.isGrey(), !picture.isGrey() {
      return "grey instead of colour"
    }
    return got.hasFewLevels(besides: picture) ? "fewer levels" : nil
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
    let asked = region
    var found: [(String, PixelRegion)] = []
    func add(_ name: String, _ x: Int, _ y: Int, width: Int? = nil, height: Int? = nil) {
      let region = try? PixelRegion(
        x: x, y: y, width: width ?? asked.width, height: height ?? asked.height)
      if let region, region != asked { found.append((name, region)) }
    }
    let whole = shown.information.size
    add("x and y swapped", asked.y, asked.x)
    add("whole picture", 0, 0, width: whole.width, height: whole.height)
    let size = shown.nominalSize(of: asked)
    let across = Double(asked.width) / Double(size.width)
    let down = Double(asked.height) / Double(size.height)
    if across != 1 || down != 1 {
      add(
        "taken from the scaled picture", Int(Double(asked.x) * across),
        Int(Double(asked.y) * down))
    }
    for block in [8, 16, 64, 128, 256] {
      add("snapped to \(block)", asked.x / block * block, asked.y / block * block)
    }
    for distance in 1...16 {
      for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        let name = distance == 1 ? "off by one" : "off by \(distance)"
        add(name, asked.x + x * distance, asked.y + y * distance)
      }
    }
    for part in [0.99, 0.98, 0.97, 0.96, 0.95, 0.9, 0.75, 0.5] {
      add(
        "cut off and stretched", asked.x, asked.y,
        width: max(1, Int(Double(asked.width) * part)),
        height: max(1, Int(Double(asked.height) * part)))
    }
    return found
  }
}

extension Judge {
  /// Returns the known fault that produces a picture of the received size.
  func sizeCause(_ got: Pixels, _ shown: ShownPicture) -> String? {
    guard let region = shown.regions.first else { return nil }
    let right = shown.nominalSize(of: region)
    let isOnSide = (shown.rotation.quarters ?? 0) % 2 == 1
    let plain = isOnSide ? (got.height, got.width) : (got.width, got.height)
    if plain == (right.height, right.width) {
      return isOnSide ? "not turned" : "width and height swapped"
    }
    switch shown.region {
    case .pixels(let x, let y, let width, let height):
      if plain == (width, height) { return "not cut at the edge" }
      if plain == (width - x, height - y) { return "right and bottom taken for width and height" }
      if plain == (x + width, y + height) { return "width and height taken for right and bottom" }
    case .percent(_, _, let width, let height):
      if plain == (picture.width * Int(width) / 100, picture.height * Int(height) / 100) {
        return "percent truncated"
      }
    case .full, .square: break
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
    return max(abs(plain.0 - right.width), abs(plain.1 - right.height)) == 1 ? "off by one" : nil
  }
}
