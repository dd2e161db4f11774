/// Faults of the requests for tiles, and of their arrival.
extension ViewerFaults {
  static let requests = [
    ViewerFault(
      "zoomify-group-in-level", .requests, "W-R1",
      "The group of a Zoomify tile is computed from its number in its level.",
      from: "lovasoa/dezoomify#912",
      replacing: "(before + row * across[level] + column) / 256",
      with: "(row * across[level] + column) / 256"),
    ViewerFault(
      "beyond-the-edge", .requests, "W-R1",
      "If the width is a multiple of the tiles' side, a column beyond the edge is read.",
      from: "openlayers/ol2#230",
      replacing: "  const columns = Math.min(level.columns, right / side)",
      with: "  const columns = Math.floor(right / side) + 1"),
    ViewerFault(
      "iiif-past-the-edge", .requests, "W-R1",
      "The region of a IIIF tile at the right border is as wide as all others.",
      from: "openseadragon/openseadragon#2198",
      replacing: "[Math.min(length, width - x), Math.min(length, height - y)]",
      with: "[length, Math.min(length, height - y)]"),
    ViewerFault(
      "asked-again-while-pending", .requests, "W-R2",
      "A tile that is on its way is requested again in each frame.",
      replacing: "pending.has(tile.key) || failed.has(tile.key)", with: "failed.has(tile.key)"),
    ViewerFault(
      "all-levels", .requests, "W-R3", "The tiles of all levels of the view are requested.",
      from: "openseadragon/openseadragon#1020",
      replacing: "  if (isResting()) missing.forEach(load)",
      with: """
          const all = levels.flatMap(level => tilesOf(level, area))
          if (isResting()) all.filter(tile => !images.has(tile.key)).forEach(load)
        """),
  ]

  static let deliveries = [
    ViewerFault(
      "late-tile-at-old-place", .requests, "W-R4",
      "A tile that arrives late takes the picture back to the place where it was requested.",
      replacing: "    const image = wanted.images?.[level] ?? await readImage(address)",
      with: """
            const then = view
            const image = wanted.images?.[level] ?? await readImage(address)
            show(then)
        """),
    ViewerFault(
      "failed-stays-failed", .requests, "W-R5", "A tile that failed is never requested again.",
      from: "openseadragon/openseadragon#2793",
      replacing: "function retry() { failed.clear() }", with: "function retry() {}"),
    ViewerFault(
      "failed-blanks-its-level", .requests, "W-R6",
      "A tile that failed blanks all of its level, and the coarser ones below.",
      from: "openseadragon/openseadragon#2880",
      replacing: "missing.length > 0 ? levels",
      with: "failed.size > 0 ? [] : missing.length > 0 ? levels"),
    ViewerFault(
      "picture-before-in-cache", .requests, "W-R8",
      "Tiles of the picture before are shown in place of the next one's.",
      replacing: "of [images, pending, failed]) tiles.clear()",
      with: "of [pending, failed]) tiles.clear()"),
  ]
}
