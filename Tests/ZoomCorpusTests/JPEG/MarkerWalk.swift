/// A file cut at its markers, as strictly as T.81 allows: anything unexpected is an error.
struct MarkerWalk {
  struct Segment: Equatable {
    let marker: UInt8
    let payload: [UInt8]
    /// Fill bytes that stood before the marker.
    let fillBytes: Int
    /// Entropy-coded bytes that follow a scan header or restart marker, stuffing removed.
    var coded: [UInt8] = []
    /// Zero bytes stuffed into `coded`.
    var stuffed = 0
  }

  struct Malformed: Error {
    let offset: Int
  }

  let segments: [Segment]
  /// Bytes after EOI.
  let trailer: [UInt8]

  init(_ file: [UInt8]) throws {
    var segments: [Segment] = []
    var at = 0
    while true {
      let start = at
      guard at < file.count, file[at] == 0xFF else { throw Malformed(offset: at) }
      while at < file.count, file[at] == 0xFF { at += 1 }
      guard at < file.count, file[at] != 0 else { throw Malformed(offset: at) }
      let marker = file[at]
      at += 1
      let fill = at - start - 2
      let isBare = marker == 0xD8 || marker == 0xD9 || (0xD0...0xD7).contains(marker)
      var payload: [UInt8] = []
      if !isBare {
        guard at + 2 <= file.count else { throw Malformed(offset: at) }
        let length = Int(file[at]) << 8 | Int(file[at + 1])
        guard length >= 2, at + length <= file.count else { throw Malformed(offset: at) }
        payload = Array(file[at + 2..<at + length])
        at += length
      }
      var segment = Segment(marker: marker, payload: payload, fillBytes: fill)
      if marker == 0xDA || (0xD0...0xD7).contains(marker) {
        while at + 1 < file.count, file[at] != 0xFF || file[at + 1] == 0 {
          segment.coded.append(file[at])
          if file[at] == 0xFF {
            segment.stuffed += 1
            at += 1
          }
          at += 1
        }
      }
      segments.append(segment)
      if marker == 0xD9 { break }
    }
    self.segments = segments
    trailer = Array(file[at...])
  }

  var markers: [UInt8] { segments.map(\.marker) }

  func all(_ marker: UInt8) -> [Segment] { segments.filter { $0.marker == marker } }

  /// Numbers of the restart markers in file order.
  var restarts: [Int] {
    markers.filter { (0xD0...0xD7).contains($0) }.map { Int($0) - 0xD0 }
  }
}
