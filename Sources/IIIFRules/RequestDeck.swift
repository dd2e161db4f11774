internal import ForeignPipelines
internal import Measurement
internal import ZoomGeometry

/// Requests for a picture: first a designed list that varies several parameters at a time, then random ones.
struct RequestDeck: Sendable {
  private let information: IIIFInformation
  private var random: SeededRandom
  private let best: String
  private let full: String
  private let width: Int
  private let height: Int

  init(_ information: IIIFInformation, seed: UInt64) {
    self.information = information
    random = SeededRandom(seed: seed, label: "requests")
    best = information.format
    full = information.fullSize
    width = information.size.width
    height = information.size.height
  }

  /// The approximate longest side of an answer, so that a gigapixel service is not asked for gigabytes.
  static let mostSide = 400
  /// The most pixels of an answer; the whole picture is requested only up to an eighth of it.
  static let mostPixels = 64 * mostSide * mostSide

  private func request(
    _ region: String, _ size: String? = nil, _ rotation: String = "0",
    _ quality: String = "default", _ format: String? = nil
  ) -> IIIFRequest {
    IIIFRequest(
      region: region, size: size ?? full, rotation: rotation, quality: quality,
      format: format ?? best)
  }

  /// Returns a region inside the picture at the given fractions of its sides, with odd numbers.
  private func part(_ x: Double, _ y: Double, _ w: Double, _ h: Double) -> [Int] {
    let across = max(1, min(Int(Double(width) * w), Self.mostSide) | 1)
    let down = max(1, min(Int(Double(height) * h), Self.mostSide) | 1)
    return [
      min(Int(Double(width) * x) | 1, max(0, width - across)),
      min(Int(Double(height) * y) | 1, max(0, height - down)),
      min(across, width), min(down, height),
    ]
  }

