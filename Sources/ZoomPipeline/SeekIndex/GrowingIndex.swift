internal import Synchronization

/// A seek index that peeks lay down as far as they need it; safe to use from several threads at once.
///
/// While one peek has the pass go on, others use what is laid down already and do not wait.
final class GrowingIndex: Sendable {
  /// What is laid down.
  struct Laid: Sendable {
    let index: SeekIndex
    /// The first MCU that is not passed.
    let mcu: Int
    /// A byte behind which nothing of the MCUs passed is coded.
    let reach: Int

    init(_ pass: SeekPass) {
      index = pass.index
      mcu = pass.mcu
      reach = pass.bit >> 3 + 2
    }

    func covers(_ end: Int) -> Bool {
      end < index.mcuCount ? end <= mcu : index.isComplete
    }
  }

  private let file: any CodedSource
  private let jpeg: JPEGStructure
  private let layout: EntropyLayout
  /// The index that was made before.
  private let stored: SeekIndex?
  private let pass: Mutex<SeekPass>
  private let latest: Mutex<Laid>

  /// Starts at the scan's first MCU, or with a whole index.
  /// - Throws: `unsupported` when the JPEG is of a kind that cannot be indexed.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, _ layout: EntropyLayout, stored: SeekIndex?
  ) throws(PipelineError) {
    self.file = file
    self.jpeg = jpeg
    self.layout = layout
    self.stored = stored
    let fresh = try SeekPass(file, jpeg, layout, resuming: stored)
    latest = Mutex(Laid(fresh))
    pass = Mutex(fresh)
  }

  /// What is laid down now.
  var laid: Laid { latest.withLock { $0 } }

  /// Goes back to how it started.
  func forget() {
    // A pass that cannot begin would have refused the picture at first.
    guard let fresh = try? SeekPass(file, jpeg, layout, resuming: stored) else { return }
    pass.withLock { pass in
      pass = fresh
      latest.withLock { $0 = Laid(fresh) }
    }
  }

  /// Has the pass go on until so many MCUs are passed.
  /// - Returns: nil when the coded data breaks the rules before; and what going on took.
  /// - Throws: `PipelineError` when the file cannot be read.
  func laid(to end: Int) throws(PipelineError) -> (laid: Laid?, passing: Work) {
    let laid = laid
    if laid.covers(end) { return (laid, .none) }
    let result = pass.withLock { pass -> Result<(Laid?, Work), PipelineError> in
      let (bytes, mcus) = (pass.bytesRead, pass.mcu)
      var isRegular = true
      do throws(PipelineError) {
        try pass.advance(to: end)
      } catch {
        guard error.isRefusal else { return .failure(error) }
        isRegular = false
      }
      let laid = Laid(pass)
      latest.withLock { $0 = laid }
      let passing = Work(
        bytesRead: pass.bytesRead - bytes, unit: .mcu, unitsWalked: pass.mcu - mcus,
        pixelsDecoded: 0, pixelsDelivered: 0)
      return .success((isRegular ? laid : nil, passing))
    }
    return try result.get()
  }
}
