extension BaselineJPEG {
  /// A scene and checked options, ready to be written whole or piece by piece.
  ///
  /// A file is `prologue`, the pieces in order, `epilogue`. Each piece is a pure function of the
  /// plan, so pieces may be encoded anywhere in any order and still give the same file.
  package struct Plan: Sendable {
    private let scene: any Scene
    private let format: Format

    /// Some bands of one scan that can be coded without knowing what comes before them.
    package struct Piece: Hashable, Sendable {
      package let scan: Int
      /// Bands are rows of interleaved MCUs, whatever the scan holds.
      package let bands: Range<Int>
    }

    /// Checks the options and, if asked for optimised tables, runs over the scene once.
    package init(_ scene: any Scene, options: Options) throws(Failure) {
      var format = try Format(size: scene.size, options: options)
      guard scene.form == options.colour.sourceForm else {
        throw .unsuitableScene(scene.size, scene.form)
      }
      if options.huffman == .optimised {
        format.huffman = Self.optimisedTables(for: scene, format: format)
      }
      self.scene = scene
      self.format = format
    }

    package var prologue: [UInt8] { format.prologue }
    package var epilogue: [UInt8] { format.epilogue }

    /// The pieces of the file in order, each of at least so many bands if there are as many.
    ///
    /// Without restart markers at the starts of bands there is one piece a scan.
    package func pieces(minimumBands: Int = 1) -> [Piece] {
      var pieces: [Piece] = []
      for (number, scan) in format.scans.enumerated() {
        var start = 0
        for band in 1..<max(1, format.layout.bandCount)
        where band - start >= minimumBands && scan.isIndependent(band: band) {
          pieces.append(Piece(scan: number, bands: start..<band))
          start = band
        }
        pieces.append(Piece(scan: number, bands: start..<format.layout.bandCount))
      }
      return pieces
    }

    /// Encodes one piece, handing the bytes to `sink` a band at a time.
    package func encode(_ piece: Piece, to sink: ([UInt8]) throws -> Void) rethrows {
      let scan = format.scans[piece.scan]
      if piece.bands.lowerBound == 0 { try sink(format.header(ofScan: piece.scan)) }
      let coder = BandCoder(format: format)
      let writer = BandWriter(format: format, scan: scan)
      var rows: [UInt8] = []
      for band in piece.bands {
        load(band, into: coder, rows: &rows, scene: scene, layout: format.layout)
        // Bits pend between bands of a piece; the next piece starts with a marker.
        let isLast = band == piece.bands.upperBound - 1
        try sink(writer.write(scan, band: band, coder: coder, isLast: isLast))
      }
      if piece.bands.upperBound == format.layout.bandCount {
        try sink(format.footer(ofScan: piece.scan))
      }
    }

    /// The bytes of one piece.
    package func encoded(_ piece: Piece) -> [UInt8] {
      var bytes: [UInt8] = []
      encode(piece) { bytes += $0 }
      return bytes
    }

    /// Writes the whole file on this thread, in memory for one band.
    package func encode(to sink: ([UInt8]) throws -> Void) rethrows {
      try sink(prologue)
      for piece in pieces(minimumBands: .max) {
        try encode(piece, to: sink)
      }
      try sink(epilogue)
    }

    /// The whole file.
    package func encoded() -> [UInt8] {
      var bytes: [UInt8] = []
      encode { bytes += $0 }
      return bytes
    }

    /// Counts symbols over the whole picture and builds the shortest tables.
    private static func optimisedTables(for scene: any Scene, format: Format) -> HuffmanTables {
      var counter = SymbolCounter(tableCount: format.huffman.tables.count)
      var rows: [UInt8] = []
      for scan in format.scans {
        let coder = BandCoder(format: format)
        for band in 0..<format.layout.bandCount {
          load(band, into: coder, rows: &rows, scene: scene, layout: format.layout)
          coder.code(scan, band: band, into: &counter)
        }
      }
      return HuffmanTables(
        tables: format.huffman.tables.indices.map { table in
          HuffmanTable(frequencies: Array(counter.counts[table * 256..<(table + 1) * 256]))
        })
    }
  }

  /// Makes the rows of a band and hands them to the coder's sampler.
  private static func load(
    _ band: Int, into coder: BandCoder, rows: inout [UInt8], scene: any Scene, layout: Layout
  ) {
    let range = layout.rows(ofBand: band)
    if rows.count < range.count * scene.rowBytes {
      rows = [UInt8](repeating: 0, count: layout.bandHeight * scene.rowBytes)
    }
    scene.fill(rows: range, into: &rows)
    rows.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      coder.sampler.load(base, rowCount: range.count)
    }
  }

  /// A bit writer with the memory that it writes to and the codes that it reads.
  final class BandWriter {
    private let codes: ScratchBuffer<UInt32>
    private let output: ScratchBuffer<UInt8>
    private var bits: BitWriter

    init(format: Format, scan: Scan) {
      let packed = format.huffman.packedCodes
      codes = ScratchBuffer(count: packed.count, repeating: 0)
      for (index, code) in packed.enumerated() {
        codes.base[index] = code
      }
      output = ScratchBuffer(count: BandCoder.capacity(format: format, scan: scan), repeating: 0)
      bits = BitWriter(
        codes: codes.base, output: output.base, fillBytes: format.options.fillBytes)
    }

    /// The bytes that became complete with this band.
    func write(_ scan: Scan, band: Int, coder: BandCoder, isLast: Bool) -> [UInt8] {
      bits.rewind()
      coder.code(scan, band: band, into: &bits)
      if isLast { bits.flush() }
      return Array(UnsafeBufferPointer(start: output.base, count: bits.count))
    }
  }
}
