/// A flaw in the coded data of one strip.
package enum StripFlaw: Sendable, Hashable {
  /// The strip codes this many more bytes than its rows have.
  case more(Int)
  /// The strip codes this many fewer bytes than its rows have.
  case less(Int)
  /// The last bytes are missing.
  case cut(Int)
  /// Bytes follow the coded data.
  case surplus(Int)
  /// One byte is changed, but the Adler-32 (RFC 1950) still matches the unchanged rows.
  case changedByte(Int)
  /// The Adler-32 is wrong in one bit.
  case wrongSum(bit: Int)
  /// This many bytes of the Adler-32 are missing, 1 to 4.
  case shortSum(Int)
  /// No deflate block is marked as the last one, and no Adler-32 follows.
  case noLastBlock
  /// A block of the reserved type (RFC 1951, 3.2.3) follows the rows.
  case reservedBlock
  /// The two bytes of the zlib header are replaced.
  case header(UInt8, UInt8)
}

/// The settings with which zlib writes a deflate stream.
struct DeflateForm {
  /// 0 stores the bytes.
  var level: Int
  var strategy = 0
  var windowBits = 15
  /// A small level gives short blocks.
  var memoryLevel = 8
  /// The length of equal pieces; each but the last ends its block.
  var pieceLength = Int.max
  /// Whether an empty stored block follows each piece.
  var hasEmptyBlocks = false
}
