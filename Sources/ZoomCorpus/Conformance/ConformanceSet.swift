internal import Foundation
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// Pictures, the regions asked of them, and the samples expected, for decoders of any kind.
///
/// The set is a folder that can be used without this package.
package struct ConformanceSet: Sendable {
  /// The version; it changes with any byte of the set except the readme and the script.
  package static let version = 2

  /// The files by their names in the folder.
  private var files: [(name: String, bytes: [UInt8])] = []
  private var index = ConformanceIndex()

  package var pictureCount: Int { index.pictures.count }
  package var rowCount: Int { index.rows.count }
  package var trapCount: Int { ConformanceTrap.all.count }
  package var byteCount: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// The SHA-256 of `regions.json`, which has the digests of all pictures and answers.
  package private(set) var digest = ""

  /// Makes the set; throws `PipelineError` if libvips lacks a format.
  package init() throws(PipelineError) {
    let maker = try ConformanceMaker()
    for trap in ConformanceTrap.all {
      for recipe in trap.pictures { add(try maker.picture(recipe), trap) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(index) else {
      preconditionFailure("texts and whole numbers can be encoded")
    }
    let bytes = Array(json) + [0x0A]
    digest = Self.hexadecimal(bytes)
    files += [
      ("regions.json", bytes), ("traps.json", PackageResources.traps_json),
      ("README.md", PackageResources.conformance_md), ("run.py", PackageResources.run_py),
      ("report.py", PackageResources.report_py), ("samples.py", PackageResources.samples_py),
    ]
  }

  /// Writes the files into a folder that exists.
  package func write(to folder: FilePath) throws(PipelineError) {
    let manager = FileManager.default
    do {
      for name in ["pictures", "expected"] {
        try manager.createDirectory(
          atPath: folder.appending(name).string, withIntermediateDirectories: true)
      }
      for file in files {
        let path = folder.pushing(FilePath(file.name)).string
        try Data(file.bytes).write(to: URL(filePath: path))
        let permissions = file.name == "run.py" ? 0o755 : 0o644
        try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
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
        orientation: picture.orientation.rawValue, bands: expected.bands,
        sample: expected.format.rawValue))
    var number = 0
    for (level, pixels) in ([expected] + picture.levels).enumerated() {
      for region in trap.regions(of: pixels.size) {
        let row = "\(name).\(number)"
        number += 1
        let part = pixels.cut(region)
        // A PNG holds neither floats nor inks.
        let isRaw = part.format == .float32 || part.interpretation == .cmyk
        let answer = "expected/\(row).\(isRaw ? "raw" : "png")"
        files.append((answer, isRaw ? part.bytes : PNGFile.bytes(of: part)))
        index.rows.append(
          .init(
            name: row, picture: name, file: file, trap: trap.name,
            orientation: picture.orientation.rawValue, level: level, reduction: 1 << level,
            x: region.x, y: region.y, width: region.width, height: region.height,
            digest: Self.hexadecimal(part.bytes), expected: answer))
      }
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    SHA256.hexadecimal(SHA256.digest(of: bytes))
  }
}

/// The contents of `regions.json`.
private struct ConformanceIndex: Encodable {
  struct Picture: Encodable {
    let name, file, trap, sha256: String
    let orientation, bands: Int
    let sample: String
  }

  struct Row: Encodable {
    let name, picture, file, trap: String
    let orientation, level, reduction, x, y, width, height: Int
    let digest, expected: String
  }

  let format = "zoombench.conformance/1"
  let version = ConformanceSet.version
  let trapsSHA256 = SHA256.hexadecimal(SHA256.digest(of: PackageResources.traps_json))
  var pictures: [Picture] = []
  var rows: [Row] = []
}
