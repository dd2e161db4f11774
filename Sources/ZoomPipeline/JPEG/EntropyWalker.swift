/// Why coded bits cannot be followed, or not be written anew.
enum EntropyFault: Error {
  /// They came to an end, are not codes of the tables, or not what an index says.
  case irregular
  /// The tables have no code for a DC difference.
  case missingCode
}

/// Steps through coded MCUs without decoding a coefficient.
///
/// Only lengths are followed, and the DC predictors, which is all that entering a scan needs.
/// Anything that a strict reader would not expect ends the walk: what a decoder makes of broken
/// data is its own affair, and the caller lets it.
struct EntropyWalker {
  /// One block of an MCU: its DC value, and where the codes of its AC coefficients stand.
  struct Visited {
    let block: EntropyLayout.Block
    let value: Int32
    let ac: Range<Int>
  }

  private let layout: EntropyLayout
  /// The next bit.
  private(set) var position: Int
  /// The DC value that the next block of each component is coded against.
  private(set) var predictors: [Int32]

  /// Starts at an MCU.
  /// - Parameters:
  ///   - layout: the picture's Huffman tables.
  ///   - position: the MCU's first bit.
  ///   - predictors: what its DC values are coded against, one a component.
  init(_ layout: EntropyLayout, position: Int, predictors: [Int32]) {
    self.layout = layout
    self.position = position
    self.predictors = predictors
  }

  /// Goes on at another place, without reading what is between.
  mutating func jump(to position: Int, predictors: [Int32]) {
    self.position = position
    self.predictors = predictors
  }

  /// Goes on behind a restart marker.
  /// - Throws: `EntropyFault` when bits are left before it, other than those that fill the last byte.
  mutating func cross(_ restart: CodedBytes.Restart) throws(EntropyFault) {
    guard (position + 7) / 8 == restart.offset else { throw .irregular }
    position = restart.offset * 8
    for component in predictors.indices { predictors[component] = 0 }
  }

  /// Steps over MCUs: the loop in which nearly all the time goes.
  ///
  /// It reads without bounds checks. Each block begins at `limit` or before, and takes at most 27
  /// bits for its DC and 63 codes of at most 31 bits: less than the padding behind the data.
  /// - Parameters:
  ///   - count: how many.
  ///   - coded: where their bits are.
  ///   - limit: one past the last bit that may be theirs, at most `coded.bitCount`.
  /// - Throws: `EntropyFault`; the walker is of no use any more then.
  mutating func skip(
    _ count: Int, in coded: CodedBytes, limit: Int
  ) throws(EntropyFault) {
    precondition(limit <= coded.bitCount)
    guard count > 0, position <= limit else {
      if count > 0 { throw .irregular }
      return
    }
    let start = position
    let layout = layout
    let end = unsafe coded.bytes.withUnsafeBytes { data in
      unsafe predictors.withUnsafeMutableBufferPointer { predictors in
        unsafe layout.withTables { tables in
          var position = start
          for _ in 0..<count {
            for place in unsafe 0..<tables.blocks.count {
              let block = unsafe tables.blocks[place]
              let component = block.component
              guard
                let difference = unsafe tables.difference(block.dc, data, &position)
              else { return -1 }
              unsafe predictors[component] &+= difference
              guard unsafe tables.passCoefficients(block.ac, data, &position), position <= limit
              else { return -1 }
            }
          }
          return position
        }
      }
    }
    guard end >= 0 else { throw .irregular }
    position = end
  }

  /// Steps over one MCU and tells where its parts are, so that it can be written anew.
  /// - Parameters:
  ///   - coded: where its bits are.
  ///   - limit: as for `skip`.
  /// - Returns: its blocks in coding order.
  /// - Throws: `EntropyFault`; the walker is of no use any more then.
  mutating func visit(in coded: CodedBytes, limit: Int) throws(EntropyFault) -> [Visited] {
    precondition(limit <= coded.bitCount)
    var blocks: [Visited] = []
    blocks.reserveCapacity(layout.blocks.count)
    for block in layout.blocks {
      guard position <= limit else { throw .irregular }
      let start = position
      let found = unsafe coded.bytes.withUnsafeBytes { data in
        unsafe layout.withTables { tables -> (difference: Int32, middle: Int, end: Int)? in
          var position = start
          guard let difference = unsafe tables.difference(block.dc, data, &position) else {
            return nil
          }
          let middle = position
          guard unsafe tables.passCoefficients(block.ac, data, &position) else { return nil }
          return (difference, middle, position)
        }
      }
      guard let found, found.end <= limit else { throw .irregular }
      predictors[block.component] &+= found.difference
      position = found.end
      blocks.append(
        Visited(
          block: block, value: predictors[block.component], ac: found.middle..<found.end))
    }
    return blocks
  }
}
