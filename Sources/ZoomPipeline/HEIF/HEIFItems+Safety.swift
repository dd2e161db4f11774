extension HEIFItems {
  /// Throws if libheif would end the process over a file, or take more memory than the budget.
  ///
  /// libheif (1.15) decodes an item that refers to itself, directly or through others, again and
  /// again with more threads each time, until the process ends. It also opens files that the carver
  /// refuses, so the tables are read even if other parts of the file are irregular. A list of
  /// references must end where its box does: libheif ignores the size and reads on after the list.
  static func assertSafe(
    _ file: some CodedSource, _ limits: PictureLimits
  ) throws(PipelineError) {
    guard let boxes = try? HEIFFile.boxes(of: file, most: mostBoxes) else { return }
    guard boxes.count <= mostBoxes else {
      throw file.damage("it has more than \(mostBoxes) boxes")
    }
    for table in boxes.filter({ $0.type == "meta" }).map(\.content) {
      guard table.count <= HEIFFile.mostMeta else {
        throw file.damage("its table of items takes more than \(HEIFFile.mostMeta.megabytes)")
      }
      try limits.memory.assertHolds(
        mostBytesPerByte * table.count, for: "its table of items", operation: "open", file.path)
      let meta = try file.bytes(at: table.lowerBound, count: table.count)
      let references: [Reference]
      do throws(HEIFRefusal) { references = try self.references(in: meta) } catch {
        throw file.damage(error.reason)
      }
      guard let decodes = decodes(references) else {
        throw file.damage("one of its items is made of itself")
      }
      guard decodes <= mostDecodes else {
        throw file.damage("one of its items is made of more than \(mostDecodes) others")
      }
    }
  }

  /// Writers make three to ten boxes, or some thousands for fragments of videos.
  private static let mostBoxes = 1 << 16
  /// A grid has at most 65,536 tiles, and its alpha as many.
  private static let mostDecodes = 1 << 18

  /// The memory per byte of tables: libheif (1.15) allocates 170 bytes for a box of eight bytes,
  /// and `HEIFItems` 16 bytes per property number.
  private static let mostBytesPerByte = 32

  /// Returns all references; throws at the first box that cannot be read.
  private static func references(in meta: [UInt8]) throws(HEIFRefusal) -> [Reference] {
    var references: [Reference] = []
    var reader = BoxReader(meta)
    // Version and flags.
    _ = try reader.take(4)
    while !reader.isAtEnd {
      let box = try reader.box()
      if box.type == "iref" { try readReferences(meta, box, into: &references) }
    }
    return references
  }

  /// Returns the number of decodes that the costliest item takes; nil if an item refers to itself.
  private static func decodes(_ references: [Reference]) -> Int? {
    // A derived image decodes each item as often as it is listed, and an image decodes its alpha.
    var parts: [Int: [Int]] = [:]
    for reference in references {
      switch reference.type {
      case "dimg": parts[reference.source, default: []] += reference.targets
      case "auxl":
        for image in reference.targets { parts[image, default: []].append(reference.source) }
      default: break
      }
    }
    // An item is counted when all its parts are. Items that remain depend on a cycle.
    var waiting = parts.mapValues(\.count)
    var users: [Int: [Int]] = [:]
    for (item, list) in parts { for part in list { users[part, default: []].append(item) } }
    var costs: [Int: Int] = [:]
    var done = Array(Set(users.keys).subtracting(parts.keys))
    var most = 1
    while let item = done.popLast() {
      let cost = min(1 + (costs[item] ?? 0), mostDecodes + 1)
      most = max(most, cost)
      for user in users[item] ?? [] {
        costs[user] = min((costs[user] ?? 0) + cost, mostDecodes + 1)
        waiting[user, default: 0] -= 1
        if waiting[user] == 0 { done.append(user) }
      }
    }
    return waiting.values.contains { $0 > 0 } ? nil : most
  }
}
