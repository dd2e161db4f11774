/// The items of a HEIF file: its `meta` box, parsed strictly.
///
/// Refuses files that decoders may read differently: items listed twice, versions and field sizes
/// outside the standards, boxes longer than their content.
struct HEIFItems {
  struct Item {
    let type: String
    let isProtected: Bool
  }

  /// The location of an item's bytes (ISO/IEC 14496-12, 8.11.3).
  struct Location {
    let construction: Int
    let dataReference: Int
    /// The range from the start of the file (`construction` 0) or of the `idat` box (1).
    ///
    /// Writers make one extent per item; the range of an item with another number is nil.
    let range: Range<Int>?
  }

  struct Reference {
    let type: String
    let source: Int
    let targets: [Int]
  }

  struct Association: Hashable {
    /// The number of the property, from 1; 0 for none.
    let property: Int
    let isEssential: Bool
  }

  private let meta: [UInt8]
  private(set) var primary: Int?
  private(set) var items: [Int: Item] = [:]
  private(set) var locations: [Int: Location] = [:]
  private(set) var references: [Reference] = []
  private(set) var associations: [Int: [Association]] = [:]
  private var properties: [Box] = []
  private var dataBox: Range<Int>?

  /// The tiles of two grids of 256 x 256 tiles, the largest possible.
  private static let mostEntries = 1 << 17
  /// The number of tiles of two such grids, and as many other references.
  private static let mostTargets = 1 << 18
  /// Far more than writers make; each takes one or two bytes in the file and up to 16 in memory.
  private static let mostParts = 1 << 20
  /// An item's properties are kept in memory and written again in each carved file.
  private static let mostPropertyBytes = 8_000_000

  init(_ meta: [UInt8]) throws(HEIFRefusal) {
    self.meta = meta
    var reader = BoxReader(meta)
    // Version and flags.
    _ = try reader.take(4)
    let boxes = try reader.boxes(["pitm", "iinf", "iloc", "iref", "iprp", "idat"])
    if let box = boxes["pitm"] { try readPrimary(box) }
    if let box = boxes["iinf"] { try readItems(box) }
    if let box = boxes["iloc"] { try readLocations(box) }
    if let box = boxes["iref"] { try Self.readReferences(meta, box, into: &references) }
    if let box = boxes["iprp"] { try readProperties(box) }
    dataBox = boxes["idat"]?.content
  }

  private static func assertFew(_ count: Int, _ what: String) throws(HEIFRefusal) {
    guard count <= mostEntries else { throw HEIFRefusal("it has more than \(mostEntries) \(what)") }
  }

  private mutating func readPrimary(_ box: Box) throws(HEIFRefusal) {
    var reader = BoxReader(meta, box.content)
    let version = try reader.versionAndFlags(0...1, of: box).version
    primary = try reader.number(version == 0 ? 2 : 4)
    try reader.assertAtEnd("pitm")
  }

  private mutating func readItems(_ box: Box) throws(HEIFRefusal) {
    var reader = BoxReader(meta, box.content)
    let version = try reader.versionAndFlags(0...1, of: box).version
    let count = try reader.number(version == 0 ? 2 : 4)
    try Self.assertFew(count, "items")
    while !reader.isAtEnd, items.count <= count {
      let entry = try reader.box()
      guard entry.type == "infe" else { throw HEIFRefusal("its list of items holds other boxes") }
      var reader = BoxReader(meta, entry.content)
      let version = try reader.versionAndFlags(2...3, of: entry).version
      let id = try reader.number(version == 2 ? 2 : 4)
      let protection = try reader.number(2)
      let item = Item(type: try reader.type(), isProtected: protection != 0)
      guard items.updateValue(item, forKey: id) == nil else {
        throw HEIFRefusal("it lists item \(id) twice")
      }
    }
    guard items.count == count else { throw HEIFRefusal("its list of items has another length") }
  }

