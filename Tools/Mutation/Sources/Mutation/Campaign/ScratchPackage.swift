internal import Foundation

/// A copy of the package in which mutants are built, so that the checkout stays unchanged.
///
/// Only changed files are written and build products are kept, so a second campaign builds little.
package struct ScratchPackage {
  static let lawRunner = "law-runner"

  let root: URL
  let folder: URL

  /// The folders of the package that mutants and their checks need.
  private static let tops = [
    "Sources", "Tests", "Benchmarks", "Corpus", "Tools/PlantedFaults", "Tools/ShrinkingChallenge",
    "Tools/Mutation/LawRunner",
  ]

  /// Copies the package for some targets; `changed` has the texts of changed and of additional files.
  func write(_ changed: [String: String], targets: Set<String>) throws {
    var wanted: Set<String> = []
    for top in Self.tops {
      for path in try FileManager.default.subpathsOrNothing(of: root.appending(path: top)) {
        let path = "\(top)/\(path)"
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(
          atPath: root.appending(path: path).path, isDirectory: &isFolder)
        if isFolder.boolValue || path.hasPrefix("Benchmarks/Results") { continue }
        wanted.insert(path)
        if changed[path] == nil { try put(Data(contentsOf: root.appending(path: path)), path) }
      }
    }
    for (path, text) in changed {
      wanted.insert(path)
      try put(Data(text.utf8), path)
    }
    for top in Self.tops {
      for path in try FileManager.default.subpathsOrNothing(of: folder.appending(path: top))
      where path.hasSuffix(".swift") && !wanted.contains("\(top)/\(path)") {
        try FileManager.default.removeItem(at: folder.appending(path: "\(top)/\(path)"))
      }
    }
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    try put(Data(Self.manifest(manifest, targets: targets).utf8), "Package.swift")
    let pins = root.appending(path: "Package.resolved")
    if let pins = try? Data(contentsOf: pins) { try put(pins, "Package.resolved") }
  }

  private func put(_ data: Data, _ path: String) throws {
    let place = folder.appending(path: path)
    if let old = try? Data(contentsOf: place), old == data { return }
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: place)
  }

  /// Returns a manifest for some targets and the program that runs laws; the manifest allows warnings.
  package static func manifest(_ manifest: String, targets: Set<String>) -> String {
    let names = targets.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    return manifest.replacing(".treatAllWarnings(as: .error),", with: "") + """

      package.targets.append(
        .executableTarget(
          name: "\(lawRunner)", dependencies: ["PropertyTesting", "ZoomGeometry", "ZoomLaws"],
          path: "Tools/Mutation/LawRunner"))
      var neededTargets: Set<String> = [\(names)]
      var neededPackages: Set<String> = []
      for _ in package.targets {
        for target in package.targets where neededTargets.contains(target.name) {
          for dependency in target.dependencies {
            if case .byNameItem(let name, _) = dependency { neededTargets.insert(name) }
            if case .productItem(_, let name?, _, _) = dependency { neededPackages.insert(name) }
          }
        }
      }
      package.targets.removeAll { !neededTargets.contains($0.name) }
      package.products = []
      package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let place, _) = dependency.kind else { return false }
        return !neededPackages.contains { place.hasSuffix($0) }
      }

      """
  }
}

extension FileManager {
  /// Returns the paths inside a folder; an empty list if it is a file or does not exist.
  func subpathsOrNothing(of place: URL) throws -> [String] {
    var isFolder: ObjCBool = false
    guard fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue else {
      return []
    }
    return try subpathsOfDirectory(atPath: place.path)
  }
}
