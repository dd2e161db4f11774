internal import SystemPackage
internal import ZoomGeometry

/// Where each restart segment of a baseline JPEG begins: entry points into its coded data.
///
/// At a restart marker the DC predictors return to zero and coding starts on a byte, so a decoder
/// can begin there as if the picture did (ITU-T T.81, E.2.4).
struct RestartIndex: Sendable, Hashable {
  /// MCU rows from one marker to the next.
  let rowsPerSegment: Int
  /// The first coded byte of each segment.
  let starts: [Int]
  /// One past the last segment's last coded byte.
  let end: Int
  /// Bytes read to find the markers.
  let bytesScanned: Int

  /// The coded bytes of segments `range`, including the markers between them.
  func bytes(of range: Range<Int>) -> Range<Int> {
    let isLast = range.upperBound == starts.count
    return starts[range.lowerBound]..<(isLast ? end : starts[range.upperBound] - 2)
  }

  /// The segments' starts as entry points, `jpeg.restartInterval` MCUs apart.
  /// - Returns: nil when they are no index, for which a file of more than 32 terabytes is needed.
  func entries(_ jpeg: JPEGStructure) -> SeekIndex? {
    var entries = SeekIndex(
      spacing: jpeg.restartInterval, componentCount: jpeg.components.count,
      mcuCount: jpeg.mcuCount)
    let zeros = [Int32](repeating: 0, count: jpeg.components.count)
    for start in starts {
      guard start <= SeekIndex.greatestOffset, entries.append(bit: start * 8, predictors: zeros)
      else { return nil }
    }
    entries.finish(at: end)
    return entries
  }

  /// Refuses, with the reason, a JPEG that cannot be entered at whole MCU rows.
  static func check(_ jpeg: JPEGStructure, file: FilePath) throws(PipelineError) {
    let reason: String? =
      if let refusal = jpeg.scanRefusal {
        refusal
      } else if jpeg.restartInterval == 0 {
        "it has no restart markers"
      } else if jpeg.restartInterval % jpeg.mcusPerRow != 0 {
        "its restart interval of \(jpeg.restartInterval) MCUs is not a whole number of rows"
          + " of \(jpeg.mcusPerRow)"
      } else if jpeg.restartInterval >= jpeg.mcuCount, jpeg.mcuRows > 4 {
        "its only restart segment is the whole picture"
      } else {
        nil
      }
    if let reason {
      throw PipelineError(.unsupported, operation: "restart", file: file, reason: reason)
    }
  }

  /// Finds the markers in one pass over the file.
  ///
  /// Every one must be there, numbered in turn, with the end marker after the last: a file that is
  /// cut off or was patched is an error here, as it would have a decoder guess.
  static func scan(
    _ file: any CodedSource, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> RestartIndex {
    try check(jpeg, file: file.path)
    let expected = (jpeg.mcuCount + jpeg.restartInterval - 1) / jpeg.restartInterval
    var finder = MarkerFinder(file: file, position: jpeg.codedStart)
    var starts = [jpeg.codedStart]
    while let marker = try finder.next() {
      switch marker.code {
      case 0xD0...0xD7:
        guard Int(marker.code & 7) == (starts.count - 1) % 8, starts.count < expected else {
          throw damaged("restart marker \(starts.count) is out of turn", file.path)
        }
        starts.append(marker.end)
      case 0xD9:
        guard starts.count == expected else {
          throw damaged(
            "it ends after \(starts.count) of \(expected) restart segments", file.path)
        }
        return RestartIndex(
          rowsPerSegment: jpeg.restartInterval / jpeg.mcusPerRow, starts: starts,
          end: marker.end - 2, bytesScanned: finder.position)
      default:
        throw PipelineError(
          .unsupported, operation: "restart", file: file.path,
          reason: "more than one scan or header follows its first")
      }
    }
    throw damaged(
      "it is cut off: no end marker after \(starts.count) of \(expected) restart segments",
      file.path)
  }

  private static func damaged(_ reason: String, _ file: FilePath) -> PipelineError {
    PipelineError(
      .damaged, operation: "find restart markers", file: file, reason: reason,
      advice: "get a whole copy of the file")
  }
}
