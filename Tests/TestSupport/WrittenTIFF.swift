internal import PropertyTesting

/// A TIFF determined by its number.
///
/// Every property that readers of TIFF treat differently gets a random value. The file is written
/// without libtiff, so that it can contain what libtiff never writes.
package struct WrittenTIFF: Sendable {
  package let number: UInt64
  /// The directory, without its strips.
  package private(set) var layout: TIFFBytes
  /// The flaws by strip number.
  package private(set) var flaws: [Int: StripFlaw] = [:]
  package var coding: StripCoding { layout.coding }
  private var deflate = DeflateForm(level: 0)
  private var orientation: Int?
  private var style = 0
  private var clearsAfter = Int.max

  package init(_ number: UInt64) {
    self.number = number
    var random = SplitMix64(seed: number &* 0x9E37_79B9)
    layout = Self.layout(&random)
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    func pick<Value>(_ values: [Value]) -> Value { random.pick(values) }
    layout.coding = pick(StripCoding.usual)
    if coding.isFax, !chance(8) { layout.kind = .init(pick([0, 1]), 1, 1) }
    if coding == .jpeg, !chance(8) { Self.fit(&layout, &random) }
    layout.isLittleEndian = chance(2)
    layout.isBig = chance(4)
    layout.isPlanar = chance(12)
    layout.fillOrder = chance(8) ? 2 : 1
    // Only in the smallest files an offset would fit into a SHORT.
    layout.offsetType = layout.isBig ? pick([4, 16]) : 4
    layout.countType = pick(layout.isBig ? [3, 4, 16] : [3, 4])
    if coding.hasPredictor {
      layout.predictor =
        chance(10)
        ? Int.random(in: 1...3, using: &random)
        : layout.kind.sampleFormat == 3
          ? pick([1, 3])
          : [8, 16, 32].contains(layout.kind.bits) ? pick([1, 2]) : 1
    }
    orientation = chance(3) ? Int.random(in: 1...8, using: &random) : nil
    style = Int.random(in: 0..<4, using: &random)
    clearsAfter = pick([.max, .max, 50, 700])
    deflate =
      chance(2)
      ? DeflateForm(
        level: 0, pieceLength: pick([1, 7, 100, 1000, 65535, 65535]),
        hasEmptyBlocks: pick([0, 0, 0, 1, 3]) > 0)
      : DeflateForm(
        level: Int.random(in: 1...9, using: &random),
        strategy: Int.random(in: 0...4, using: &random),
        windowBits: Int.random(in: 9...15, using: &random),
        memoryLevel: Int.random(in: 1...9, using: &random))
    layout.more += fields(&random)
    guard chance(2) else { return }
    let count = layout.stripCount
    for _ in 0..<pick([1, 1, 2, 3]) {
      let strip = pick([0, count - 1, Int.random(in: 0..<count, using: &random)])
      flaws[strip] = coding.flaw(rowBytes: layout.rowByteCount, &random)
    }
  }

  /// Returns the tags beyond those that `TIFFBytes` writes.
  private func fields(_ random: inout SplitMix64) -> [TIFFBytes.Field] {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    var more: [TIFFBytes.Field] = []
    if let orientation { more.append(.init(274, 3, [orientation])) }
    switch layout.kind.photometric {
    case 5 where chance(4): more.append(.init(332, 3, [Int.random(in: 1...2, using: &random)]))
    // Without this tag, chroma is assumed to be subsampled by two.
    case 6 where coding != .jpeg && !chance(16): more.append(.init(530, 3, [1, 1]))
    case 6 where coding == .jpeg && isSubsampled: more.append(.init(530, 3, [2, 2]))
    case 6 where coding == .jpeg: more.append(.init(530, 3, [1, 1]))
    default: break
    }
    // SGI's tag for alpha in the last sample.
    if layout.kind.extras.isEmpty, chance(40) { more.append(.init(32995, 3, [1])) }
    return more
  }

  /// Whether chroma is subsampled in JPEG strips; only if their height is a multiple of 16.
  private var isSubsampled: Bool { (layout.rowsPerStrip ?? 1) % 16 == 0 && number % 2 == 0 }

  /// Adapts the layout to what a JPEG can hold.
  private static func fit(_ layout: inout TIFFBytes, _ random: inout SplitMix64) {
    layout.kind = Bool.random(using: &random) ? .init(6, 8, 3) : .init(1, 8, 1)
    // A JPEG's strips consist of whole MCUs.
    layout.rowsPerStrip = ((layout.rowsPerStrip ?? 8) % 64 / 8 + 1) * 8
  }

  /// Returns random sides, strips and kinds; the caller adds the other axes.
  private static func layout(_ random: inout SplitMix64) -> TIFFBytes {
    func pick<Value>(_ values: [Value]) -> Value { random.pick(values) }
    func side() -> Int { Int.random(in: 1...pick([8, 40, 40, 70, 120, 200]), using: &random) }
    var (width, height) = (side(), side())
    var rows: Int?
    switch Int.random(in: 0..<16, using: &random) {
    case 0: rows = nil
    case 1: rows = pick([0xFFFF_FFFF, 1 << 31, height + 1, 129, 1000])
    case 2: rows = height
    // libvips reads strips of more than 128 rows row by row.
    case 3:
      (width, height) = (
        Int.random(in: 1...20, using: &random), Int.random(in: 130...620, using: &random)
      )
      rows = pick([127, 128, 129, 130, height / 2 + 1, height - 1, 129])
    case 4...8: rows = Int.random(in: 1...max(1, height / 4), using: &random)
    default: rows = Int.random(in: 1...20, using: &random)
    }
    return TIFFBytes(width: width, height: height, kind: kind(&random), rowsPerStrip: rows)
  }

  private static func kind(_ random: inout SplitMix64) -> TIFFBytes.Kind {
    func pick<Value>(_ values: [Value]) -> Value { random.pick(values) }
    func extras(_ most: Int) -> [Int] {
      (0..<pick([0, 0, 0, 1, 1, most])).map { _ in pick([0, 1, 1, 2, 2]) }
    }
    // Any combination that tags can express; libvips refuses most of them.
    if Int.random(in: 0..<12, using: &random) == 0 {
      let extra = extras(3)
      let photometric = pick([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 32803, 32844, 32845, 34892])
      return TIFFBytes.Kind(
        photometric,
        photometric == 3 ? pick([1, 4, 8]) : pick([1, 2, 4, 8, 8, 12, 16, 24, 32]),
        Int.random(in: 1...4, using: &random) + extra.count,
        format: Int.random(in: 1...3, using: &random), extras: extra)
    }
    let (photometric, base) = pick([
      (0, 1), (1, 1), (1, 1), (2, 3), (2, 3), (2, 3), (3, 1), (5, 4), (6, 3), (8, 3), (8, 3),
    ])
    let bits: Int =
      switch photometric {
      case 0, 1: pick([1, 2, 4, 8, 8, 16, 32])
      case 3: pick([1, 2, 4, 8, 8])
      case 6: 8
      default: pick([8, 8, 16, 16, 32])
      }
    let format =
      bits == 32 ? pick([1, 2, 3, 3]) : bits >= 8 && photometric < 2 ? pick([1, 1, 2]) : 1
    let extra = bits >= 8 ? extras(2) : []
    return TIFFBytes.Kind(photometric, bits, base + extra.count, format: format, extras: extra)
  }

  // MARK: Strips

  /// Whether libvips (8.14) reads strips whole instead of row by row.
  package var isReadWhole: Bool {
    (layout.rowsPerStrip ?? .max) <= 128 || layout.isPlanar || layout.kind.photometric == 6
  }

  package func file() throws -> [UInt8] { try file(withFlaws: Set(flaws.keys)) }

  /// Returns the file in which only the strips in `flawed` have their flaws.
  ///
  /// The strips in `mended` decode to the same rows as in the flawed file, but are coded without a
  /// flaw.
  package func file(withFlaws flawed: Set<Int>, mended: Set<Int> = []) throws -> [UInt8] {
    var layout = layout
    for strip in 0..<layout.stripCount {
      let flaw = flawed.contains(strip) || mended.contains(strip) ? flaws[strip] : nil
      layout.ownStrips[strip] = try coded(strip, flaw, isMended: mended.contains(strip))
    }
    if layout.ownStrips.values.contains(where: { $0.count > 0xFFFF }) {
      layout.countType = max(layout.countType, 4)
    }
    return layout.file(seed: number).bytes
  }

  private func coded(_ strip: Int, _ flaw: StripFlaw?, isMended: Bool) throws -> [UInt8] {
    var random = SplitMix64(seed: number &+ UInt64(strip) &* 0x1234_5677)
    let count = layout.rows(of: strip).count
    var plain: [UInt8] = []
    if !coding.isFax {
      plain = samples(strip, count * layout.rowByteCount, &random)
      if isMended, case .changedByte(let place) = flaw { plain[place % plain.count] ^= 0x10 }
    }
    let coded = try coding.coded(
      plain, rows: count, layout, deflate, isMended ? nil : flaw, clearsAfter,
      isSubsampled: isSubsampled, &random)
    return layout.isTurned ? coded.map(\.bitsReversed) : coded
  }

  /// Returns samples of one strip: noise, gradients with noise, patches, or one value.
  private func samples(_ strip: Int, _ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { place in
      switch style {
      case 0: UInt8.random(in: 0...255, using: &random)
      case 1: UInt8(truncatingIfNeeded: place / 3 + Int.random(in: 0...3, using: &random))
      case 2: UInt8(truncatingIfNeeded: place / 29 * 7 + strip)
      default: UInt8(truncatingIfNeeded: strip)
      }
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }
}
