internal import Synchronization

extension GrowingIndex {
  /// Makes the whole index, on several cores where there are.
  /// - Returns: the index; the picture is known to end where its last MCU does.
  /// - Throws: `PipelineError`: `unsupported` when the data is irregular anywhere, `damaged` when the
  ///   file is cut off.
  @discardableResult
  func complete() throws(PipelineError) -> SeekIndex {
    if let whole = try? stored?.whole() { return whole }
    return try growth.withLock { growth throws(PipelineError) in try complete(&growth) }
  }

  private func complete(_ growth: inout Growth) throws(PipelineError) -> SeekIndex {
    try findMarkers(upTo: segmentCount, &growth)
    let end = segmentCount == 1 ? try completeSegment(&growth) : try completeSegments()
    let (irregular, records) = known.withLock { ($0.irregular, $0.points.records) }
    guard irregular == .max, let end,
      let index = SeekIndex(
        spacing: spacing, componentCount: jpeg.components.count, mcuCount: jpeg.mcuCount,
        codedStart: jpeg.codedStart, scanEnd: end, records: records)
    else {
      throw PipelineError(
        .unsupported, operation: "index", file: file.path,
        reason: "its coded data breaks the rules"
          + (irregular == .max ? " at its end" : " at MCU \(irregular)"))
    }
    return index
  }

  /// Walks over the only segment to the scan's end; nil where it is irregular.
  private func completeSegment(_ growth: inout Growth) throws(PipelineError) -> Int? {
    _ = try pass(over: 0, to: jpeg.mcuCount, &growth)
    guard let last = known.withLock({ $0.reaches[0] }), last.mcu == jpeg.mcuCount else {
      return nil
    }
    return try ScanFault.reading { () throws(ScanFault) in
      var reader = try ScanReader(
        file, jpeg, tables, spacing: spacing, at: last, expecting: 4096)
      return try reader.findEnd()
    }
  }

  /// Walks over groups of segments, each from its marker to the next group's; nil where one is irregular.
  private func completeSegments() throws(PipelineError) -> Int? {
    let (starts, count) = (known.withLock { $0.starts }, segmentCount)
    guard starts.count == count else { return nil }
    let groups = max(1, min(EntropyPass.mostParts, count, file.length / EntropyPass.partLength))
    let ends = try concurrently(groups) { group throws(PipelineError) in
      let own = group * count / groups..<(group + 1) * count / groups
      return try ScanFault.reading { () throws(ScanFault) in try walk(own, starts) }
    }
    return ends.contains(nil) ? nil : ends.last.flatMap(\.self)
  }

  /// Walks over segments, of which the last ends where the next one's marker, or the scan's end, is.
  private func walk(_ segments: Range<Int>, _ starts: [Int]) throws(ScanFault) -> Int {
    let entry = EntryPoint(
      mcu: segments.lowerBound * segmentLength, bit: starts[segments.lowerBound] * 8,
      predictors: .zero)
    var reader = try ScanReader(
      file, jpeg, tables, spacing: spacing, at: entry, expecting: ScanReader.largestStretch)
    let target = min(segments.upperBound * segmentLength, jpeg.mcuCount)
    do throws(ScanFault) {
      try reader.skip(to: target)
      if target < jpeg.mcuCount {
        try reader.settle()
        guard reader.fileBit == starts[segments.upperBound] * 8 else { throw .irregular }
      }
    } catch {
      // What cannot be read now may be another time.
      if case .irregular = error { known.withLock { $0.markIrregular(from: reader.mcu) } }
      throw error
    }
    guard known.withLock({ $0.insert(reader.found) }) else { throw .irregular }
    return target < jpeg.mcuCount ? starts[segments.upperBound] : try reader.findEnd()
  }
}

extension SeekIndex {
  /// MCUs between points: those of 128 pixels.
  ///
  /// At 4:2:0 that is 8: 6 KB a megapixel. With 16 a peek of 375 pixels takes 5 % longer, with 64 a
  /// third.
  static func spacing(for jpeg: JPEGStructure) -> Int { max(1, 128 / jpeg.mcuSize.width) }

  /// Makes the whole index of a JPEG.
  /// - Throws: `PipelineError`: `unsupported` when it cannot be entered or is irregular, `damaged`
  ///   when it is cut off.
  static func build(
    of file: any CodedSource, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> SeekIndex {
    if let reason = jpeg.scanRefusal {
      throw PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
    }
    return try GrowingIndex(file, jpeg, try ScanTables(jpeg, of: file.path)).complete()
  }
}
