internal import Foundation
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// Pictures, the regions asked of them, and the samples expected, for decoders of any kind.
package struct ConformanceSet: Sendable {
  /// The version; it changes with the pictures, the answers and the traps, not with the readme or
  /// the scripts, which may judge differently.
  package static let version = 2
  /// The digest of this version; other versions of the installed encoders may give another.
  package static let versionDigest =
    "ab92786f425cd6ac7d4ded4d489cf05d0364bdd75c5877ea165b0121053f50a8"

  /// The files by their names in the folder.
  private(set) var files: [(name: String, bytes: [UInt8])] = []
  private var index = ConformanceIndex()

  /// The SHA-256 of `regions.json`, which has the digests of all pictures and answers.
  package private(set) var digest = ""

  /// Makes the set; throws `PipelineError` if libvips lacks a format.
  package init() throws(PipelineError) {
    let scratch = try ScratchFolder()
    for trap in ConformanceTrap.all {
      for recipe in trap.pictures { add(try recipe.picture(in: scratch), trap) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(index) else {
      preconditionFailure("texts and whole numbers can be encoded")
    }
    let bytes = Array(json) + [0x0A]
    digest = sha256(of: bytes)
    files += [
      ("regions.json", bytes), ("traps.json", PackageResources.traps_json),
      ("README.md", PackageResources.conformance_md), ("run.py", PackageResources.run_py),
      ("judging.py", PackageResources.judging_py), ("report.py", PackageResources.report_py),
      ("samples.py", PackageResources.samples_py),
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
      throw .unwritable(folder, error.systemReason)
    }
  }

  private mutating func add(_ picture: ConformancePicture, _ trap: ConformanceTrap) {
    let name = String(picture.file.prefix { $0 != "." })
    var rows: [ConformanceIndex.Row] = []
    for (level, pixels) in ([picture.expected] + picture.levels).enumerated() {
      for region in trap.regions(of: pixels.size) {
        let row = "\(name).\(rows.count)"
        let part = pixels.cut(region)
        // A PNG holds neither floats nor inks.
        let isRaw = part.format == .float32 || part.interpretation == .cmyk
        let answer = "expected/\(row).\(isRaw ? "raw" : "png")"
        let bytes = isRaw ? part.bytes : PNGFile.bytes(of: part)
        files.append((answer, bytes))
        rows.append(
          .init(
            name: row, level: level, reduction: 1 << level, x: region.x, y: region.y,
            width: region.width, height: region.height, expected: answer,
            sha256: sha256(of: bytes), digest: sha256(of: part.bytes)))
      }
    }
    let file = "pictures/\(picture.file)"
    files.append((file, picture.bytes))
    index.pictures.append(
      .init(
        name: name, file: file, sha256: sha256(of: picture.bytes), trap: trap.name,
        sample: picture.expected.format.rawValue, orientation: picture.orientation.rawValue,
        bands: picture.expected.bands, rows: rows))
  }
}

private func sha256(of bytes: [UInt8]) -> String { SHA256.hexadecimal(SHA256.digest(of: bytes)) }

/// The contents of `regions.json`.
private struct ConformanceIndex: Encodable {
  struct Picture: Encodable {
    let name, file, sha256, trap, sample: String
    let orientation, bands: Int
    let rows: [Row]
  }

  struct Row: Encodable {
    let name: String
    let level, reduction, x, y, width, height: Int
    let expected, sha256: String
    /// The SHA-256 of the samples, as the readme orders them.
    let digest: String
  }

  let format = "zoombench.conformance/1"
  let version = ConformanceSet.version
  let trapsSHA256 = sha256(of: PackageResources.traps_json)
  var pictures: [Picture] = []
}