  private mutating func readLocations(_ box: Box) throws(HEIFRefusal) {
    var reader = BoxReader(meta, box.content)
    let version = try reader.versionAndFlags(0...2, of: box).version
    let sizes = try reader.number(2)
    let (offset, length) = (sizes >> 12 & 15, sizes >> 8 & 15)
    let (base, index) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    // libheif (1.15) reads no index in version 1, and only construction method 2 uses one.
    guard [offset, length, base, index].allSatisfy({ [0, 4, 8].contains($0) }),
      version == 2 || index == 0
    else { throw HEIFRefusal("its iloc box has fields of unusual sizes") }
    let count = try reader.number(version == 2 ? 4 : 2)
    try Self.assertFew(count, "places of items")
    var parts = 0
    for _ in 0..<count {
      let id = try reader.number(version == 2 ? 4 : 2)
      let construction = version == 0 ? 0 : try reader.number(2) & 15
      let dataReference = try reader.number(2)
      let start = try reader.number(base)
      let count = try reader.number(2)
      parts += count
      guard parts <= Self.mostParts else { throw HEIFRefusal("its items are in many pieces") }
      var range: Range<Int>?
      for _ in 0..<count {
        _ = try reader.number(index)
        let from = start + (try reader.number(offset))
        let (end, overflow) = from.addingReportingOverflow(try reader.number(length))
        guard !overflow else { throw HEIFRefusal("item \(id) is beyond any file") }
        range = count == 1 ? from..<end : nil
      }
      let location = Location(
        construction: construction, dataReference: dataReference, range: range)
      guard locations.updateValue(location, forKey: id) == nil else {
        throw HEIFRefusal("it lists the place of item \(id) twice")
      }
    }
    try reader.assertAtEnd("iloc")
  }

  /// Adds the lists of an `iref` box; throws at the first malformed one, or if there are too many.
  static func readReferences(
    _ meta: [UInt8], _ box: Box, into references: inout [Reference]
  ) throws(HEIFRefusal) {
    var reader = BoxReader(meta, box.content)
    let version = try reader.versionAndFlags(0...1, of: box).version
    let size = version == 0 ? 2 : 4
    var targetCount = references.reduce(0) { $0 + $1.targets.count }
    while !reader.isAtEnd {
      let entry = try reader.box()
      var reader = BoxReader(meta, entry.content)
      let source = try reader.number(size)
      var targets: [Int] = []
      for _ in 0..<(try reader.number(2)) { targets.append(try reader.number(size)) }
      try reader.assertAtEnd("iref")
      targetCount += targets.count
      references.append(Reference(type: entry.type, source: source, targets: targets))
      guard references.count <= mostEntries, targetCount <= mostTargets else {
        throw HEIFRefusal("it has a great many references")
      }
    }
  }

  private mutating func readProperties(_ box: Box) throws(HEIFRefusal) {
    var reader = BoxReader(meta, box.content)
    // The standard allows several `ipma` boxes, but libheif (1.15) reads one.
    let parts = try reader.boxes(["ipco", "ipma"])
    if let list = parts["ipco"] {
      var reader = BoxReader(meta, list.content)
      while !reader.isAtEnd {
        try Self.assertFew(properties.count, "properties")
        properties.append(try reader.box())
      }
    }
    if let list = parts["ipma"] { try readAssociations(list) }
    mergeEqualProperties()
  }

  /// Makes items use the first of equal properties, so that equal lists have equal numbers.
  private mutating func mergeEqualProperties() {
    var first: [ArraySlice<UInt8>: Int] = [:]
    let places = properties.enumerated().map { place, box in
      if let other = first[meta[box.whole]] { return other }
      first[meta[box.whole]] = place + 1
      return place + 1
    }
    guard first.count < places.count else { return }
    associations = associations.mapValues { list in
      list.map { one in
        guard places.indices.contains(one.property - 1) else { return one }
        return Association(property: places[one.property - 1], isEssential: one.isEssential)
      }
    }
  }

