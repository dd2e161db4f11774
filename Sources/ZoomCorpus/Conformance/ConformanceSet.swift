internal import Foundation
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// Pictures, the regions asked of them, and the samples expected, for decoders of any kind.
///
/// The set is a folder, and whoever uses it does not need this package.
package struct ConformanceSet: Sendable {
  /// The version; it changes with any byte of the set except the readme and the script.
  package static let version = 1

  /// The files by their names in the folder.
  private var files: [(name: String, bytes: [UInt8])] = []
  private var index: ConformanceIndex

  package var pictureCount: Int { index.pictures.count }
  package var rowCount: Int { index.rows.count }
  package var trapCount: Int { index.traps.count }
  package var byteCount: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// The SHA-256 of `regions.json`, which has the digests of all pictures and answers.
  package private(set) var digest = ""

  /// Makes the set; throws `PipelineError` if libvips lacks a format.
  package init() throws(PipelineError) {
    let traps = try ConformanceMaker().traps()
    index = ConformanceIndex(traps)
    for trap in traps {
      for picture in trap.pictures { add(picture, trap) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(index) else {
      preconditionFailure("texts and whole numbers can be encoded")
    }
    let bytes = Array(json) + [0x0A]
    digest = Self.hexadecimal(bytes)
    files += [
      ("regions.json", bytes), ("run.py", PackageResources.run_py),
      ("decoders.py", PackageResources.decoders_py), ("samples.py", PackageResources.samples_py),
      ("README.md", PackageResources.conformance_md),
    ]
  }

  /// Writes the files into a folder that exists.
  package func write(to folder: FilePath) throws(PipelineError) {
    do {
      for name in ["pictures", "expected"] {
        try FileManager.default.createDirectory(
          atPath: folder.appending(name).string, withIntermediateDirectories: true)
      }
      for file in files {
        var permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
        if file.name == "run.py" {
          permissions.formUnion([.ownerExecute, .groupExecute, .otherExecute])
        }
        let target = try FileDescriptor.open(
          folder.pushing(FilePath(file.name)), .writeOnly, options: [.create, .exclusiveCreate],
          permissions: permissions)
        _ = try target.closeAfter { try target.writeAll(file.bytes) }
      }
    } catch {
      throw PipelineError(
        .unwritable, operation: "write", file: folder, reason: error.systemReason,
        advice: "choose a place that can be written and has room")
    }
  }

  private mutating func add(_ picture: ConformancePicture, _ trap: ConformanceTrap) {
    let file = "pictures/\(picture.file)"
    files.append((file, picture.bytes))
    let name = String(picture.file.prefix { $0 != "." })
    let expected = picture.expected
    index.pictures.append(
      .init(
        name: name, file: file, trap: trap.name, sha256: Self.hexadecimal(picture.bytes),
        width: expected.width, height: expected.height, orientation: picture.orientation.rawValue,
        bands: expected.bands, sample: expected.pixels.format.rawValue, isInks: picture.isInks))
    var number = 0
    for (level, raster) in ([expected] + picture.levels).enumerated() {
      for region in trap.regions(of: raster.size) {
        let row = "\(name).\(number)"
        number += 1
        let part = raster.part(region)
        let (png, exact) = part.expectedFiles(isInks: picture.isInks)
        files.append(("expected/\(row).png", png))
        if let exact { files.append(("expected/\(row).\(exact.suffix)", exact.bytes)) }
        index.rows.append(
          .init(
            name: row, picture: name, file: file, trap: trap.name,
            orientation: picture.orientation.rawValue, level: level, reduction: 1 << level,
            x: region.x, y: region.y, width: region.width, height: region.height,
            digest: Self.hexadecimal(part.bytes), expected: "expected/\(row).png",
            samples: exact.map { "expected/\(row).\($0.suffix)" }))
      }
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    SHA256.hexadecimal(SHA256.digest(of: bytes))
  }
}

/// The contents of `regions.json`.
private struct ConformanceIndex: Encodable {
  struct Trap: Encodable {
    let name: String
    let why: String
    let differences: [ConformanceDifference]
  }

  struct Picture: Encodable {
    let name, file, trap, sha256: String
    let width, height, orientation, bands: Int
    let sample: String
    let isInks: Bool
  }

  struct Row: Encodable {
    let name, picture, file, trap: String
    let orientation, level, reduction, x, y, width, height: Int
    let digest, expected: String
    /// The file with the exact samples if a PNG cannot hold them.
    let samples: String?
  }

  let format = "zoombench.conformance/1"
  let version = ConformanceSet.version
  let traps: [Trap]
  var pictures: [Picture] = []
  var rows: [Row] = []

  init(_ traps: [ConformanceTrap]) {
    self.traps = traps.map { Trap(name: $0.name, why: $0.why, differences: $0.differences) }
  }
}

extension Raster {
  /// Returns a PNG to look at and, if it cannot hold the samples, a file that does.
  fileprivate func expectedFiles(
    isInks: Bool
  ) -> (png: [UInt8], exact: (suffix: String, bytes: [UInt8])?) {
    let sizes = "\(width) \(height)"
    if isInks {
      let header =
        "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n"
      let colours = mapped(bands: 3, bits: 8) { inks in
        inks.prefix(3).map { (255 - $0) * (255 - inks[inks.startIndex + 3]) / 255 }
      }
      return (PNGFile(raster: colours).bytes, (suffix: "pam", bytes: Array(header.utf8) + bytes))
    }
    guard bits == 32 else { return (PNGFile(raster: self).bytes, nil) }
    let levels = mapped(bands: bands, bits: 8) { $0.map { UInt32(Float(bitPattern: $0)) } }
    let bytes = bytes
    // A PFM's rows begin at the bottom; a negative scale means the lowest byte first.
    let rows = stride(from: 0, to: bytes.count, by: width * bands * 4).reversed()
    let samples = rows.flatMap { bytes[$0..<$0 + width * bands * 4] }
    let header = "\(bands == 1 ? "Pf" : "PF")\n\(sizes)\n-1.0\n"
    return (PNGFile(raster: levels).bytes, (suffix: "pfm", bytes: Array(header.utf8) + samples))
  }
}
