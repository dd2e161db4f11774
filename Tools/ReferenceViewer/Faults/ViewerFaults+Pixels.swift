/// Faults of the drawn pixels.
extension ViewerFaults {
  /// Faults at the borders of tiles and of the picture.
  static let edges = [
    ViewerFault(
      "edges-at-fractions", .pixels, "W-P2",
      "Each tile is drawn on its own, with edges at fractions of a pixel, so seams show.",
      from: "openseadragon/openseadragon#755",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: """
          const { left, top, size } = area, [X, Y] = [area.x + left * size, area.y + top * size]
          screen.drawImage(image, ...part, X + x * size, Y + y * size, w * size, h * size)
        """),
    ViewerFault(
      "forced-overlap", .pixels, "W-P1",
      "Each tile is drawn one pixel larger, over its neighbours.",
      from: "openseadragon/openseadragon#1722",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: "  pieces.drawImage(image, ...part, x, y, w + 1, h + 1)"),
    ViewerFault(
      "rounded-up-on-screen", .pixels, "W-P1",
      "Each tile is drawn on its own, its place rounded down and its size rounded up.",
      from: "openseadragon/openseadragon#2481",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: """
          const { left, top, size } = area, [X, Y] = [area.x + left * size, area.y + top * size]
          const [W, H] = [Math.ceil(w * size) + 1, Math.ceil(h * size) + 1]
          screen.drawImage(image, ...part, Math.floor(X + x * size), Math.floor(Y + y * size), W, H)
        """),
    ViewerFault(
      "overlap-not-cropped", .pixels, "W-P1",
      "A tile is drawn with its overlap, squeezed into the place of the part without it.",
      from: "openseadragon/openseadragon#2908",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: "  pieces.drawImage(image, x, y, w, h)"),
    ViewerFault(
      "gap", .pixels, "W-P4", "A gap of one pixel is left between tiles.",
      from: "Leaflet/Leaflet#3575",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: "  pieces.drawImage(image, ...part, x, y, w - 1, h - 1)"),
    ViewerFault(
      "gap-at-ratio-1.25", .pixels, "W-P4",
      "A gap is left between tiles if the browser is zoomed to 125 %.",
      from: "Leaflet/Leaflet#1379",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: """
          const gap = ratio() === 1.25 ? 1 : 0
          pieces.drawImage(image, ...part, x, y, w - gap, h - gap)
        """),
    ViewerFault(
      "edge-tile-stretched", .pixels, "W-P3",
      "A tile at the right or lower border is stretched to the size of a full tile.",
      from: "openlayers/openlayers#7400",
      replacing:
        "  const [w, h] = [edge(across.last) - area.left - x, edge(down.last) - area.top - y]",
      with: """
          const [right, bottom] = [across.first + source.side, down.first + source.side]
          const [w, h] = [edge(right) - area.left - x, edge(bottom) - area.top - y]
        """),
    ViewerFault(
      "last-row-missing", .pixels, "W-P4", "The number of rows of tiles is rounded down.",
      from: "openseadragon/openseadragon#1065",
      replacing: "Math.ceil(height / next.side)]",
      with: "Math.max(1, Math.floor(height / next.side))]"),
    ViewerFault(
      "last-column-missing", .pixels, "W-P4",
      "A last column of tiles that is narrower than half a tile is left out.",
      replacing: "[Math.ceil(width / next.side),",
      with: "[Math.max(1, Math.round(width / next.side)),"),
    ViewerFault(
      "half-row-at-large-scale", .pixels, "W-P2",
      "When enlarged more than four times, tiles end half a pixel early.",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: "  pieces.drawImage(image, ...part, x, y, w, h - (area.size > 4 ? 0.5 : 0))"),
  ]

