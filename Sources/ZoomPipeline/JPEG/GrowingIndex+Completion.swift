internal import Synchronization

extension GrowingIndex {
  func completeIndex() throws(PipelineError) { try complete() }

  /// Completes the index, on several cores if there are several.
  /// - Throws: `PipelineError`: `unsupported` when the data is irregular anywhere or its end marker
  ///   is missing, `damaged` when the file is cut off.
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

  /// Parses the only segment and returns the offset of the scan's end; nil if it is irregular.
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

  /// Parses groups of segments in parallel; returns the offset of the scan's end, nil if irregular.
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

  /// Parses segments, and checks that they end where the next segment starts.
  /// - Returns: The start of the next segment, or the offset of the scan's end.
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
      // A read error may be temporary, so it does not mark the data as irregular.
      if case .irregular = error { known.withLock { $0.markIrregular(from: reader.mcu) } }
      throw error
    }
    guard known.withLock({ $0.insert(reader.found) }) else { throw .irregular }
    return target < jpeg.mcuCount ? starts[segments.upperBound] : try reader.findEnd()
  }
}

extension SeekIndex {
  /// Returns the number of MCUs between points: as many as cover 128 pixels.
  ///
  /// At 4:2:0 that is 8: 6 KB per megapixel. With 16, peeks of 375 pixels take 5 % longer; with 64,
  /// a third.
  static func spacing(for jpeg: JPEGStructure) -> Int { max(1, 128 / jpeg.mcuSize.width) }

  /// Builds the complete index of a JPEG.
  /// - Throws: `PipelineError`: `unsupported` when the scan cannot be entered or is irregular,
  ///   `damaged` when the file is cut off.
  static func build(
    of file: any CodedSource, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> SeekIndex {
    if let reason = jpeg.scanRefusal {
      throw PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
    }
    return try GrowingIndex(file, jpeg, try ScanTables(jpeg, of: file.path)).complete()
  }
}
