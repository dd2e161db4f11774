internal import Synchronization

extension GrowingIndex {
  /// Finds the markers and makes the passes that a range of MCUs needs.
  /// - Returns: The work done; none if everything was known.
  func grow(over mcus: Range<Int>) throws(PipelineError) -> Work {
    if isKnown(mcus) { return .none }
    return try growth.withLock { growth throws(PipelineError) in
      try grow(over: mcus, &growth)
    }
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

  private func grow(over mcus: Range<Int>, _ growth: inout Growth) throws(PipelineError) -> Work {
    // Another thread may have extended the index meanwhile.
    if isKnown(mcus) { return .none }
    let segments = segments(of: mcus)
    let before = growth.finder.position
    try findMarkers(upTo: segments.upperBound, &growth)
    var work = Work(
      bytesRead: growth.finder.position - before, pixelsDecoded: 0, pixelsDelivered: 0)
    guard needsPass else { return work }
    for segment in segments where known.withLock({ segment < $0.starts.count }) {
      work = work + (try pass(over: segment, to: last(of: mcus, in: segment), &growth))
    }
    return work
  }

  /// Finds the starts of the first `segments` segments, marker by marker.
  ///
  /// Markers are numbered only modulo 8, so none can be skipped. An unexpected marker makes all
  /// data after it irregular, because decoders differ in how they recover.
  func findMarkers(upTo segments: Int, _ growth: inout Growth) throws(PipelineError) {
    let interval = jpeg.restartInterval
    // After an irregular marker the search ends.
    guard interval > 0, known.withLock({ $0.irregular == .max }) else { return }
    let perSegment = segmentLength / interval
    var starts: [Int] = []
    let had = known.withLock { $0.starts.count }
    var irregular: Int?
    var failure: PipelineError?
    while had + starts.count < segments {
      let marker: (code: UInt8, end: Int)?
      do throws(PipelineError) {
        marker = try growth.finder.next()
      } catch {
        // The finder does not go back, so the starts found so far must be kept.
        failure = error
        break
      }
      guard let marker, (0xD0...0xD7).contains(marker.code),
        Int(marker.code & 7) == growth.markers % 8
      else {
        irregular = (growth.markers + 1) * interval
        break
      }
      growth.markers += 1
      if growth.markers % perSegment == 0 { starts.append(marker.end) }
    }
    known.withLock { known in
      known.starts += starts
      if let irregular { known.markIrregular(from: irregular) }
    }
    if let failure { throw failure }
  }

  /// Continues the pass over a segment, up to an MCU.
  func pass(
    over segment: Int, to target: Int, _ growth: inout Growth
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
      let parts = jpeg.restartInterval == 0 ? growth.parts : 1
      let progress = try pass.advance(from: place, to: target, parts: parts)
      let isRegular = known.withLock { known in
        guard known.insert(progress.points) else { return false }
        known.reaches[segment] = progress.end
        if progress.isIrregular { known.markIrregular(from: progress.end.mcu) }
        return !progress.isIrregular
      }
      if progress.partsWalked > 1 {
        growth.misses = progress.partsJoined > 1 ? 0 : growth.misses + 1
        growth.parts =
          growth.misses > 2 ? 1 : min(EntropyPass.mostParts, max(2, 2 * progress.partsJoined))
      }
      place = progress.end
      work =
        work
        + Work(
          bytesRead: progress.bytesRead, unit: .mcu, unitsWalked: progress.mcusWalked,
          pixelsDecoded: 0, pixelsDelivered: 0)
      if !isRegular { break }
    }
    return work
  }
}
