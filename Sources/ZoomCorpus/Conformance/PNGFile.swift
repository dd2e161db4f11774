internal import CZlib
internal import ZoomGeometry
internal import ZoomPipeline

/// PNGs that are written without libpng, so that their bytes are the same everywhere.
enum PNGFile {
  /// Returns a PNG of noise, unfiltered: any bytes are what a filter may have made of a row.
  static func noise(_ recipe: ConformanceRecipe) -> [UInt8] {
    let (colourType, bits) = (recipe.colourType ?? 2, recipe.bits ?? 8)
    // The samples of a pixel (PNG 11.2.2); 3 is a palette.
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 1
    let (width, height) = recipe.sides
    let isInterlaced = recipe.isInterlaced == true
    let form = [UInt8(bits), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
    // The first column and row of each pass of Adam7 (PNG 8.2) and its steps, and then of all pixels.
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2), (0, 0, 1, 1),
    ][isInterlaced ? 0..<7 : 7..<8]
    let (filters, step) = (recipe.filters ?? [0, 1, 2, 3, 4], recipe.step ?? 1)
    var rows: [UInt8] = []
    for (left, top, across, down) in passes where left < width {
      let columns = (width - left + across - 1) / across
      for (number, y) in stride(from: top, to: height, by: down).enumerated() {
        rows.append(UInt8(filters[number % filters.count]))
        for place in 0..<(columns * samples * bits + 7) / 8 {
          let noise = LatticeHash.below(255 / step + 1, UInt64(left * 8 + top), place, y)
          rows.append(UInt8(noise * step))
        }
      }
    }
    return bytes(big32(width) + big32(height) + form, recipe.chunks ?? [:], rows)
  }

  /// Returns a PNG of pixels of 8 or 16 bits, without filters.
  static func bytes(of pixels: Pixels) -> [UInt8] {
    let (samples, size) = (pixels.bigEndian, pixels.size)
    let length = samples.count / size.height
    let form = [UInt8(8 * pixels.format.byteCount), [0, 0, 4, 2, 6][pixels.bands], 0, 0, 0]
    let rows = (0..<size.height).flatMap { [0] + samples[$0 * length..<($0 + 1) * length] }
    return bytes(big32(size.width) + big32(size.height) + form, [:], rows)
  }

  private static func bytes(
    _ header: [UInt8], _ chunks: [String: [UInt8]], _ rows: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes.appendChunk("IHDR") { $0 += header }
    for (type, data) in chunks.sorted(by: { $0.key < $1.key }) {
      bytes.appendChunk(type) { $0 += data }
    }
    bytes.appendChunk("IDAT") { $0 += zlib(rows) }
    bytes.appendChunk("IEND") { _ in }
    return bytes
  }

  /// Returns a zlib stream (RFC 1950) of stored blocks; what zlib makes depends on its version.
  static func zlib(_ plain: [UInt8]) -> [UInt8] {
    // A window of 32 KB, no dictionary; 0x7801 is a multiple of 31.
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: plain.count, by: 40_000) {
      let block = plain[start..<min(start + 40_000, plain.count)]
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      stream += [block.endIndex == plain.count ? 1 : 0, low, high, ~low, ~high]
      stream += block
    }
    let sum = plain.withUnsafeBufferPointer { adler32_z(1, $0.baseAddress, $0.count) }
    return stream + big32(Int(sum))
  }
}
