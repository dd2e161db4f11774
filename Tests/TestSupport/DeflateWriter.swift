internal import CZlib

/// Writes zlib streams (RFC 1950), with or without a flaw.
enum DeflateWriter {
  static func stream(_ rows: [UInt8], _ form: DeflateForm, _ flaw: StripFlaw? = nil) -> [UInt8] {
    var plain = rows
    var sum = Self.adler(rows)
    switch flaw {
    case .more(let count):
      plain += (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
      sum = Self.adler(plain)
    case .less(let count):
      plain.removeLast(min(count, plain.count))
      sum = Self.adler(plain)
    case .changedByte(let place): plain[place % plain.count] ^= 0x10
    case .wrongSum(let bit): sum ^= 1 << UInt(bit)
    default: break
    }
    let isOpen = flaw == .noLastBlock || flaw == .reservedBlock
    var coded = Self.blocks(plain, form, isOpen: isOpen)
    switch flaw {
    case .noLastBlock: return coded
    // The blocks end at a whole byte, so the bits 111 begin a last block of type 3.
    case .reservedBlock: coded.append(7)
    case .header(let one, let two): (coded[0], coded[1]) = (one, two)
    default: break
    }
    coded += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt($0)) }
    if case .shortSum(let count) = flaw { coded.removeLast(count) }
    return coded
  }

  private static func adler(_ bytes: [UInt8]) -> UInt {
    bytes.withUnsafeBufferPointer { adler32_z(1, $0.baseAddress, $0.count) }
  }

  /// Returns the zlib header and the blocks; with `isOpen`, whole bytes without a last block.
  private static func blocks(_ plain: [UInt8], _ form: DeflateForm, isOpen: Bool) -> [UInt8] {
    let coded = zlib(
      plain, level: form.level, strategy: form.strategy, windowBits: form.windowBits,
      memoryLevel: form.memoryLevel, pieces: max(1, plain.count / form.pieceLength),
      flush: form.hasEmptyBlocks ? Z_FULL_FLUSH : Z_BLOCK, end: isOpen ? Z_SYNC_FLUSH : Z_FINISH)
    // The caller writes the checksum.
    return isOpen ? coded : Array(coded.dropLast(4))
  }

  /// Returns a zlib stream, flushed after each of the equal pieces but the last.
  static func zlib(
    _ plain: [UInt8], level: Int, strategy: Int, windowBits: Int, memoryLevel: Int,
    pieces: Int = 1, flush: Int32 = Z_NO_FLUSH, end: Int32 = Z_FINISH
  ) -> [UInt8] {
    var stream = z_stream()
    let status = deflateInit2_(
      &stream, Int32(level), Z_DEFLATED, Int32(windowBits), Int32(memoryLevel), Int32(strategy),
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib refuses the settings")
    defer { deflateEnd(&stream) }
    var input = plain
    // Large enough for any settings, with a few bytes for each flush.
    var coded = [UInt8](repeating: 0, count: plain.count + plain.count / 2 + 16 * pieces + 1024)
    input.withUnsafeMutableBufferPointer { input in
      coded.withUnsafeMutableBufferPointer { output in
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        for piece in 0..<pieces {
          let (from, to) = (input.count * piece / pieces, input.count * (piece + 1) / pieces)
          stream.next_in = input.baseAddress.map { $0 + from }
          stream.avail_in = UInt32(to - from)
          let isLast = piece == pieces - 1
          let status = deflate(&stream, isLast ? end : flush)
          precondition(!isLast || status == (end == Z_FINISH ? Z_STREAM_END : Z_OK), "zlib is done")
        }
      }
    }
    return Array(coded.prefix(Int(stream.total_out)))
  }
}
