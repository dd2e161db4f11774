extension HEIFItems {
  /// Throws where an item is made of itself, at once or by way of others, or of a great many others.
  ///
  /// libheif (1.15) decodes such an item again and again, each time with more threads, until the process ends.
  /// The tables are read however odd the rest of the file is: what the carver refuses goes to libheif.
  static func assertNoCycle(in file: some CodedSource) throws(PipelineError) {
    func damaged(_ reason: String) -> PipelineError {
      PipelineError(
        .damaged, operation: "open", file: file.path, reason: reason,
        advice: "get a whole copy of the file")
    }
    var start = 0
    for count in 0... {
      guard let box = try? HEIFFile.box(at: start, of: file) else { return }
      guard count < mostBoxes else { throw damaged("it has more than \(mostBoxes) boxes") }
      if box.type == "meta" {
        guard box.content.count <= HEIFFile.mostMeta else {
          throw damaged("its table of items takes more than \(HEIFFile.mostMeta.megabytes)")
        }
        let meta = try file.bytes(at: box.content.lowerBound, count: box.content.count)
        let references = references(in: meta)
        guard !areMany(references) else { throw damaged("it has a great many references") }
        guard let decodes = decodes(references) else {
          throw damaged("one of its items is made of itself")
        }
        guard decodes <= mostDecodes else {
          throw damaged("one of its items is made of more than \(mostDecodes) others")
        }
      }
      start = box.whole.upperBound
    }
  }

  /// Writers make three to ten boxes, and fragments of videos some thousands.
  private static let mostBoxes = 1 << 16
  /// A grid has 65,536 tiles at most; with its alpha as many again.
  private static let mostDecodes = 1 << 18

  /// All lists of references that can be read, however odd the rest is, as long as they are not many.
  private static func references(in meta: [UInt8]) -> [Reference] {
    var references: [Reference] = []
    var reader = BoxReader(meta)
    guard (try? reader.versionAndFlags()) != nil else { return [] }
    while !reader.isAtEnd, let box = try? reader.box() {
      if box.type == "iref" { try? readReferences(meta, box, into: &references) }
    }
    return references
  }

  /// How many decodes the costliest item takes; nil where an item is made of itself.
  private static func decodes(_ references: [Reference]) -> Int? {
    // A derived image decodes those that it lists, as often as it does, and an image its alpha.
    var parts: [Int: [Int]] = [:]
    for reference in references {
      switch reference.type {
      case "dimg": parts[reference.source, default: []] += reference.targets
      case "auxl":
        for image in reference.targets { parts[image, default: []].append(reference.source) }
      default: break
      }
    }
    // Items of which no part is left are counted until none is; what remains is on a way to a cycle.
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
