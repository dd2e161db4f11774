internal import ZoomGeometry
internal import ZoomPipeline

/// A TIFF, written without libtiff: the same bytes everywhere, and kinds that few encoders write.
///
/// Samples are written as they are in memory, whatever the byte order and the predictor make of
/// them.
struct TIFFFile {
  let recipe: ConformanceRecipe
  /// The picture and its smaller copies, each with a separate directory.
  let images: [Pixels]

  private var isBig: Bool { recipe.isBig == true }
  /// The bytes of an offset.
  private var word: Int { isBig ? 8 : 4 }
  private var isTiled: Bool { recipe.tags?[322] != nil }
  /// The height of a tile or strip.
  private var blockHeight: Int { tag(323) ?? tag(278) ?? 16 }

  func bytes() throws(PipelineError) -> [UInt8] {
    var file = Array((recipe.isBigEndian == true ? "MM" : "II").utf8) + number(isBig ? 43 : 42, 2)
    if isBig { file += number(8, 2) + number(0, 2) }
    // The offset of the next directory is written when it is known.
    var link = file.count
    file += number(0, word)
    for (place, image) in images.enumerated() {
      let blocks = try blocks(of: image)
      var offsets = blocks.map { _ in 0 }
      for block in recipe.isReversed == true ? blocks.indices.reversed() : Array(blocks.indices) {
        offsets[block] = file.count
        file += blocks[block]
      }
      if !file.count.isMultiple(of: 2) { file.append(0) }
      file.replaceSubrange(link..<link + word, with: number(file.count, word))
      var tags = tags(of: image)
      // Whether the image is a reduced copy, and the places and lengths of tiles or strips.
      tags[254] = [min(place, 1)]
      tags[isTiled ? 324 : 273] = offsets
      tags[isTiled ? 325 : 279] = blocks.map(\.count)
      link = file.count + (isBig ? 8 : 2) + tags.count * (4 + 2 * word)
      file += directory(tags, link: link)
    }
    return file
  }

  private func tag(_ number: Int) -> Int? { recipe.tags?[number]?.first }

  private func tags(of image: Pixels) -> [Int: [Int]] {
    let (bands, bits) = (image.bands, recipe.bits ?? 8)
    // Pixels of one bit come eight to a byte; the last five bits of a row are not used.
    let width = bits == 1 ? 8 * image.size.width - 5 : image.size.width
    var tags: [Int: [Int]] = [
      256: [width], 257: [image.size.height], 258: [Int](repeating: bits, count: bands), 259: [1],
      262: [bands == 1 ? 1 : 2], 277: [bands],
      339: [Int](repeating: bits == 32 ? 3 : 1, count: bands),
    ]
    if !isTiled { tags[278] = [blockHeight] }
    return tags.merging(recipe.tags ?? [:]) { $1 }
  }

  /// Returns the directory, its link to the next one, which has an offset, and the values after it.
  private func directory(_ tags: [Int: [Int]], link: Int) -> [UInt8] {
    var entries = number(tags.count, isBig ? 8 : 2)
    var values: [UInt8] = []
    for (tag, numbers) in tags.sorted(by: { $0.key < $1.key }) {
      // Values are SHORT, but that for the kind of copy is LONG, and offsets and lengths are LONG
      // or LONG8.
      let length = [273, 279, 324, 325].contains(tag) ? word : tag == 254 ? 4 : 2
      let bytes = numbers.flatMap { number($0, length) }
      entries += number(tag, 2) + number([2: 3, 4: 4][length] ?? 16, 2)
      entries += number(numbers.count, word)
      let isApart = bytes.count > word
      let place = number(link + word + values.count, word)
      entries += isApart ? place : bytes + [UInt8](repeating: 0, count: word - bytes.count)
      values += isApart ? bytes : []
    }
    return entries + number(0, word) + values
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return recipe.isBigEndian == true ? bytes.reversed() : bytes
  }

  /// Returns the coded strips or tiles, from the top and the left, plane by plane.
  private func blocks(of image: Pixels) throws(PipelineError) -> [[UInt8]] {
    let (width, height) = (image.size.width, image.size.height)
    var blocks: [[UInt8]] = []
    for plane in 0..<(tag(284) == 2 ? image.bands : 1) {
      for top in stride(from: 0, to: height, by: blockHeight) {
        // A tile is whole even at the edge, but the last strip is as high as what is left.
        let bottom = isTiled ? top + blockHeight : min(top + blockHeight, height)
        for left in stride(from: 0, to: width, by: tag(322) ?? width) {
          let region = PixelRegion(
            uncheckedX: left, y: top, width: tag(322) ?? width, height: bottom - top)
          let plain = samples(of: region, in: image, plane)
          switch tag(259) ?? 1 {
          // Each tile is a complete JPEG, so chroma ends at its borders.
          case 7:
            blocks.append(
              try JPEGEncoder.encode(plain, size: region.size, JPEGEncoding(quality: 90)))
          case 8: blocks.append(PNGFile.zlib(plain))
          default: blocks.append(plain)
          }
        }
      }
    }
    return blocks
  }

  /// Returns the samples of a block, and in the padding of a tile some that no reader may show.
  private func samples(of region: PixelRegion, in image: Pixels, _ plane: Int) -> [UInt8] {
    let sample = image.format.byteCount
    let count = tag(284) == 2 ? sample : image.bands * sample
    var samples: [UInt8] = []
    for y in region.y..<region.maxY {
      for x in region.x..<region.maxX {
        let isInside = x < image.size.width && y < image.size.height
        let start = ((y * image.size.width + x) * image.bands + plane) * sample
        let padding = [UInt8](repeating: UInt8(truncatingIfNeeded: x * 77 + y * 13), count: count)
        samples += isInside ? image.bytes[start..<start + count] : padding[...]
      }
    }
    return samples
  }
}
