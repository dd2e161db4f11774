/// Makes a small JPEG of just the MCUs of a window, out of the picture's own coded bits.
///
/// What is coded in an MCU depends on those before it by its DC values alone. So the first MCU of
/// each run has them written anew, against those of the MCU that comes before it in the window; the
/// bits of all others are copied, most of them unread. The result is a standard JPEG without restart
/// markers, with which decoders are a little slower.
struct WindowEncoder: Sendable {
  /// A JPEG, and what making it took.
  struct Result {
    let bytes: [UInt8]
    let bytesRead: Int
  }

  private let jpeg: JPEGStructure
  private let layout: EntropyLayout

  init(_ jpeg: JPEGStructure, _ layout: EntropyLayout) {
    self.jpeg = jpeg
    self.layout = layout
  }

  /// Makes the JPEG.
  /// - Returns: nil when the data is not what the index was made from, or needs a DC difference that
  ///   no baseline JPEG has.
  /// - Throws: `PipelineError` when the file cannot be read.
  func encode(_ plan: WindowPlan, reading file: any CodedSource) throws(PipelineError) -> Result? {
    var stretches: [ArraySlice<UInt8>] = []
    stretches.reserveCapacity(plan.stretches.count)
    var bytesRead = 0
    for read in plan.reads {
      let bytes = try file.bytes(at: read.bytes.lowerBound, count: read.bytes.count)
      bytesRead += bytes.count
      for stretch in plan.stretches[read.stretches] {
        let start = stretch.bytes.lowerBound - read.bytes.lowerBound
        // The file became shorter.
        guard start + stretch.bytes.count <= bytes.count else { return nil }
        stretches.append(bytes[start..<start + stretch.bytes.count])
      }
    }
    try file.assertUntouched()
    guard let bytes = encode(plan, stretches) else { return nil }
    return Result(bytes: bytes, bytesRead: bytesRead)
  }

  /// With the picture's own tables if they do, else with all DC values coded anew.
  private func encode(_ plan: WindowPlan, _ stretches: [ArraySlice<UInt8>]) -> [UInt8]? {
    do throws(EntropyFault) {
      return try encode(plan, stretches, recoding: false)
    } catch {
      guard error == .missingCode else { return nil }
      return try? encode(plan, stretches, recoding: true)
    }
  }

  private func encode(
    _ plan: WindowPlan, _ stretches: [ArraySlice<UInt8>], recoding: Bool
  ) throws(EntropyFault) -> [UInt8] {
    let size = plan.window.size(jpeg)
    let header = jpeg.header(
      width: size.width, height: size.height,
      replacing: recoding ? EntropyTable.completeSegment(for: layout.dcNumbers) : [])
    var writer = RunWriter(
      componentCount: layout.componentCount,
      tables: recoding
        ? layout.dcTables.map { _ in EntropyTable.completeDifferences } : layout.dcTables,
      isRecoding: recoding,
      writer: CodedWriter(header: header, expecting: stretches.reduce(64) { $0 + $1.count }))
    var coded = CodedBytes()
    for (stretch, raw) in zip(plan.stretches, stretches) {
      coded.load(raw, from: stretch.bytes.lowerBound)
      var reader = StretchReader(
        layout, interval: jpeg.restartInterval, entry: stretch.entry, coded)
      for run in stretch.runs { try writer.append(run, from: &reader) }
    }
    return writer.finish()
  }
}

/// Writes the runs of a window one behind the other.
private struct RunWriter {
  /// The DC tables of what is written.
  private let tables: [EntropyTable]
  /// Whether they are not the picture's own.
  private let isRecoding: Bool
  private var writer: CodedWriter
  /// The DC values of the last MCU written, one a component.
  private var written: [Int32]

  init(componentCount: Int, tables: [EntropyTable], isRecoding: Bool, writer: CodedWriter) {
    self.tables = tables
    self.isRecoding = isRecoding
    self.writer = writer
    written = [Int32](repeating: 0, count: componentCount)
  }

  consuming func finish() -> [UInt8] { writer.finish() }

  mutating func append(
    _ run: WindowPlan.Run, from reader: inout StretchReader
  ) throws(EntropyFault) {
    try reader.skip(to: run.mcus.lowerBound)
    try recode(isRecoding ? run.mcus.count : 1, &reader)
    guard !isRecoding else { return }
    let start = reader.position
    if let jump = run.jump { try reader.jump(to: jump) }
    try reader.skip(to: run.mcus.upperBound)
    writer.append(start..<reader.position, of: reader.coded)
    written = reader.predictors
  }

  /// Writes MCUs with their DC values coded anew, against what was written last.
  private mutating func recode(
    _ count: Int, _ reader: inout StretchReader
  ) throws(EntropyFault) {
    for _ in 0..<count {
      for each in try reader.visit() {
        let component = each.block.component
        try appendDifference(each.value - written[component], tables[each.block.dc])
        written[component] = each.value
        writer.append(each.ac, of: reader.coded)
      }
    }
  }

  /// Writes a DC difference (T.81, F.1.2.1).
  private mutating func appendDifference(
    _ difference: Int32, _ table: EntropyTable
  ) throws(EntropyFault) {
    let size = Int32.bitWidth - difference.magnitude.leadingZeroBitCount
    guard size <= EntropyTable.mostDifferenceBits, let code = table.code(of: UInt8(size)) else {
      throw .missingCode
    }
    writer.append(code.bits, count: code.length)
    let magnitude = UInt32(bitPattern: difference < 0 ? difference - 1 : difference)
    writer.append(magnitude, count: size)
  }
}