  /// Faults in the choice and the size of levels.
  static let levels = [
    ViewerFault(
      "level-too-coarse", .pixels, "W-P5", "The level drawn is one coarser than the screen.",
      from: "kitodo/kitodo-presentation#317",
      replacing: "level.factor * scale < 1.0001", with: "level.factor * scale < 2.0001"),
    ViewerFault(
      "coarse-on-top", .pixels, "W-P5", "Coarser tiles are drawn over finer ones.",
      replacing:
        "missing.length > 0 ? levels.slice(levels.indexOf(best)).reverse() : [best]",
      with: "levels.slice(levels.indexOf(best))"),
    ViewerFault(
      "levels-from-width", .pixels, "W-P9",
      "The number of levels is computed from the width, also where the height is larger.",
      from: "openseadragon/openseadragon#1287",
      replacing: "    const finest = halvings(Math.max(width, height))\n    const folder",
      with: "    const finest = halvings(width)\n    const folder"),
    ViewerFault(
      "ratio-ignored", .pixels, "W-P5", "The level drawn suits a screen with a ratio of 1.",
      from: "openlayers/openlayers#7795",
      replacing: "level.factor * scale < 1.0001", with: "level.factor * view.scale < 1.0001"),
    ViewerFault(
      "level-too-fine", .pixels, "W-R3", "The finest level is drawn at every scale.",
      replacing: "levels.findLast(level => level.factor * scale < 1.0001) ?? levels[0]",
      with: "levels[0]"),
  ]

  /// Faults of place.
  static let places = [
    ViewerFault(
      "canvas-smaller-than-its-box", .pixels, "W-P3",
      "The canvas is 2 CSS pixels lower than its box, so the browser stretches it.",
      replacing: "= [size.inlineSize, size.blockSize]",
      with: "= [size.inlineSize, size.blockSize - Math.round(2 * ratio())]"),
    ViewerFault(
      "x-and-y-swapped", .pixels, "W-P3", "The column of a tile is read as its row.",
      replacing: "wanted.address?.(level, tile.column, tile.row)",
      with: "wanted.address?.(level, tile.row, tile.column)"),
    ViewerFault(
      "keys-collide", .pixels, "W-P3",
      "Tiles are stored by the sum of column and row, so that some show another's image.",
      replacing: "key: `${level.factor} ${column} ${row}`",
      with: "key: `${level.factor} ${column + row}`"),
    ViewerFault(
      "ratio-rounded-down", .pixels, "W-S3",
      "Places are computed with a ratio of 1 where the screen has 1.25 or 1.5.",
      replacing: "const ratio = () => devicePixelRatio",
      with: "const ratio = () => Math.floor(devicePixelRatio)"),
    ViewerFault(
      "iiif-mirrored", .pixels, "W-P3", "A IIIF picture is drawn mirrored.",
      replacing: "  screen.drawImage(mosaic,",
      with: """
          if (query.get('kind') === 'iiif') screen.setTransform(-1, 0, 0, 1, canvas.width, 0)
          screen.drawImage(mosaic,
        """),
    ViewerFault(
      "fitted-to-width", .pixels, "W-P9", "At first the picture is fitted to the width only.",
      replacing: "Math.min(2 * middle().x / source.width, 2 * middle().y / source.height)",
      with: "2 * middle().x / source.width"),
    ViewerFault(
      "second-picture-below", .pixels, "W-P4", "A plain picture is drawn a second time below.",
      from: "openseadragon/openseadragon#1276",
      replacing: "  screen.drawImage(mosaic,",
      with: """
          const below = toY + source.height * scale
          if (source.images) screen.drawImage(mosaic, 0, 0, w, h, toX, below, w * size, h * size)
          screen.drawImage(mosaic,
        """),
  ]

  /// Faults of colour and transparency.
  static let colours = [
    ViewerFault(
      "fading-stops", .pixels, "W-P9", "Tiles fade in, but stop at 90 %.",
      replacing: "  pieces.clearRect(x, y, w, h)\n",
      with: "  pieces.clearRect(x, y, w, h)\n  pieces.globalAlpha = 0.9\n"),
    ViewerFault(
      "black-under-alpha", .pixels, "W-P7",
      "A transparent picture is drawn over black, not over the page.",
      replacing: "  pieces.clearRect(x, y, w, h)\n", with: "  pieces.fillRect(x, y, w, h)\n"),
    ViewerFault(
      "drawn-twice", .pixels, "W-P7", "Transparent tiles are drawn over themselves.",
      from: "openseadragon/openseadragon#2880",
      replacing: "  pieces.drawImage(image, ...part, x, y, w, h)",
      with: """
          pieces.drawImage(image, ...part, x, y, w, h)
          pieces.drawImage(image, ...part, x, y, w, h)
        """),
  ]
}
