/// An encoder that makes a small JPEG of a window's MCUs from the picture's own coded bits.
///
/// The code of an MCU depends on earlier MCUs only through its DC values. So the encoder recodes
/// the DC values of the first MCU of each run against the preceding MCU in the window, and copies
/// the bits of the others, most of them without parsing. The result is a standard JPEG without
/// restart markers, which makes decoders a little slower.
struct WindowEncoder: Sendable {
  /// A JPEG of a part of a picture.
  ///
  /// Its headers are the picture's `decoderHeader` with a new size, no restart interval and, if all
  /// DC values were recoded, complete DC tables.
  struct Result {
    let bytes: [UInt8]
    let work: Work
    let found: [EntryPoint]
  }

  let jpeg: JPEGStructure
  let tables: ScanTables
  let file: any CodedSource

  /// Makes the JPEG with the picture's own tables or, if they lack a code, recodes all DC values.
  ///
  /// Entry points are recorded at every `spacing` MCUs; none for nil.
  /// - Returns: Nil if the data is irregular or contradicts the index, or needs a DC difference
  ///   that baseline JPEGs cannot have.
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
    // The only multiple of the largest number that occurs is 0.
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
    return Result(bytes: writer.finish(), work: work, found: reader.found)
  }
}
