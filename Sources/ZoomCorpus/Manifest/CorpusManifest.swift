internal import Foundation

/// The list of corpus pictures with recipe, structure and checksum.
package struct CorpusManifest: Sendable, Hashable, Codable {
  private static let currentVersion = 1

  package var version: Int
  package var pictures: [CorpusPicture]

  package init(version: Int, pictures: [CorpusPicture]) {
    self.version = version
    self.pictures = pictures
  }

  /// Returns the manifest embedded in zoombench from `Corpus/manifest.json`.
  package static func builtIn() throws(CorpusError) -> CorpusManifest {
    try CorpusManifest(json: PackageResources.manifest_json)
  }

  package init(json: [UInt8]) throws(CorpusError) {
    do {
      self = try JSONDecoder().decode(CorpusManifest.self, from: Data(json))
    } catch {
      throw CorpusError("the manifest cannot be read: \(error)")
    }
    guard version == Self.currentVersion else {
      throw CorpusError("the manifest has version \(version), not \(Self.currentVersion)")
    }
    for (index, picture) in pictures.enumerated() {
      guard !picture.file.isEmpty, !picture.file.contains("/"), !picture.file.hasPrefix(".")
      else {
        throw CorpusError(
          "\(picture.name): the file name \"\(picture.file)\" is empty, hidden or elsewhere")
      }
      // A scene's sides may not exceed a JPEG's, and a canvas may not be so large that making it
      // takes more than minutes.
      let (sides, canvasSides) = (1...65_535, 1...200_000)
      guard canvasSides.contains(picture.structure.width),
        canvasSides.contains(picture.structure.height),
        sides.contains(picture.recipe.width), sides.contains(picture.recipe.height),
        picture.recipe.canvas.map({
          canvasSides.contains($0.width) && canvasSides.contains($0.height)
            && $0.x >= 0 && $0.x <= $0.width - picture.recipe.width
            && $0.y >= 0 && $0.y <= $0.height - picture.recipe.height
        }) ?? true,
        (0...1 << 20).contains(picture.structure.trailingBytes ?? 0),
        (0...1 << 20).contains(picture.recipe.encoding.trailingBytes ?? 0)
      else {
        throw CorpusError("\(picture.name): a size is out of range, or the scene leaves its canvas")
      }
      guard
        !pictures[..<index].contains(where: { $0.name == picture.name || $0.file == picture.file })
      else { throw CorpusError("\(picture.name): its name or file stands twice in the manifest") }
    }
  }

  /// Returns the manifest as JSON to commit, with sorted keys, so that changes show line by line.
  package func json() throws(CorpusError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self)) + [0x0A]
    } catch {
      throw CorpusError("the manifest cannot be written: \(error)")
    }
  }

  /// Returns the pictures of the given names; without names, all that are not made on demand only.
  package func pictures(named names: [String]) throws(CorpusError) -> [CorpusPicture] {
    guard !names.isEmpty else { return pictures.filter { !$0.isOnDemand } }
    return try names.map { name throws(CorpusError) in
      guard let picture = pictures.first(where: { $0.name == name }) else {
        let known = pictures.map(\.name).joined(separator: ", ")
        throw CorpusError("the corpus has no picture named \(name) (it has \(known))")
      }
      return picture
    }
  }
}

/// A defect of the corpus, in one line.
package struct CorpusError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
