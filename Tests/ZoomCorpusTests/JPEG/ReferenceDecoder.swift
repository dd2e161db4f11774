/// A slow sequential decoder written straight from T.81, to hold the encoder against.
///
/// It shares nothing with the encoder, uses floating point, returns component samples at the
/// picture's size by repeating them, and knows several scans, restarts and a late height.
struct ReferenceDecoder {
  struct Component {
    let identifier: UInt8
    let horizontal: Int
    let vertical: Int
    let quantisation: Int
    /// Samples of whole MCUs.
    var plane: [Int] = []
    var stride = 0
  }

  struct Corrupt: Error {
    let why: String
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var components: [Component] = []
  private var steps: [Int: [Int]] = [:]
  private var codes: [UInt8: [Code: UInt8]] = [:]
  private var interval = 0

  private struct Code: Hashable {
    let length: Int
    let bits: Int
  }

  init(_ file: [UInt8]) throws {
    let walk = try MarkerWalk(file)
    let late = walk.all(0xDC).first.map { Int($0.payload[0]) << 8 | Int($0.payload[1]) }
    for (index, segment) in walk.segments.enumerated() {
      let payload = segment.payload
      switch segment.marker {
      case 0xDB:
        steps[Int(payload[0])] = payload.dropFirst().map { Int($0) }
      case 0xC4:
        codes[payload[0]] = Self.codes(payload)
      case 0xDD:
        interval = Int(payload[0]) << 8 | Int(payload[1])
      case 0xC0, 0xC1:
        try readFrame(payload, late: late)
      case 0xDA:
        let rest = walk.segments[index...]
        let restarts = rest.dropFirst().prefix { (0xD0...0xD7).contains($0.marker) }
        try readScan(payload, segments: [segment.coded] + restarts.map(\.coded))
      default:
        break
      }
    }
  }

  /// The sample of a component that covers a pixel.
  func sample(_ component: Int, _ x: Int, _ y: Int) -> Int {
    let it = components[component]
    let across = x * it.horizontal / (components.map(\.horizontal).max() ?? 1)
    let down = y * it.vertical / (components.map(\.vertical).max() ?? 1)
    return it.plane[down * it.stride + across]
  }

  private static func codes(_ payload: [UInt8]) -> [Code: UInt8] {
    var table: [Code: UInt8] = [:]
    var code = 0
    var next = 17
    for length in 1...16 {
      for _ in 0..<payload[length] {
        table[Code(length: length, bits: code)] = payload[next]
        code += 1
        next += 1
      }
      code <<= 1
    }
    return table
  }

  private mutating func readFrame(_ payload: [UInt8], late: Int?) throws {
    guard payload[0] == 8 else { throw Corrupt(why: "precision") }
    let written = Int(payload[1]) << 8 | Int(payload[2])
    height = written == 0 ? late ?? 0 : written
    width = Int(payload[3]) << 8 | Int(payload[4])
    guard width > 0, height > 0 else { throw Corrupt(why: "size") }
    components = (0..<Int(payload[5])).map { index in
      let entry = payload[(6 + index * 3)...].prefix(3).map { $0 }
      return Component(
        identifier: entry[0], horizontal: Int(entry[1] >> 4), vertical: Int(entry[1] & 15),
        quantisation: Int(entry[2]))
    }
    let (wide, high) = mcus
    for index in components.indices {
      components[index].stride = wide * components[index].horizontal * 8
      let rows = high * components[index].vertical * 8
      components[index].plane = Array(repeating: 0, count: components[index].stride * rows)
    }
  }

  private var mcus: (Int, Int) {
    let across = 8 * (components.map(\.horizontal).max() ?? 1)
    let down = 8 * (components.map(\.vertical).max() ?? 1)
    return ((width + across - 1) / across, (height + down - 1) / down)
  }

