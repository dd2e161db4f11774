internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceMaker {
  /// Returns the traps of a JPEG's markers.
  func jpegLayoutTraps() throws(PipelineError) -> [ConformanceTrap] {
    let chroma = [ConformanceDifference.otherDCT, .otherUpsampling]
    var turned: [ConformancePicture] = []
    for orientation in Orientation.allCases {
      turned.append(
        try jpeg("orientation-\(orientation.rawValue)", 83, 51) {
          $0.metadata.orientation = orientation.rawValue
        })
    }
    return [
      ConformanceTrap(
        name: "jpeg-orientation",
        why: "A region of the upright picture is another rectangle of the stored one, turned and "
          + "perhaps mirrored.",
        differences: chroma + [.unturned], pictures: turned),
      ConformanceTrap(
        name: "jpeg-restart-rows",
        why: "With a marker after every row of MCUs a decoder can begin at any row, if it counts "
          + "markers from 0 to 7 again and again.",
        differences: chroma, pictures: [try jpeg("restart-rows") { $0.restart = .rows(1) }]),
      ConformanceTrap(
        name: "jpeg-restart-numbering",
        why: "Intervals that do not divide a row leave markers at any place in it, and the last "
          + "interval is short.",
        differences: chroma,
        pictures: [
          try jpeg("restart-1-mcu") { $0.restart = .mcus(1) },
          try jpeg("restart-3-mcus") { $0.restart = .mcus(3) },
        ]),
      ConformanceTrap(
        name: "jpeg-fill-bytes",
        why: "Any number of 0xFF bytes may precede a marker (T.81, B.1.1.2), also a restart marker "
          + "between coded data.",
        differences: chroma,
        pictures: [
          try jpeg("fill-bytes") {
            $0.restart = .mcus(5)
          } change: {
            Self.filled($0)
          }
        ]),
      ConformanceTrap(
        name: "jpeg-dnl",
        why: "The height can be 0 in the header and follow the first scan (T.81, B.2.5); to refuse "
          + "that is usual, to show a wrong height is not.",
        differences: chroma, pictures: [try jpeg("dnl", change: Self.withLateHeight)]),
      ConformanceTrap(
        name: "jpeg-tables",
        why: "Tables made for this picture lack codes that the usual ones have, so coded data "
          + "cannot be joined to others.",
        differences: chroma, pictures: [try jpeg("optimised") { $0.coding = .optimised }]),
      ConformanceTrap(
        name: "jpeg-false-markers",
        why: "A comment and the bytes after the end hold what looks like markers; a search for "
          + "them instead of a parse goes wrong.",
        differences: chroma,
        pictures: [
          try jpeg("false-markers") {
            $0.restart = .rows(1)
            $0.metadata.comment = [0xFF, 0xD9, 0xFF, 0xDA, 0, 8, 0xFF, 0xC0, 0, 17, 0xFF, 0xD3]
          } change: {
            $0 + [0xFF, 0xD8, 0xFF, 0xD0, 0xFF, 0xDA, 0, 8]
          }
        ]),
    ]
  }

  /// Returns a JPEG of one scan with two fill bytes before every marker but the first.
  private static func filled(_ jpeg: [UInt8]) -> [UInt8] {
    var filled = jpeg
    for place in markers(in: jpeg).reversed() {
      filled.insert(contentsOf: [0xFF, 0xFF], at: place)
    }
    return filled
  }

  /// Returns a JPEG of one scan whose height is in a DNL segment.
  private static func withLateHeight(_ jpeg: [UInt8]) -> [UInt8] {
    var late = jpeg
    let places = markers(in: jpeg)
    guard let frame = places.first(where: { jpeg[$0 + 1] == 0xC0 }), let end = places.last else {
      return jpeg
    }
    // The height follows the marker, the length and the precision.
    let height = frame + 5..<frame + 7
    late.replaceSubrange(height, with: [0, 0])
    late.insert(contentsOf: [0xFF, 0xDC, 0, 4] + jpeg[height], at: end)
    return late
  }

  /// Returns the offsets of all markers after the first of a JPEG of one scan, up to its end.
  private static func markers(in jpeg: [UInt8]) -> [Int] {
    var places: [Int] = []
    var place = 2
    while place + 3 < jpeg.count {
      places.append(place)
      let isScan = jpeg[place + 1] == 0xDA
      place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
      if isScan { break }
    }
    while place + 1 < jpeg.count {
      if jpeg[place] == 0xFF, jpeg[place + 1] != 0 {
        places.append(place)
        if jpeg[place + 1] == 0xD9 { break }
      }
      place += 1
    }
    return places
  }
}
