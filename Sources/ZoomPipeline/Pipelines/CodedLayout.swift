internal import SystemPackage
internal import ZoomGeometry

/// How a picture's file is coded, as far as the work of a read depends on it.
enum CodedLayout: Sendable {
  case jpeg(JPEGStructure)
  case tiles(TIFFTileLayout)
  case other

  /// Looks into a picture's headers.
  ///
  /// One that cannot be read strictly counts as `other`: libvips may still decode it, only its work
  /// is known less well.
  init(of picture: Picture) {
    switch picture.loader {
    case "jpegload":
      self = (try? JPEGStructure(of: picture.path)).map(CodedLayout.jpeg) ?? .other
    case "tiffload":
      // libvips reads the first page too; where the two disagree on its size, one is misled.
      if let layout = try? TIFFTileLayout.read(picture.path), layout.size == picture.storedSize {
        self = .tiles(layout)
      } else {
        self = .other
      }
    default:
      self = .other
    }
  }

  /// The work of decoding the whole picture and handing out `delivered` pixels of it.
  func wholeWork(
    of picture: Picture, delivering delivered: Int, reduction: Reduction = .none
  ) -> Work {
    var work = Work(
      bytesRead: picture.version.length,
      pixelsDecoded: picture.storedSize.reduced(by: reduction).area, pixelsDelivered: delivered)
    switch self {
    case .jpeg(let jpeg):
      work.unitsDecoded = jpeg.mcuCount
      work.unit = .mcu
    case .tiles(let layout):
      work.unitsDecoded = layout.byteCounts.count
      work.unit = .tile
    case .other:
      break
    }
    return work
  }

  /// The work of decoding from the top down to a stored region's last row.
  ///
  /// libvips' sequential readers go in strips of 8 rows, and a JPEG decoder works in MCU rows; with
  /// chroma of lower vertical resolution it needs one MCU row more before it can finish the last.
  /// With a reduction the strips and the region are rows of the reduced picture.
  func workFromTheTop(
    of picture: Picture, to region: PixelRegion, reduction: Reduction = .none, bytesRead: Int?
  ) -> Work {
    let size = picture.storedSize.reduced(by: reduction)
    if picture.reach == .regions {
      // Read in parts even so: libvips goes by the format, not by what was asked for.
      if case .tiles(let tiles) = self { return tiles.work(for: region) }
      return Work(bytesRead: nil, pixelsDecoded: region.area, pixelsDelivered: region.area)
    }
    guard !picture.isInterlaced else {
      return wholeWork(of: picture, delivering: region.area, reduction: reduction)
    }
    let stripEnd = min((region.maxY + 7) / 8 * 8, size.height)
    var work = Work(
      bytesRead: bytesRead, pixelsDecoded: size.width * stripEnd, pixelsDelivered: region.area)
    if case .jpeg(let jpeg) = self {
      let mcuHeight = jpeg.mcuSize.height / reduction.rawValue
      let needsContext = jpeg.components.contains {
        $0.vertical != jpeg.maximumSampling.vertical
      }
      let rows = min((stripEnd + (needsContext ? 1 : 0) + mcuHeight - 1) / mcuHeight, jpeg.mcuRows)
      work.unitsDecoded = rows * jpeg.mcusPerRow
      work.unit = .mcu
      work.pixelsDecoded = size.width * min(rows * mcuHeight, size.height)
    }
    return work
  }
}