  private func text(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ",")
  }

  /// Returns a reduced length that seldom divides the side evenly, so that a grid shifted by a
  /// fraction of a pixel shows.
  private func reduced(_ side: Int, _ divisor: Double) -> Int {
    max(1, Int(Double(side) / divisor))
  }

  /// Percentages that end in .9, chosen so that a server that drops the .9 puts every edge but the
  /// last at least a pixel too early, whichever way it rounds.
  private var telling: String {
    func percent(_ side: Int, near start: Int) -> String {
      let places = (start..<start + 20).filter {
        let exact = Double(side) * (Double($0) + 0.9) / 100
        let part = exact - exact.rounded(.down)
        return part > 0.02 && part < min(0.45, Double(side) * 0.009 - 0.52)
      }
      return "\(places.first ?? start).9"
    }
    return [
      percent(width, near: 12), percent(height, near: 23), percent(width, near: 33),
      percent(height, near: 21),
    ].joined(separator: ",")
  }

  /// Returns the first requests, chosen to try the rules of each parameter.
  mutating func designed() -> [IIIFRequest] {
    let one = part(0.31, 0.23, 0.41, 0.37)
    let other = part(0.12, 0.47, 0.33, 0.46)
    let third = part(0.53, 0.05, 0.29, 0.51)
    let edge = part(1, 1, 0.22, 0.27)
    let over = [width - edge[2], height - edge[3], edge[2] + 37, edge[3] + 53]
    let wide = min(reduced(width, 3.3), Self.mostSide)
    let up = information.version == .three ? "^" : ""
    let near = [one[0], one[1], max(1, one[2] - 7), max(1, one[3] - 5)]
    var deck = [
      // Several parameters at a time, so that a fault in any step is found early.
      request(text(one)),
      request(text(over), nil, "!90", "color"),
      request(text(other), "\(reduced(other[2], 1.7)),\(reduced(other[3], 2.3))", "180"),
      request("pct:\(telling)", "pct:61.9", "270"),
      request("pct:\(telling)"),
      request("square", ",\(min(reduced(min(width, height), 2.1), Self.mostSide))", "!0", "gray"),
      request(text(third), "!\(reduced(third[2], 2)),\(third[3])", "90", "bitonal"),
      request("full", "\(wide),"),
      request(text(other), nil, "0", "default", "jpg"),
      request("\(one[0]),\(one[1]),0,\(one[3])"),
      request("\(width),0,\(one[2]),\(one[3])"),
      request(text(one), "\(up)\(one[2] * 3 / 2),"),
      request(text(other), nil, "22.9"),
      request(text(one), nil, "361"),
      request(text(one), nil, "0", "colour"),
      request(text(one), nil, "0", "default", "xyz"),
      // The same region with another parameter, to find cached answers that are mixed up.
      request(text(one), nil, "!0"),
      request(text(one), nil, "0", "gray"),
      request(text(one), nil, "90"),
      request(text(one), nil, "0", "default", "jpg"),
      request(text(near)),
      request(text(third), "\(up)\(third[2] + 20),"),
      request(text(third), "\(third[2] + 20),"),
      request(text(part(0, 0, 0.95, 0.95)), "pct:83.9"),
      request(text(third), nil, "180", "bitonal"),
      request(text(other), nil, "270", "gray"),
      request(text(edge), nil, "!180"),
      request(text(edge), "0,"),
      request(text(third), "pct:41.3"),
      request("\(third[0]),\(third[1]),2147483647,4294967295"),
      request(text(edge), "!\(edge[2] * 2),\(edge[3] * 2)"),
      request("\(one[0]),\(one[1]),2,\(one[3])", "\(up)9,\(one[3])"),
      request(text(edge), ",\(reduced(edge[3], 1.4))", "270"),
      request("pct:50,50,60,60"),
      request("\(width - 1),\(height - 1),1,1"),
      request("0,0,\(min(width, Self.mostSide)),1"),
      request("\(width - 1),0,1,\(min(height, Self.mostSide))", nil, "90"),
      request(text(other), "\(up)pct:120"),
      request(text(one), "!\(one[2]),\(reduced(one[3], 3))"),
      request("\(one[0]),\(one[1]),\(one[2]),0"),
      request("0,\(height),\(one[2]),\(one[3])"),
      request("pct:10,10,0,10"),
      request("pct:100,0,10,10"),
      request(text(third), "pct:0"),
      request(text(third), ",0"),
      request(text(third), nil, "!270", "gray"),
      request(text(third), nil, "0", "color"),
      request(text(one), nil, "0", "gray", "jpg"),
      request(text(one), nil, "-90"),
      request(text(one), nil, "360"),
      request("pct:0,0,100,100", "!\(wide),\(wide)"),
      request(text(third), "\(up)\(third[2] + 31),\(third[3] + 7)"),
      // Like an earlier request, but with ^, which makes it another picture.
      request(text(edge), "\(up)!\(edge[2] * 2),\(edge[3] * 2)"),
      request(text(edge), "\(up)max"),
      request(text(edge), "max"),
      request("\(third[0]),\(third[1]),\(third[2]),2", "\(up)\(third[2]),7"),
    ]
    if let limit = information.maxWidth, limit < Self.mostSide * 2 {
      deck.insert(request("full", "\(up)\(limit + 1),"), at: 24)
      deck.insert(request("full", "\(up)\(limit),"), at: 24)
    }
    if width * height <= Self.mostSide * Self.mostSide { deck.insert(request("full"), at: 7) }
    deck += Self.malformed.map { malformed($0, one) }
    return deck
  }

  private typealias Field = any WritableKeyPath<IIIFRequest, String> & Sendable

  /// Parameters outside the grammar: nearly right, wrong, and hostile.
  private static let malformed: [(field: Field, text: String)] = [
    (\.region, "1,2,3"), (\.region, "-1,0,20,20"), (\.region, "1.5,0,20,20"), (\.region, "a,b,c,d"),
    (\.region, "pct:1e1,0,50,50"), (\.region, "pct:+5,0,50,50"), (\.region, "pct:101,0,5,5"),
    (\.region, "Full"), (\.region, "99999999999999999999,0,5,5"), (\.region, "0,0,5,5,5"),
    (\.region, "../../../etc/passwd"), (\.region, "%00"), (\.region, " 0,0,5,5"),
    (\.size, "1e2,"), (\.size, "-5,"), (\.size, "5.5,"), (\.size, "5"), (\.size, ","),
    (\.size, "!5,"), (\.size, "pct:-5"), (\.size, "pct:"), (\.size, "99999999999999999999,"),
    (\.size, "max,max"),
    (\.rotation, "!"), (\.rotation, "90!"), (\.rotation, "1e2"), (\.rotation, "+90"),
    (\.rotation, "nan"), (\.rotation, "ninety"), (\.quality, "Default"), (\.quality, "grey"),
    (\.format, "PNG"), (\.format, "exe"),
  ]

  private func malformed(_ what: (field: Field, text: String), _ region: [Int]) -> IIIFRequest {
    var made = request(text(region))
    made[keyPath: what.field] = what.text
    return made
  }

  mutating func next() -> IIIFRequest {
    let (region, width, height) = drawnRegion()
    var drawn = request(region)
    drawn.size = drawnSize(of: (width, height))
    drawn.rotation = pick([(60, "0"), (10, "90"), (8, "180"), (8, "270"), (5, "!0"), (5, "!90")])
    if chance(0.04) { drawn.rotation = "\(random.index(below: 361))" }
    drawn.quality = pick([(78, "default"), (8, "color"), (9, "gray"), (5, "bitonal")])
    if chance(0.1) { drawn.format = "jpg" }
    if chance(0.06) {
      return malformed(Self.malformed[random.index(below: Self.malformed.count)], [0, 0, 9, 9])
    }
    return drawn
  }

  private mutating func chance(_ share: Double) -> Bool { random.unit() < share }

  private mutating func pick<Value>(_ choices: [(weight: Int, Value)]) -> Value {
    var rest = random.index(below: choices.reduce(0) { $0 + $1.weight })
    for (weight, value) in choices {
      if rest < weight { return value }
      rest -= weight
    }
    return choices[0].1
  }

  /// Draws a region and returns it with its approximate size.
  private mutating func drawnRegion() -> (String, width: Int, height: Int) {
    switch pick([(70, 0), (12, 1), (6, 2), (6, 3), (6, 4)]) {
    case 1:
      let (x, w) = (random.index(below: 900), 1 + random.index(below: 400))
      let (y, h) = (random.index(below: 900), 1 + random.index(below: 400))
      let limited = min(h, max(1, Self.mostSide * 1000 / height))
      let narrow = min(w, max(1, Self.mostSide * 1000 / width))
      return (
        "pct:\(Self.tenths(x)),\(Self.tenths(y)),\(Self.tenths(narrow)),\(Self.tenths(limited))",
        max(1, min(width * narrow, width * (1000 - x)) / 1000),
        max(1, min(height * limited, height * (1000 - y)) / 1000)
      )
    case 2: return ("square", min(width, height), min(width, height))
    case 3: return ("full", width, height)
    case 4:
      let (w, h) = (side(width), side(height))
      let (x, y) = (width - min(w, width - 1), height - min(h, height - 1))
      return ("\(x),\(y),\(w + 9),\(h + 14)", width - x, height - y)
    default:
      let (w, h) = (side(width), side(height))
      let (x, y) = (place(width - w), place(height - h))
      return ("\(x),\(y),\(w),\(h)", w, h)
    }
  }

  private static func tenths(_ number: Int) -> String {
    number % 10 == 0 ? "\(number / 10)" : "\(number / 10).\(number % 10)"
  }

  /// Draws a length; those near the sides of blocks and tiles are more frequent.
  private mutating func side(_ whole: Int) -> Int {
    let most = min(whole, Self.mostSide)
    let drawn =
      chance(0.3)
      ? [1, 2, 7, 8, 9, 15, 16, 17, 255, 256, 257][random.index(below: 11)]
      : 1 + random.index(below: most)
    return min(drawn, most)
  }

  /// Draws an offset from 0 to `last`; both ends and offsets near blocks and tiles are more frequent.
  private mutating func place(_ last: Int) -> Int {
    guard last > 0 else { return 0 }
    switch pick([(15, 0), (15, 1), (20, 2), (50, 3)]) {
    case 0: return 0
    case 1: return last
    case 2:
      let block = [8, 16, 64, 256][random.index(below: 4)]
      let at = block * (1 + random.index(below: max(1, last / block)))
      return min(last, max(0, at + random.index(below: 3) - 1))
    default: return random.index(below: last + 1)
    }
  }

  private mutating func drawnSize(of region: (width: Int, height: Int)) -> String {
    let isLarge = max(region.width, region.height) > Self.mostSide * 2
    let up = information.version == .three && chance(0.3) ? "^" : ""
    func part(_ side: Int) -> Int {
      max(1, min(side, Self.mostSide))
    }
    let w = 1 + random.index(below: part(region.width))
    let h = 1 + random.index(below: part(region.height))
    let kind = pick([
      (isLarge ? 0 : 40, 0), (12, 1), (12, 2), (12, 3), (12, 4), (isLarge ? 0 : 9, 5), (3, 6),
    ])
    switch kind {
    case 1: return "\(w),"
    case 2: return ",\(h)"
    case 3: return "\(w),\(h)"
    case 4: return "!\(w),\(h)"
    case 5: return "pct:\(Self.tenths(50 + random.index(below: 900)))"
    case 6:
      return "\(up)\(part(region.width) + 1 + random.index(below: 50)),"
    default: return full
    }
  }
}
