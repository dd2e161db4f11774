extension HEIFItems {
  /// Throws where an item is made of itself, at once or by way of others.
  ///
  /// libheif (1.15) decodes such an item again and again, each time with more threads, until the process ends.
  /// What no decoder would read in the same way is left alone: libheif has the last word there, too.
  static func assertNoCycle(in file: some CodedSource) throws(PipelineError) {
    guard let meta = (try? HEIFFile(file))?.meta, hasCycle(references(in: meta)) else { return }
    throw PipelineError(
      .damaged, operation: "open", file: file.path, reason: "one of its items is made of itself",
      advice: "get a whole copy of the file")
  }

  /// All lists of references that can be read, however odd the rest is.
  private static func references(in meta: [UInt8]) -> [Reference] {
    var references: [Reference] = []
    var reader = BoxReader(meta)
    guard (try? reader.versionAndFlags()) != nil else { return [] }
    while !reader.isAtEnd, let box = try? reader.box() {
      if box.type == "iref" { try? readReferences(meta, box, into: &references) }
    }
    return references
  }

  private static func hasCycle(_ references: [Reference]) -> Bool {
    // A derived image decodes those that it lists, and an image its alpha.
    var parts: [Int: Set<Int>] = [:]
    for reference in references {
      switch reference.type {
      case "dimg": parts[reference.source, default: []].formUnion(reference.targets)
      case "auxl":
        for image in reference.targets { parts[image, default: []].insert(reference.source) }
      default: break
      }
    }
    // Items of which no part is left are taken away until none is; what remains is on a way to a cycle.
    var waiting = parts.mapValues(\.count)
    var users: [Int: [Int]] = [:]
    for (item, list) in parts { for part in list { users[part, default: []].append(item) } }
    var done = Array(Set(users.keys).subtracting(parts.keys))
    while let item = done.popLast() {
      for user in users[item] ?? [] {
        waiting[user, default: 0] -= 1
        if waiting[user] == 0 { done.append(user) }
      }
    }
    return waiting.values.contains { $0 > 0 }
  }
}
