internal import ZoomGeometry

extension PeekFaults {
  static let regionFaults: [SeededFault<PeekSubject>] = [
    SeededFault(
      "halves to even", "The region's length rounds halves to even, all else rounds them up.",
      origin: "Cantaloupe#418"
    ) {
      $0.changingRegion { _, answer, region in
        region.width = Int(answer.crop.width.rounded(.toNearestOrEven))
      }
    },
    SeededFault(
      "beginning rounded up", "The region begins at the next whole pixel.",
      origin: "openseadragon#2321"
    ) {
      $0.changingRegion { input, answer, region in
        region.x = min(Int(answer.crop.x.rounded(.up)), input.pictureWidth - region.width)
      }
    },
    SeededFault(
      "length rounded up", "The region's length is rounded up.",
      origin: "openseadragon#2701"
    ) {
      $0.changingRegion { input, answer, region in
        region.height = Int(answer.crop.height.rounded(.up))
        region.y = min(region.y, input.pictureHeight - region.height)
      }
    },
    SeededFault(
      "length rounded down", "The region's length is rounded down and leaves a strip.",
      origin: "Cantaloupe#80"
    ) {
      $0.changingRegion { _, answer, region in
        region.width = Int(answer.crop.width.rounded(.down))
      }
    },
    SeededFault("beginning rounded down", "The region begins at the last whole pixel before.") {
      $0.changingRegion { _, answer, region in region.y = Int(answer.crop.y.rounded(.down)) }
    },
    SeededFault(
      "sides swapped", "The region's width and height are swapped, which a square does not show.",
      origin: "image-validator#25"
    ) {
      $0.changingRegion { _, _, region in
        (region.width, region.height) = (region.height, region.width)
      }
    },
    SeededFault(
      "last column cut", "A region at the right edge has a column too few.",
      origin: "iipsrv#283"
    ) {
      $0.changingRegion { input, _, region in
        if region.x + region.width == input.pictureWidth { region.width -= 1 }
      }
    },
    SeededFault(
      "last row twice", "A region at the bottom edge begins a row too early.",
      origin: "libvips#131"
    ) {
      $0.changingRegion { input, _, region in
        if region.y + region.height == input.pictureHeight, region.y > 0 { region.y -= 1 }
      }
    },
    SeededFault(
      "two pixels lose one", "Of two columns one is decoded.", origin: "libvips#4864"
    ) {
      $0.changingRegion { _, _, region in
        if region.width == 2 { region.width = 1 }
      }
    },
    SeededFault("off by one", "The region begins a pixel late, if it can.") {
      $0.changingRegion { input, _, region in
        region.x = min(region.x + 1, input.pictureWidth - region.width)
      }
    },
  ]
}