  private mutating func readAssociations(_ box: Box) throws(HEIFRefusal) {
    var reader = BoxReader(meta, box.content)
    let (version, flags) = try reader.versionAndFlags(0...1, of: box)
    let size = flags & 1 == 0 ? 1 : 2
    let essential = 1 << (8 * size - 1)
    let count = try reader.number(4)
    try Self.assertFew(count, "lists of properties")
    var parts = 0
    for _ in 0..<count {
      let id = try reader.number(version == 0 ? 2 : 4)
      var list: [Association] = []
      let length = try reader.number(1)
      parts += length
      guard parts <= Self.mostParts else { throw HEIFRefusal("its items have many properties") }
      for _ in 0..<length {
        let value = try reader.number(size)
        list.append(
          Association(property: value & (essential - 1), isEssential: value & essential != 0))
      }
      guard associations.updateValue(list, forKey: id) == nil else {
        throw HEIFRefusal("it lists the properties of item \(id) twice")
      }
    }
    try reader.assertAtEnd("ipma")
  }
}

extension HEIFItems {
  struct Property: Hashable {
    let type: String
    let bytes: [UInt8]
    /// The index in `bytes` at which the content begins.
    let contentOffset: Int
    let isEssential: Bool

    var content: BoxReader { BoxReader(bytes, contentOffset..<bytes.count) }
  }

  func properties(of id: Int) throws(HEIFRefusal) -> [Property] {
    var list: [Property] = []
    var size = 0
    for association in associations[id] ?? [] where association.property > 0 {
      guard association.property <= properties.count else {
        throw HEIFRefusal("item \(id) has a property that is not there")
      }
      let box = properties[association.property - 1]
      size += box.whole.count
      guard size <= Self.mostPropertyBytes else {
        throw HEIFRefusal(
          "item \(id) has properties of more than \(Self.mostPropertyBytes.megabytes)")
      }
      list.append(
        Property(
          type: box.type, bytes: Array(meta[box.whole]),
          contentOffset: box.content.lowerBound - box.whole.lowerBound,
          isEssential: association.isEssential))
    }
    return list
  }

  /// The types of alpha in libheif (1.15); depth, gain maps and others do not change the pixels.
  private static let alphaTypes: Set<String> = [
    "urn:mpeg:avc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:1",
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
  ]

  /// Whether any of some items has an auxiliary item that is its alpha.
  func haveAlpha(_ ids: Set<Int>) -> Bool {
    let auxiliaries = references.filter { $0.type == "auxl" && !ids.isDisjoint(with: $0.targets) }
    // Many references may have the same source.
    return Set(auxiliaries.map(\.source)).contains { auxiliary in
      (associations[auxiliary] ?? []).contains { association in
        guard properties.indices.contains(association.property - 1) else { return false }
        let box = properties[association.property - 1]
        guard box.type == "auxC" else { return false }
        // The text follows version and flags; all known types are shorter than 256 bytes.
        let text = meta[box.content].dropFirst(4).prefix(256).prefix { $0 != 0 }
        return Self.alphaTypes.contains(String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// Returns the range of an item's bytes in the file; throws if it exceeds the file.
  func range(of id: Int, in file: HEIFFile) throws(HEIFRefusal) -> Range<Int> {
    guard let location = locations[id] else { throw HEIFRefusal("item \(id) is nowhere") }
    guard location.dataReference == 0 else { throw HEIFRefusal("its data is in another file") }
    guard let range = location.range, !range.isEmpty else {
      throw HEIFRefusal("item \(id) is empty, or in several pieces")
    }
    switch location.construction {
    case 0:
      guard range.upperBound <= file.length else {
        throw HEIFRefusal("item \(id) is after the file's end")
      }
      return range
    case 1:
      guard let dataBox, range.upperBound <= dataBox.count else {
        throw HEIFRefusal("item \(id) is after the idat box")
      }
      let start = file.metaOffset + dataBox.lowerBound
      return start + range.lowerBound..<start + range.upperBound
    default: throw HEIFRefusal("its data is made of other items' bytes")
    }
  }
}
