package import ZoomCorpus
internal import ZoomPipeline

/// A JPEG's bytes, made small and quickly, and where its markers stand, so that tests can patch it.
package struct JPEGBytes: Sendable {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A made picture with edges and texture.
  package init(
    _ width: Int, _ height: Int, _ options: BaselineJPEG.Options, seed: UInt64 = 7
  ) throws {
    let scene = try SyntheticScene(
      .petronas, size: SceneSize(width: width, height: height), seed: seed,
      form: options.colour.sourceForm)
    bytes = try BaselineJPEG.Plan(scene, options: options).encoded()
  }

  /// A small 4:2:0 picture with a restart marker every MCU row.
  package static func small(_ width: Int = 150, _ height: Int = 203) throws -> JPEGBytes {
    var options = BaselineJPEG.Options(quality: 85)
    options.restart = .rows(1)
    return try JPEGBytes(width, height, options)
  }

  /// Where each marker's second byte stands, up to the end marker, with the marker.
  ///
  /// Only for files of our own encoder: what breaks the format ends the list.
  package var markers: [(at: Int, code: UInt8)] {
    var found: [(at: Int, code: UInt8)] = []
    var at = 0
    while at + 1 < bytes.count {
      guard bytes[at] == 0xFF, bytes[at + 1] != 0, bytes[at + 1] != 0xFF else {
        at += 1
        continue
      }
      let code = bytes[at + 1]
      found.append((at + 1, code))
      at += 2
      if code == 0xD9 { break }
      if !(0xD0...0xD8).contains(code), at + 1 < bytes.count {
        at += Int(bytes[at]) << 8 | Int(bytes[at + 1])
      }
    }
    return found
  }

  /// Where the second bytes of the markers of one kind stand.
  package func places(of code: UInt8) -> [Int] {
    markers.filter { $0.code == code }.map(\.at)
  }

  /// Where the second bytes of the restart markers stand.
  package var restarts: [Int] { markers.filter { (0xD0...0xD7).contains($0.code) }.map(\.at) }

  /// Where the first coded byte stands.
  package var codedStart: Int {
    guard let scan = places(of: 0xDA).first else { return bytes.count }
    return scan + 1 + (Int(bytes[scan + 1]) << 8 | Int(bytes[scan + 2]))
  }

  /// Where the second byte of the end marker stands.
  package var end: Int { places(of: 0xD9).first ?? bytes.count }

  /// The same bytes after a change.
  package func patched(_ change: (inout [UInt8]) -> Void) -> JPEGBytes {
    var copy = self
    change(&copy.bytes)
    return copy
  }
}
