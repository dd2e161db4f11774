package import PropertyTesting

/// A picture file with the places of its format's parts and numbers, so that changes hit these.
package struct FileStructure: Sendable {
  private(set) var bytes: [UInt8]
  private let format: MutantFormat
  /// Chunks, segments and boxes, which can be removed, duplicated or moved.
  private var parts: [Range<Int>] = []
  /// For each box, the offsets of the lengths of its ancestors and its own, the outermost first.
  private var boxes: [[Int]] = []
  /// Lengths, sizes, counts and types.
  private var fields: [Field] = []

  private struct Field: Sendable {
    let at: Int
    let count: Int
    var isBig = true
    /// Whether the number is written in decimal digits.
    var isText = false

    func written(_ value: UInt64) -> [UInt8] {
      if isText { return Array("\(value)".utf8) }
      let places = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
      return isBig ? places.reversed() : places
    }
  }

  package init(_ bytes: [UInt8], _ format: MutantFormat) {
    self.bytes = bytes
    self.format = format
    switch format {
    case .jpeg: findSegments()
    case .png: findChunks(from: 8, isBig: true, isPadded: false)
    case .webp: findChunks(from: 12, isBig: false, isPadded: true)
    case .heif, .jp2k, .jxl: findBoxes(0..<bytes.count, in: [])
    case .tiff: findDirectories()
    case .gif: findBlocks()
    case .ppm, .rad, .matrix: findDigits()
    }
    fields.removeAll { $0.at + $0.count > bytes.count }
    parts.removeAll { $0.upperBound > bytes.count || $0.isEmpty }
  }

  /// Returns the bytes after `count` changes, half of them to the parts and numbers of the format.
  package func mutated(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    var copy = self
    for _ in 0..<count {
      let length = copy.bytes.count
      if Bool.random(using: &random) {
        copy.changeStructure(&random)
      } else {
        copy.changeBytes(&random)
      }
      // The change has moved the parts and numbers.
      if copy.bytes.count != length { copy = FileStructure(copy.bytes, format) }
    }
    // Decoders do not look at a PNG's chunks if their checksums are wrong.
    if format == .png, Int.random(in: 0..<8, using: &random) > 0 {
      for chunk in FileStructure(copy.bytes, format).parts {
        let sum = chunk.upperBound - 4..<chunk.upperBound
        copy.bytes.replaceSubrange(
          sum, with: pngChecksum(of: copy.bytes[chunk.lowerBound + 4..<sum.lowerBound]))
      }
    }
    return copy.bytes
  }

  // MARK: Changes

  /// Numbers at which counts of bits, bytes, pixels and samples overflow.
  private static let limits: [UInt64] = [
    0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 255, 256, 4095, 32_767, 32_768, 65_500, 65_534, 65_535, 65_536,
    1 << 20, 1 << 24, (1 << 30) - 1, 1 << 30, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
    1 << 62, (1 << 63) - 1, 1 << 63, .max,
  ]

  private mutating func changeStructure(_ random: inout SplitMix64) {
    if format == .tiff, Int.random(in: 0..<3, using: &random) == 0 {
      rewriteDirectory(&random)
      return
    }
    if !boxes.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
      growBox(&random)
    } else if parts.count > 1, fields.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
      changeParts(&random)
    } else if let field = fields.randomElement(using: &random) {
      let old = value(of: field)
      let new =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: old &+ 1
        case 1: old &- 1
        case 2: old &* 2
        // Another field's number, so that two fields agree that should differ.
        case 3: fields.randomElement(using: &random).map { value(of: $0) } ?? 0
        default: Self.limits.randomElement(using: &random) ?? 0
        }
      set(field, to: new)
    } else {
      changeBytes(&random)
    }
  }

  /// Appends bytes to a box and corrects the lengths of it and of the boxes around it, so that
  /// it holds more than its contents need.
  private mutating func growBox(_ random: inout SplitMix64) {
    guard let path = boxes.randomElement(using: &random), let at = path.last,
      let other = parts.randomElement(using: &random)
    else { return }
    let more =
      Bool.random(using: &random)
      ? Array(bytes[other].prefix(64))
      : [UInt8](repeating: 0, count: Int.random(in: 1...12, using: &random))
    let end = at + number(at, 4)
    // An earlier change may have written a length beyond the file's end.
    guard end <= bytes.count else { return }
    for at in path {
      set(Field(at: at, count: 4), to: UInt64(number(at, 4) + more.count))
    }
    bytes.insert(contentsOf: more, at: end)
  }

  private mutating func changeParts(_ random: inout SplitMix64) {
    guard let one = parts.randomElement(using: &random),
      let other = parts.randomElement(using: &random)
    else { return }
    let copy = Array(bytes[one])
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange(one)
    case 1: bytes.insert(contentsOf: copy, at: other.lowerBound)
    case 2: bytes.replaceSubrange(other, with: copy)
    default:
      guard one.upperBound <= other.lowerBound else { return }
      bytes.insert(contentsOf: copy, at: other.upperBound)
      bytes.removeSubrange(one)
    }
  }

  /// Bytes with a meaning in some format, above all in JPEG.
  private static let telling: [UInt8] = [
    0, 1, 2, 0x11, 0x22, 0x7F, 0x80, 0xC0, 0xC1, 0xC2, 0xC4, 0xC9, 0xD0, 0xD3, 0xD7, 0xD8, 0xD9,
    0xDA, 0xDB, 0xDC, 0xDD, 0xE0, 0xEE, 0xFE, 0xFF,
  ]

  /// Makes one change, in half of the cases to the headers.
  private mutating func changeBytes(_ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    // Headers are a small part of a file, and the part with most to break.
    let header = format == .jpeg ? JPEGBytes(bytes).codedStart : 512
    let place = Int.random(
      in: 0..<(Bool.random(using: &random) ? bytes.count : min(bytes.count, header)),
      using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
    case 3: bytes[place] = Self.telling.randomElement(using: &random) ?? 0
    case 4:
      let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
      bytes.removeSubrange(place..<end)
    case 5:
      let more = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      bytes.insert(contentsOf: more, at: place)
    case 6:
      let byte = Self.telling.randomElement(using: &random) ?? 0
      bytes.insert(contentsOf: [0xFF, byte], at: place)
    case 7:
      let run = bytes[place..<min(bytes.count, place + Int.random(in: 1...80, using: &random))]
      bytes.insert(contentsOf: run, at: Int.random(in: 0..<bytes.count, using: &random))
    default:
      bytes.removeSubrange(place...)
      if format == .jpeg, Bool.random(using: &random) { bytes += [0xFF, 0xD9] }
    }
  }

  // MARK: Numbers

  private func number(_ at: Int, _ count: Int, isBig: Bool = true) -> Int {
    // Limited to more than any file here has, so that sums do not overflow.
    Int(min(value(of: Field(at: at, count: count, isBig: isBig)), 1 << 40))
  }

  private func value(of field: Field) -> UInt64 {
    guard field.at >= 0, field.at + field.count <= bytes.count else { return 0 }
    let part = bytes[field.at..<field.at + field.count]
    if field.isText { return UInt64(String(decoding: part, as: UTF8.self)) ?? 0 }
    return (field.isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func set(_ field: Field, to value: UInt64) {
    // An earlier change may have altered the file's length.
    guard field.at + field.count <= bytes.count else { return }
    bytes.replaceSubrange(field.at..<field.at + field.count, with: field.written(value))
  }

  private mutating func addNumbers(_ range: Range<Int>, _ counts: [Int], isBig: Bool) {
    for count in counts {
      for at in stride(from: range.lowerBound, to: range.upperBound - count + 1, by: count) {
        fields.append(Field(at: at, count: count, isBig: isBig))
      }
    }
  }

  // MARK: Formats

  /// Finds the segments of a JPEG (T.81 B.1.1.4).
  private mutating func findSegments() {
    let markers = JPEGBytes(bytes).markers
    for (marker, next) in zip(markers, markers.dropFirst()) {
      parts.append(marker.at - 1..<next.at - 1)
      // Fields: the marker, the segment's length, and numbers inside the segment.
      fields.append(Field(at: marker.at, count: 1))
      guard !(0xD0...0xD9).contains(marker.code) else { continue }
      fields.append(Field(at: marker.at + 1, count: 2))
      if (0xC0...0xC2).contains(marker.code) {
        // Height and width, then identifiers, sampling factors and tables of components.
        addNumbers(marker.at + 4..<marker.at + 8, [2], isBig: true)
        // A mutant's header may be shorter.
        let end = next.at - 1
        addNumbers(min(marker.at + 8, end)..<end, [1], isBig: true)
      }
      if marker.code == 0xDD { addNumbers(marker.at + 3..<marker.at + 5, [2], isBig: true) }
    }
  }

  /// Finds the chunks of a PNG or RIFF: length, type and data, in a PNG followed by a checksum.
  private mutating func findChunks(from start: Int, isBig: Bool, isPadded: Bool) {
    if !isBig { fields.append(Field(at: 4, count: 4, isBig: false)) }
    var at = start
    while at + 8 <= bytes.count {
      let length = number(isBig ? at : at + 4, 4, isBig: isBig)
      let end = at + 8 + length + (isBig ? 4 : 0) + (isPadded ? length & 1 : 0)
      guard end <= bytes.count else { break }
      parts.append(at..<end)
      fields.append(Field(at: isBig ? at : at + 4, count: 4, isBig: isBig))
      let body = at + 8..<min(end, at + 8 + 24)
      addNumbers(body, isBig ? [4, 1] : [4, 2, 1], isBig: isBig)
      at = end
    }
  }

  /// Finds the boxes of ISO base media, JPEG 2000 and JPEG XL, some of them nested.
  private mutating func findBoxes(_ range: Range<Int>, in path: [Int]) {
    let holders: [String: Int] = [
      "meta": 12, "iref": 12, "iprp": 8, "ipco": 8, "iinf": 14, "moov": 8, "jp2h": 8, "dinf": 8,
    ]
    var at = range.lowerBound
    while at + 8 <= range.upperBound {
      var length = number(at, 4)
      let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      if length == 0 { length = range.upperBound - at }
      guard length >= 8, at + length <= range.upperBound else { break }
      if number(at, 4) == length { boxes.append(path + [at]) }
      parts.append(at..<at + length)
      fields.append(Field(at: at, count: 4))
      if let header = holders[type], path.count < 5, header < length {
        findBoxes(at + header..<at + length, in: path + [at])
      } else {
        addNumbers(at + 8..<min(at + length, at + 8 + 48), [4, 2, 1], isBig: true)
      }
      at += length
    }
    // A bare codestream.
    if path.isEmpty, parts.isEmpty { addNumbers(0..<min(range.count, 64), [4, 2, 1], isBig: true) }
  }

  /// Finds the parts of a GIF 89a: a screen, a table, then blocks that consist of sub-blocks.
  private mutating func findBlocks() {
    guard bytes.count > 13 else { return }
    addNumbers(6..<10, [2], isBig: false)
    addNumbers(10..<13, [1], isBig: false)
    var at = 13 + (bytes[10] & 0x80 != 0 ? 3 << (Int(bytes[10] & 7) + 1) : 0)
    while at < bytes.count, bytes[at] != 0x3B {
      let start = at
      if bytes[at] == 0x2C, at + 10 < bytes.count {
        addNumbers(at + 1..<at + 9, [2], isBig: false)
        addNumbers(at + 9..<at + 11, [1], isBig: false)
        at += 11 + (bytes[at + 9] & 0x80 != 0 ? 3 << (Int(bytes[at + 9] & 7) + 1) : 0)
      } else {
        at += 2
      }
      while at < bytes.count, bytes[at] != 0 {
        fields.append(Field(at: at, count: 1))
        at += Int(bytes[at]) + 1
      }
      at += 1
      parts.append(start..<at)
    }
  }

  /// Finds decimal numbers in the first lines.
  private mutating func findDigits() {
    for digits in bytes.prefix(200).split(whereSeparator: { !(0x30...0x39).contains($0) }) {
      fields.append(Field(at: digits.startIndex, count: digits.count, isText: true))
    }
  }

  // MARK: TIFF

  /// The sizes of a directory's parts in TIFF 6.0, section 2, and BigTIFF.
  private struct TIFFForm {
    let isBig: Bool
    let word: Int
    var count: Int { word == 8 ? 8 : 2 }
    var entry: Int { 4 + 2 * word }
  }

  private var tiffForm: TIFFForm {
    let isBig = bytes.first == 0x4D
    return TIFFForm(isBig: isBig, word: number(2, 2, isBig: isBig) == 43 ? 8 : 4)
  }

  private mutating func findDirectories() {
    let form = tiffForm
    let first = form.word
    fields.append(Field(at: first, count: form.word, isBig: form.isBig))
    var at = number(first, form.word, isBig: form.isBig)
    for _ in 0..<4 where at > 0 && at + form.count <= bytes.count {
      fields.append(Field(at: at, count: form.count, isBig: form.isBig))
      let count = min(number(at, form.count, isBig: form.isBig), 64)
      guard count > 0 else { return }
      for entry in 0..<count {
        let start = at + form.count + entry * form.entry
        parts.append(start..<start + form.entry)
        for (offset, length) in [(0, 2), (2, 2), (4, form.word), (4 + form.word, form.word)] {
          fields.append(Field(at: start + offset, count: length, isBig: form.isBig))
        }
        // A SHORT value occupies the first half of its field.
        fields.append(Field(at: start + 4 + form.word, count: 2, isBig: form.isBig))
      }
      let next = at + form.count + count * form.entry
      fields.append(Field(at: next, count: form.word, isBig: form.isBig))
      at = number(next, form.word, isBig: form.isBig)
    }
  }

  /// Tags that define the layout: sizes, samples, compression, strips, tiles, planes.
  private static let tags: [UInt64] = [
    254, 256, 257, 258, 259, 262, 273, 274, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 330,
    338, 339, 347, 530,
  ]

  /// Appends a copy of the first directory with entries changed, duplicated, swapped or removed.
  private mutating func rewriteDirectory(_ random: inout SplitMix64) {
    let form = tiffForm
    let at = number(form.word, form.word, isBig: form.isBig)
    guard at > 0, at + form.count <= bytes.count else { return }
    let count = min(number(at, form.count, isBig: form.isBig), 64)
    let end = at + form.count + count * form.entry
    guard count > 0, end + form.word <= bytes.count else { return }
    func written(_ value: UInt64, _ count: Int) -> [UInt8] {
      Field(at: 0, count: count, isBig: form.isBig).written(value)
    }
    var entries = (0..<count).map {
      Array(bytes[at + form.count + $0 * form.entry..<end].prefix(form.entry))
    }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<entries.count, using: &random)
      // An entry of a type from BYTE to IFD8, with a value at some limit.
      let tag = Self.tags.randomElement(using: &random) ?? 256
      let type = UInt64.random(in: 1...18, using: &random)
      let values = [1, 1, 1, Self.limits.randomElement(using: &random) ?? 1]
      let made =
        written(tag, 2) + written(type, 2)
        + written(values.randomElement(using: &random) ?? 1, form.word)
        + written(Self.limits.randomElement(using: &random) ?? 0, form.word)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where entries.count > 1: entries.remove(at: place)
      case 1: entries.insert(entries[place], at: Int.random(in: 0...place, using: &random))
      case 2: entries.insert(made, at: place)
      // The same tag again, with another value.
      case 3: entries.insert(Array(entries[place].prefix(2)) + made.dropFirst(2), at: place + 1)
      case 4: entries[place] = Array(entries[place].prefix(2)) + made.dropFirst(2)
      default: entries.swapAt(place, Int.random(in: 0..<entries.count, using: &random))
      }
    }
    let next = Array(bytes[end..<end + form.word])
    set(Field(at: form.word, count: form.word, isBig: form.isBig), to: UInt64(bytes.count))
    bytes += written(UInt64(entries.count), form.count) + entries.flatMap(\.self) + next
  }
}
