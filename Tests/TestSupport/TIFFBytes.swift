internal import PropertyTesting

/// A TIFF of strips in any byte order, of kinds that libvips reads but does not write.
///
/// Its samples are noise, before the coding and the predictor of its strips.
package struct TIFFBytes: Sendable {
  package struct Field: Sendable {
    package var tag: Int
    /// The type: 1 BYTE, 3 SHORT, 4 LONG, 16 LONG8.
    package var type: Int
    package var values: [Int]

    package init(_ tag: Int, _ type: Int, _ values: [Int]) {
      self.tag = tag
      self.type = type
      self.values = values
    }
  }

  /// The format and meaning of the samples.
  package struct Kind: Sendable {
    package let photometric: Int
    package let bits: Int
    package let samples: Int
    /// The number format: 1 unsigned, 2 signed, 3 floating point.
    package var sampleFormat = 1
    /// The meaning of samples that are not colours: 0 unknown, 1 associated alpha, 2 other alpha.
    package var extras: [Int] = []

    package init(
      _ photometric: Int, _ bits: Int, _ samples: Int, format: Int = 1, extras: [Int] = []
    ) {
      self.photometric = photometric
      self.bits = bits
      self.samples = samples
      sampleFormat = format
      self.extras = extras
    }
  }

  package var isLittleEndian = true
  package var isBig = false
  package var width: Int
  package var height: Int
  package var kind: Kind
  package var isPlanar = false
  /// The number of rows per strip; nil leaves the tag out.
  package var rowsPerStrip: Int?
  package var coding = StripCoding.none
  package var predictor = 1
  package var fillOrder = 1
  /// The types of the tables of strip offsets and byte counts.
  package var offsetType = 4, countType = 4
  /// Coded strips by number that replace noise.
  package var ownStrips: [Int: [UInt8]] = [:]
  /// Tags that are added or replace tags of the same number.
  package var more: [Field] = []

  package init(width: Int, height: Int, kind: Kind, rowsPerStrip: Int?) {
    self.width = width
    self.height = height
    self.kind = kind
    self.rowsPerStrip = rowsPerStrip
  }

  private var planes: Int { isPlanar ? kind.samples : 1 }
  private var mostRows: Int { min(rowsPerStrip ?? height, height) }
  private var stripsPerPlane: Int { (height + mostRows - 1) / mostRows }
  var stripCount: Int { stripsPerPlane * planes }

  /// Returns the rows of a strip; strips are numbered through all planes.
  func rows(of strip: Int) -> Range<Int> {
    let top = strip % stripsPerPlane * mostRows
    return top..<min(top + mostRows, height)
  }

  package var rowByteCount: Int {
    (width * kind.bits * (isPlanar ? 1 : kind.samples) + 7) / 8
  }

  /// Whether coded bits are reversed for FillOrder 2, as libtiff does for most codings.
  var isTurned: Bool { fillOrder == 2 && coding.isTurnedByFillOrder }

  /// Returns the file's bytes and the offset of its strips.
  package func file(seed: UInt64, dataAt place: Int? = nil) -> (bytes: [UInt8], dataStart: Int) {
    var random = SplitMix64(seed: seed)
    let strips = (0..<stripCount).map { strip -> [UInt8] in
      if let own = ownStrips[strip] { return own }
      let coded = coding.noise(
        rows: rows(of: strip).count, of: rowByteCount, width: width, &random)
      return isTurned ? coded.map(\.bitsReversed) : coded
    }
    let start = head(strips.map(\.count), at: 0).count
    let head = head(strips.map(\.count), at: place ?? start)
    return (head + strips.joined(), start)
  }

  private func head(_ counts: [Int], at start: Int) -> [UInt8] {
    var offsets: [Int] = []
    var next = start
    for count in counts {
      offsets.append(next)
      next += count
    }
    var fields = [
      Field(256, 3, [width]), Field(257, 4, [height]),
      Field(258, 3, [Int](repeating: kind.bits, count: kind.samples)),
      Field(259, 3, [coding.rawValue]), Field(262, 3, [kind.photometric]),
      Field(273, offsetType, offsets), Field(277, 3, [kind.samples]),
      Field(279, countType, counts), Field(284, 3, [isPlanar ? 2 : 1]),
    ]
    if let rowsPerStrip { fields.append(Field(278, 4, [rowsPerStrip])) }
    if fillOrder != 1 { fields.append(Field(266, 3, [fillOrder])) }
    if predictor != 1 { fields.append(Field(317, 3, [predictor])) }
    if kind.photometric == 3 {
      let map = (0..<3 << kind.bits).map { ($0 * 40503) & 0xFFFF }
      fields.append(Field(320, 3, map))
    }
    if !kind.extras.isEmpty { fields.append(Field(338, 3, kind.extras)) }
    if kind.sampleFormat != 1 {
      fields.append(Field(339, 3, [Int](repeating: kind.sampleFormat, count: kind.samples)))
    }
    let replaced = Set(more.map(\.tag))
    fields = (fields.filter { !replaced.contains($0.tag) } + more.filter { !$0.values.isEmpty })
      .sorted { $0.tag < $1.tag }
    return laidOut(fields)
  }

  private func laidOut(_ fields: [Field]) -> [UInt8] {
    let word = isBig ? 8 : 4
    var head = Array((isLittleEndian ? "II" : "MM").utf8)
    head += isBig ? number(43, 2) + number(8, 2) + number(0, 2) : number(42, 2)
    head += number(isBig ? 16 : 8, word) + number(fields.count, isBig ? 8 : 2)
    let valuesStart = head.count + fields.count * (isBig ? 20 : 12) + word
    var values: [UInt8] = []
    for field in fields {
      let length = [1: 1, 3: 2, 4: 4, 16: 8][field.type] ?? 1
      let bytes = field.values.flatMap { number($0, length) }
      head += number(field.tag, 2) + number(field.type, 2) + number(field.values.count, word)
      if bytes.count <= word {
        head += bytes + [UInt8](repeating: 0, count: word - bytes.count)
      } else {
        head += number(valuesStart + values.count, word)
        values += bytes
        if !values.count.isMultiple(of: 2) { values.append(0) }
      }
    }
    return head + number(0, word) + values
  }

  private func number(_ number: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }
}

extension UInt8 {
  var bitsReversed: UInt8 {
    (0..<8).reduce(0) { $0 << 1 | self >> $1 & 1 }
  }
}
