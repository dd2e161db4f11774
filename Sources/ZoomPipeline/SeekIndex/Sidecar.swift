/// A seek index in a file of its own, for a picture whose file stays as it is: `PICTURE.zidx`.
///
/// All numbers are little endian. A reader refuses a file that breaks any rule of this table, that
/// has bytes beyond it, or whose tag does not match.
///
/// ```text
///    at  bytes  what
///     0      4  "ZIDX"
///     4      4  version of the format: 2
///     8      8  length of the whole file, tag included
///    16      8  fingerprint of the key: the first bytes of HMAC-SHA256(key, "ZIDX key")
///
///               the picture's file
///    24      8  length in bytes
///    32      8  bytes up to the first coded one
///    40     32  SHA-256 of these
///    72     32  SHA-256 of 16 pieces of 4096 bytes; piece k begins at (length - 4096) k / 15,
///               rounded down; a file shorter than a piece is all of each piece
///   104     32  SHA-256 of the whole file
///   136     16  device, inode
///   152     12  modification time: seconds since 1970 (signed), nanoseconds (4 bytes)
///   164     12  change time, likewise
///
///               its frame, as in SOF and DRI
///   176      4  width, height (2 bytes each)
///   180      2  restart interval in MCUs; 0 without
///   182      1  components, 1...4
///   183      4  sampling factors of each, horizontal * 16 + vertical; 0 beyond the last
///
///               the index
///   187      4  MCUs of the picture
///   191      4  spacing: MCUs from one point to the next
///   195      4  points: MCUs / spacing, rounded up
///   199      8  offset of the first coded byte in the stream that the points lead into
///   207      8  offset of the marker that ends its coded data
///   215      8  bytes of the payload; 0: the points lead into the picture's file
///   223         points, 6 + 2 * components bytes each: offset * 8 + bit (6 bytes; bit 0 is the most
///               significant one), then the DC predictors (2 bytes each, signed). The first is the
///               first coded byte with predictors of 0, every further one lies behind the last.
///               the payload: a JPEG of the same coefficients in one sequential scan, which the
///               points lead into. For pictures that cannot be entered: progressive,
///               arithmetic-coded, of several scans.
///           32  tag: HMAC-SHA256 of everything before it, see `SidecarKey`
/// ```
struct Sidecar: Sendable, Hashable {
  /// The size and structure of the picture, as its headers have them.
  struct Frame: Sendable, Hashable {
    /// In pixels, before orientation.
    let width: Int
    /// See `width`.
    let height: Int
    /// MCUs between restart markers; 0 without.
    let restartInterval: Int
    /// A component's sampling factors, horizontal * 16 + vertical, as in SOF.
    let factors: [UInt8]
  }

  /// The file that this was made for.
  let identity: SidecarIdentity
  /// That picture's structure.
  let frame: Frame
  /// Complete; leads into the payload, or into the picture's file without one.
  let index: SeekIndex
  /// A sequential JPEG of the same coefficients; nil where the picture's own is one.
  let payload: [UInt8]?

  /// Puts the parts together; nil where they contradict each other.
  init?(identity: SidecarIdentity, frame: Frame, index: SeekIndex, payload: [UInt8]?) {
    let end = index.scanEnd
    guard index.componentCount == frame.factors.count,
      identity.headerLength <= identity.length, payload?.isEmpty != true
    else { return nil }
    // The end marker itself takes two bytes.
    if let payload {
      guard end <= payload.count - 2 else { return nil }
    } else {
      guard index.codedStart == identity.headerLength, end <= identity.length - 2
      else { return nil }
    }
    self.identity = identity
    self.frame = frame
    self.index = index
    self.payload = payload
  }
}

extension SeekIndex {
  /// The byte that the first point leads to; nil without points.
  var codedStart: Int? { point(at: 0).map { $0.bit / 8 } }
}

/// Why a sidecar is not used; the index is then built anew, or another source reads the picture.
package enum SidecarRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is none.
  case absent
  /// It cannot be read, or is not what a writer of ours leaves behind.
  case damaged(String)
  /// It was tagged with another key, or there is no key.
  case notOurs(String)
  /// The picture is not the one it was made for any more.
  case stale(String)
  /// It has a version of the format that is not known here.
  case version(Int)

  /// The reason in a few words, without a full stop.
  package var description: String {
    switch self {
    case .absent: "there is no index"
    case .damaged(let reason): "the index is damaged: \(reason)"
    case .notOurs(let reason): "the index is not ours: \(reason)"
    case .stale(let reason): "the index is stale: \(reason)"
    case .version(let number):
      "the index has version \(number) of the format, not \(Sidecar.version)"
    }
  }
}
