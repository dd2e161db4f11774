/// Makes a small JPEG of just the MCUs of a window, out of the picture's own coded bits.
///
/// What is coded in an MCU depends on those before it by its DC values alone. So the first MCU of
/// each run has them written anew, against those of the MCU that comes before it in the window; the
/// bits of all others are copied, most of them unread. The result is a standard JPEG without restart
/// markers, with which decoders are a little slower.
struct WindowEncoder: Sendable {
  /// A JPEG of a part of a picture; its headers are the picture's `decoderHeader` but for the size.
  struct Result {
    let bytes: [UInt8]
    /// The MCUs that it holds.
    let window: MCUWindow
    /// What making it took.
    let work: Work
    /// Entry points that were passed.
    let found: [EntryPoint]
  }

  let jpeg: JPEGStructure
  let tables: ScanTables
  let file: any CodedSource

  /// Makes the JPEG, with the picture's own tables if they do, else with all DC values coded anew.
  ///
  /// Entry points at every `spacing` MCUs are noted; none for nil.
  /// - Returns: nil when the data is irregular or not what the index was made from, or needs a DC
  ///   difference that no baseline JPEG has.
  func encode(_ plan: WindowPlan, noting spacing: Int?) throws(PipelineError) -> Result? {
    try ScanFault.reading { () throws(ScanFault) in
      do throws(ScanFault) {
        return try encode(plan, noting: spacing, recoding: false)
      } catch {
        guard case .missingCode = error else { throw error }
        return try encode(plan, noting: spacing, recoding: true)
      }
    }
  }

  private func encode(
    _ plan: WindowPlan, noting spacing: Int?, recoding: Bool
  ) throws(ScanFault) -> Result {
    guard let first = plan.runs.first else { throw .irregular }
    let size = plan.window.size(jpeg)
    let header = jpeg.header(
      width: size.width, height: size.height,
      replacing: recoding ? HuffmanTable.completeSegment(for: tables.dcNumbers) : [])
    var writer = CodedWriter(
      header: header, expecting: plan.runs.reduce(64) { $0 + $1.byteCount })
    let codes =
      recoding
      ? tables.dcTables.map { _ in HuffmanTable.completeDifferences } : tables.dcTables
    var written = Predictors.zero
    // Nothing is a multiple of the largest number but 0.
    var reader = try ScanReader(
      file, jpeg, tables, spacing: spacing ?? .max, at: first.entry, expecting: first.byteCount)
    for run in plan.runs {
      if run != first { try reader.enter(run.entry, expecting: run.byteCount) }
      try reader.skip(to: run.mcus.lowerBound)
      while reader.mcu < run.mcus.upperBound {
        let interval = jpeg.restartInterval
        let end =
          interval > 0
          ? min(run.mcus.upperBound, (reader.mcu / interval + 1) * interval)
          : run.mcus.upperBound
        try reader.recode(&written, codes, all: recoding, into: &writer)
        if recoding { continue }
        try reader.copy(to: end, jump: run.jump, into: &writer)
        written = reader.predictors
      }
    }
    let work = Work(
      bytesRead: reader.bytesRead, unitsDecoded: plan.window.count, unit: .mcu,
      unitsWalked: plan.mcusWalked, pixelsDecoded: 0, pixelsDelivered: 0)
    return Result(
      bytes: writer.finish(), window: plan.window, work: work, found: reader.found)
  }
}
