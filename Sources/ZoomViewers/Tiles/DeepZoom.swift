internal import ForeignPipelines
internal import ZoomGeometry

/// Deep Zoom: `card.dzi`, and tiles `card_files/LEVEL/COLUMN_ROW.png`. Level 0 is one pixel.
extension TileService {
  func deepZoomXML(_ side: Int, _ overlap: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="png" \
    Overlap="\(overlap)" TileSize="\(side)">
      <Size Width="\(picture.size.width)" Height="\(picture.size.height)"/>
    </Image>

    """
  }

  func readDeepZoom(_ path: String, _ side: Int, _ overlap: Int) -> TileQuestion {
    let folder = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex) + "_files/"
    guard path.hasPrefix(folder) else { return .unknown }
    let parts = path.dropFirst(folder.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let stem = Self.stem(parts[1]) else {
      return .outside("\(path) is not LEVEL/COLUMN_ROW.png")
    }
    let place = stem.split(separator: "_", omittingEmptySubsequences: false)
    let last = TileLayout.levels(longerSide)
    return tile([parts[0]] + place, ofLevels: last, side: side, overlap: overlap)
  }
}
