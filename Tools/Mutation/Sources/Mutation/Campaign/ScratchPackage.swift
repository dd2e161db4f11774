internal import Foundation
internal import SwiftParser
internal import SwiftSyntax

/// A copy of the package in which mutants are built, so that the checkout stays unchanged.
///
/// Only changed files are written and build products are kept, so a second campaign builds little.
package struct ScratchPackage {
  let root: URL
  let folder: URL

  /// Copies the package, with new texts for some files.
  ///
  /// - Parameters:
  ///   - changed: The new texts by path relative to the package's folder; the files may be new.
  ///   - tests: The test targets that are needed.
  /// - Throws: An error of Foundation.
  func write(_ changed: [String: String], tests: Set<String>) throws {
    var wanted: Set<String> = []
    // The folders of Tools in the package's manifest; the others are separate packages.
    let tops = [
      "Sources", "Tests", "Benchmarks", "Examples", "Corpus", "Tools/PlantedFaults",
      "Tools/ReferenceServer",
    ]
    for top in tops {
      for path in try FileManager.default.subpathsOrNothing(of: root.appending(path: top)) {
        let path = "\(top)/\(path)"
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(
          atPath: root.appending(path: path).path, isDirectory: &isFolder)
        if isFolder.boolValue || path.hasPrefix("Benchmarks/Results") { continue }
        wanted.insert(path)
        if changed[path] == nil {
          try put(Data(contentsOf: root.appending(path: path)), path)
        }
      }
    }
    for (path, text) in changed {
      wanted.insert(path)
      try put(Data(text.utf8), path)
    }
    for top in tops {
      for path in try FileManager.default.subpathsOrNothing(of: folder.appending(path: top))
      where path.hasSuffix(".swift") && !wanted.contains("\(top)/\(path)") {
        try FileManager.default.removeItem(at: folder.appending(path: "\(top)/\(path)"))
      }
    }
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    try put(Data(Self.relaxed(manifest, tests: tests).utf8), "Package.swift")
    try put(Data(contentsOf: root.appending(path: "Package.resolved")), "Package.resolved")
  }

  private func put(_ data: Data, _ path: String) throws {
    let place = folder.appending(path: path)
    if let old = try? Data(contentsOf: place), old == data { return }
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: place)
  }

  /// Returns a manifest that allows warnings, because mutants cause them, and omits targets that no test needs.
  ///
  /// - Parameters:
  ///   - manifest: The text of a Package.swift.
  ///   - tests: The test targets to keep.
  /// - Returns: The text of a Package.swift.
  package static func relaxed(_ manifest: String, tests: Set<String>) -> String {
    let unneeded = UnneededTargets(tests: tests)
    let tree = Parser.parse(source: manifest)
    return unneeded.rewrite(tree).description
  }
}

private final class UnneededTargets: SyntaxRewriter {
  private let tests: Set<String>

  init(tests: Set<String>) {
    self.tests = tests
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: ArrayElementListSyntax) -> ArrayElementListSyntax {
    super.visit(node.filter { !isUnneeded($0.expression) })
  }

  private func isUnneeded(_ node: ExprSyntax) -> Bool {
    guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
    switch call.calledExpression.trimmedDescription {
    case ".treatAllWarnings", ".executable", ".executableTarget", ".strictMemorySafety": return true
    case ".testTarget":
      let name = call.arguments.first?.expression.as(StringLiteralExprSyntax.self)
      return !tests.contains(name?.representedLiteralValue ?? "")
    default: return false
    }
  }
}
