internal import Synchronization

extension GrowingIndex {
  /// Finds the markers and makes the passes that a range of MCUs needs.
  /// - Returns: The work done; none if everything was known.
  func grow(over mcus: Range<Int>) throws(PipelineError) -> Work {
    if isKnown(mcus) { return .none }
    return try growth.withLock { growth throws(PipelineError) -> Work in
      // Another thread may have extended the index meanwhile.
      if isKnown(mcus) { return .none }
      let segments = segments(of: mcus)
      let before = growth.finder.position
      try expectPass(to: mcus.upperBound, after: before)
      try findMarkers(upTo: segments.upperBound, &growth)
      var work = Work(
        bytesRead: countedBytes(growth.finder.position - before), pixelsDecoded: 0,
        pixelsDelivered: 0)
      guard needsPass else { return work }
      for segment in segments where known.withLock({ segment < $0.starts.count }) {
        work = work + (try pass(over: segment, to: last(of: mcus, in: segment), &growth.parts))
      }
      return work
    }
  }

  /// Announces the read of the coded data before an MCU, as far as its place can be guessed.
  private func expectPass(to mcu: Int, after position: Int) throws(PipelineError) {
    guard file.isRemote else { return }
    let reach = known.withLock { $0.reaches.values.map(\.bit).max() ?? 0 } >> 3
    let start = max(position, reach)
    let end = jpeg.codedStart + Int(mean * Double(mcu))
    if start < end { try file.expect([start..<end]) }
  }

  private func isKnown(_ mcus: Range<Int>) -> Bool {
    known.withLock { known in
      guard known.irregular >= mcus.upperBound else { return true }
      let segments = segments(of: mcus)
      guard segments.upperBound <= known.starts.count else { return false }
      return !needsPass
        || segments.allSatisfy { segment in
          known.reaches[segment].map { $0.mcu >= last(of: mcus, in: segment) } ?? false
        }
    }
  }

  private func segments(of mcus: Range<Int>) -> Range<Int> {
    mcus.lowerBound / segmentLength..<(mcus.upperBound - 1) / segmentLength + 1
  }

  private func last(of mcus: Range<Int>, in segment: Int) -> Int {
    min(mcus.upperBound, (segment + 1) * segmentLength)
  }

  /// Finds the starts of the first `segments` segments, marker by marker.
  ///
  /// Markers are numbered only modulo 8, so none can be skipped. An unexpected marker makes all
  /// data after it irregular, because decoders differ in how they recover.
  private func findMarkers(upTo segments: Int, _ growth: inout Growth) throws(PipelineError) {
    let interval = jpeg.restartInterval
    // After an irregular marker the search ends.
    guard interval > 0, known.withLock({ $0.irregular == .max }) else { return }
    let perSegment = segmentLength / interval
    var count = known.withLock { $0.starts.count }
    while count < segments {
      // The finder does not go back, so each start found must be kept even if the next read fails.
      guard let marker = try growth.finder.next(), (0xD0...0xD7).contains(marker.code),
        Int(marker.code & 7) == growth.markers % 8
      else {
        let mcu = (growth.markers + 1) * interval
        return known.withLock { $0.markIrregular(from: mcu) }
      }
      growth.markers += 1
      guard growth.markers % perSegment == 0 else { continue }
      known.withLock { $0.starts.append(marker.end) }
      count += 1
    }
  }

  /// Continues the pass that began with a segment, up to an MCU of this or a later segment.
  private func pass(
    over segment: Int, to target: Int, _ parts: inout EntropyPass.Parts
  ) throws(PipelineError) -> Work {
    var place = known.withLock { known in
      known.reaches[segment]
        ?? EntryPoint(
          mcu: segment * segmentLength, bit: known.starts[segment] * 8, predictors: .zero)
    }
    let pass = EntropyPass(file: file, jpeg: jpeg, tables: tables, spacing: spacing)
    var work = Work.none
    while place.mcu < target {
      // With restart markers, parts would contain markers, at which their passes end.
      let count = jpeg.restartInterval == 0 ? parts.count : 1
      let progress = try pass.advance(from: place, to: target, parts: count)
      let isRegular = known.withLock { known in
        guard known.insert(progress.points) else { return false }
        known.reaches[segment] = progress.end
        if progress.isIrregular { known.markIrregular(from: progress.end.mcu) }
        return !progress.isIrregular
      }
      parts.adapt(to: progress)
      place = progress.end
      work =
        work
        + Work(
          bytesRead: countedBytes(progress.bytesRead), unit: .mcu,
          unitsWalked: progress.mcusWalked, pixelsDecoded: 0, pixelsDelivered: 0)
      if !isRegular { break }
    }
    return work
  }

  // MARK: Completion

  func completeIndex() throws(PipelineError) { try complete() }

  /// Completes the index, on several cores if there are several.
  /// - Throws: `PipelineError`: `unsupported` when the data is irregular anywhere or its end marker
  ///   is missing, `damaged` when the file is cut off.
  @discardableResult
  func complete() throws(PipelineError) -> SeekIndex {
    if let stored {
      if let whole = try? SeekIndex(stored, componentCount: jpeg.components.count) { return whole }
      known.withLock { $0.stored = nil }
    }
    return try growth.withLock { growth throws(PipelineError) in try complete(&growth) }
  }

  private func complete(_ growth: inout Growth) throws(PipelineError) -> SeekIndex {
    let count = segmentCount
    try expectPass(to: jpeg.mcuCount, after: growth.finder.position)
    try findMarkers(upTo: count, &growth)
    if known.withLock({ $0.starts.count }) == count {
      let groups = max(1, min(EntropyPass.mostParts, count, file.length / EntropyPass.partLength))
      let parts = growth.parts
      _ = try concurrently(groups) { group throws(PipelineError) in
        try complete(group * count / groups..<(group + 1) * count / groups, parts)
      }
    }
    var (irregular, index, last) = known.withLock { known in
      (known.irregular, known.points, known.reaches.values.first { $0.mcu == jpeg.mcuCount })
    }
    if irregular == .max, let last, let end = try findEnd(after: last) {
      index.scanEnd = end
      if index.isComplete { return index }
    }
    let place = irregular == .max ? "its end" : "MCU \(irregular)"
    throw .refusal("index", file.path, "its coded data breaks the rules at \(place)")
  }

  /// Parses a group of segments, and checks that they end where the next group starts.
  private func complete(
    _ segments: Range<Int>, _ parts: EntropyPass.Parts
  ) throws(PipelineError) {
    var parts = parts
    let target = min(segments.upperBound * segmentLength, jpeg.mcuCount)
    _ = try pass(over: segments.lowerBound, to: target, &parts)
    guard target < jpeg.mcuCount else { return }
    known.withLock { known in
      guard let end = known.reaches[segments.lowerBound], end.mcu == target,
        end.bit != known.starts[segments.upperBound] * 8
      else { return }
      known.markIrregular(from: target)
    }
  }

  /// Returns the offset of the end marker after the last MCU; nil if something else follows.
  private func findEnd(after last: EntryPoint) throws(PipelineError) -> Int? {
    try ScanFault.reading { () throws(ScanFault) in
      var reader = try ScanReader(file, jpeg, tables, spacing: spacing, at: last, expecting: 4096)
      return try reader.findEnd()
    }
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
    if let reason = jpeg.scanRefusal { throw .refusal("index", file.path, reason) }
    return try GrowingIndex(file, jpeg, try ScanTables(jpeg, of: file.path)).complete()
  }
}