  private mutating func readScan(_ payload: [UInt8], segments: [[UInt8]]) throws {
    let members = try (0..<Int(payload[0])).map { index in
      guard
        let place = components.firstIndex(where: { $0.identifier == payload[1 + index * 2] })
      else { throw Corrupt(why: "component") }
      return (place, payload[2 + index * 2])
    }
    var blocks: [[(component: Int, tables: UInt8, x: Int, y: Int)]] = []
    var (wide, high) = mcus
    if members.count == 1 {
      let it = components[members[0].0]
      let most = (components.map(\.horizontal).max() ?? 1, components.map(\.vertical).max() ?? 1)
      wide = ((width * it.horizontal + most.0 - 1) / most.0 + 7) / 8
      high = ((height * it.vertical + most.1 - 1) / most.1 + 7) / 8
    }
    for mcu in 0..<wide * high {
      let (row, column) = mcu.quotientAndRemainder(dividingBy: wide)
      if members.count == 1 {
        blocks.append([(members[0].0, members[0].1, column, row)])
        continue
      }
      blocks.append(
        members.flatMap { place, tables in
          let it = components[place]
          return (0..<it.vertical * it.horizontal).map { block in
            (
              place, tables, column * it.horizontal + block % it.horizontal,
              row * it.vertical + block / it.horizontal
            )
          }
        })
    }
    let perSegment = interval == 0 ? blocks.count : interval
    guard segments.count == (blocks.count + perSegment - 1) / perSegment else {
      throw Corrupt(why: "\(segments.count) segments")
    }
    for (number, bytes) in segments.enumerated() {
      var bits = Bits(bytes)
      var predictions: [Int: Int] = [:]
      for mcu in blocks[number * perSegment..<min(blocks.count, (number + 1) * perSegment)] {
        for block in mcu {
          try readBlock(&bits, &predictions, block)
        }
      }
      try bits.finish()
    }
  }

  private struct Bits {
    let bytes: [UInt8]
    var at = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func next() throws -> Int {
      guard at < bytes.count * 8 else { throw Corrupt(why: "out of bits") }
      defer { at += 1 }
      return Int(bytes[at / 8] >> (7 - at % 8)) & 1
    }

    mutating func value(_ size: Int) throws -> Int {
      var value = 0
      for _ in 0..<size { value = try value << 1 | next() }
      return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
    }

    /// What is left must be fewer than 8 bits, all ones.
    mutating func finish() throws {
      guard bytes.count * 8 - at < 8 else { throw Corrupt(why: "bytes left over") }
      while at < bytes.count * 8 {
        guard try next() == 1 else { throw Corrupt(why: "padding") }
      }
    }
  }

  private func symbol(_ bits: inout Bits, _ table: UInt8) throws -> Int {
    guard let codes = codes[table] else { throw Corrupt(why: "no table") }
    var code = 0
    for length in 1...16 {
      code = try code << 1 | bits.next()
      if let symbol = codes[Code(length: length, bits: code)] { return Int(symbol) }
    }
    throw Corrupt(why: "no such code")
  }

  private static let order: [Int] = (0..<64).sorted { one, other in
    func key(_ index: Int) -> (Int, Int) {
      let (row, column) = (index / 8, index % 8)
      return (row + column, (row + column) % 2 == 0 ? column : row)
    }
    return key(one) < key(other)
  }

  private static let cosines: [Double] = {
    // cos((2x + 1) u pi / 16) by the recurrence of Chebyshev, from cos(pi / 16) on.
    let c1 = 0.980785280403230449
    var cosine = [1.0, c1]
    for n in 2..<32 * 8 { cosine.append(2 * c1 * cosine[n - 1] - cosine[n - 2]) }
    return (0..<64).map { index in
      let (x, u) = (index / 8, index % 8)
      return cosine[(2 * x + 1) * u] * (u == 0 ? 0.353553390593273762 : 0.5)
    }
  }()

  private mutating func readBlock(
    _ bits: inout Bits, _ predictions: inout [Int: Int],
    _ block: (component: Int, tables: UInt8, x: Int, y: Int)
  ) throws {
    guard let steps = steps[components[block.component].quantisation] else {
      throw Corrupt(why: "no quantisation")
    }
    var coefficients = [Double](repeating: 0, count: 64)
    let size = try symbol(&bits, block.tables >> 4)
    let dc = try predictions[block.component, default: 0] + bits.value(size)
    predictions[block.component] = dc
    coefficients[0] = Double(dc * steps[0])
    var position = 1
    while position < 64 {
      let symbol = try symbol(&bits, 0x10 | block.tables & 15)
      if symbol == 0 { break }
      position += symbol >> 4
      if symbol != 0xF0 {
        guard position < 64 else { throw Corrupt(why: "run") }
        let value = try bits.value(symbol & 15)
        coefficients[Self.order[position]] = Double(value * steps[position])
      }
      position += 1
    }
    // Rows, then columns.
    var half = [Double](repeating: 0, count: 64)
    for row in 0..<8 {
      for x in 0..<8 {
        for u in 0..<8 {
          half[row * 8 + x] += coefficients[row * 8 + u] * Self.cosines[x * 8 + u]
        }
      }
    }
    let stride = components[block.component].stride
    for y in 0..<8 {
      for x in 0..<8 {
        var sum = 128.5
        for v in 0..<8 { sum += half[v * 8 + x] * Self.cosines[y * 8 + v] }
        let place = (block.y * 8 + y) * stride + block.x * 8 + x
        components[block.component].plane[place] = Int(max(0, min(255, sum)))
      }
    }
  }
}
