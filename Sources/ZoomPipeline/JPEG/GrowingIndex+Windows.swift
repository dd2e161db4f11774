internal import Synchronization
internal import ZoomGeometry

extension GrowingIndex {
  /// Makes a small JPEG of a window's MCUs from the picture's own coded bits.
  ///
  /// The code of an MCU depends on earlier MCUs only through its DC values. So the DC values of the
  /// first MCU of each run are recoded against the preceding MCU in the window, and the bits of the
  /// others are copied, most of them without parsing. If the picture's tables lack a code, all DC
  /// values are recoded with complete DC tables.
  ///
  /// The result is a standard JPEG without restart markers, which makes decoders a little slower.
  /// Entry points found on the way are added to the index, unless a stored one has them all.
  ///
  /// For a reduction the JPEG has a size of whole blocks; see `ofWholeJPEGBlocks`.
  /// - Returns: Nil if the data is irregular or contradicts the index, or needs a DC difference
  ///   that baseline JPEGs cannot have.
  func encode(
    _ plan: WindowPlan, _ reduction: Reduction = .none
  ) throws(PipelineError) -> (bytes: [UInt8], work: Work)? {
    try ScanFault.reading { () throws(ScanFault) in
      do throws(ScanFault) {
        return try encode(plan, reduction, recoding: false)
      } catch {
        guard case .missingCode = error else { throw error }
        return try encode(plan, reduction, recoding: true)
      }
    }
  }

  private func encode(
    _ plan: WindowPlan, _ reduction: Reduction, recoding: Bool
  ) throws(ScanFault) -> (bytes: [UInt8], work: Work) {
    guard let first = plan.runs.first else { throw .irregular }
    let reduced = plan.window.part.size.reduced(by: reduction)
    let header = jpeg.header(
      width: reduced.width * reduction.rawValue, height: reduced.height * reduction.rawValue,
      replacing: recoding ? HuffmanTable.completeSegments(for: tables.dcNumbers) : [])
    var writer = CodedWriter(
      header: header, expecting: plan.runs.reduce(64) { $0 + $1.byteCount })
    let codes =
      recoding
      ? tables.dcTables.map { _ in HuffmanTable.completeDifferences } : tables.dcTables
    var written = Predictors.zero
    // A stored index has all points, so none need be recorded; with `.max` only MCU 0 is.
    let isGrowing = stored == nil
    var reader = try ScanReader(
      file, jpeg, tables, spacing: isGrowing ? spacing : .max, at: first.entry,
      expecting: first.byteCount)
    for run in plan.runs {
      if run != first { try reader.enter(run.entry, expecting: run.byteCount) }
      try reader.skip(to: run.mcus.lowerBound)
      while reader.mcu < run.mcus.upperBound {
        let end = min(run.mcus.upperBound, jpeg.restart(after: reader.mcu))
        try reader.recode(&written, codes, all: recoding, into: &writer)
        if recoding { continue }
        try reader.copy(to: end, jump: run.jump, into: &writer)
        written = reader.predictors
      }
    }
    if isGrowing { add(reader.found) }
    let work = Work(
      bytesRead: countedBytes(reader.bytesRead), unitsDecoded: plan.window.count, unit: .mcu,
      unitsWalked: plan.mcusWalked, pixelsDecoded: reduced.area, pixelsDelivered: 0)
    return (writer.finish(), work)
  }

  /// Adds the points that are not known yet; a repeated peek finds hardly any.
  private func add(_ found: [EntryPoint]) {
    let new = unknown(of: found)
    guard !new.isEmpty else { return }
    known.withLock { known in
      // Blocks of a stored index, which `forget` may have brought back, must stay whole.
      guard known.stored == nil else { return }
      for point in new { _ = known.points.insert(point) }
    }
  }

  /// Returns the points that are not known yet; a snapshot that lived longer would make `insert` copy the index.
  private func unknown(of found: [EntryPoint]) -> [EntryPoint] {
    let points = snapshot.points
    return found.filter { points.point(at: $0.mcu / spacing) == nil }
  }
}
