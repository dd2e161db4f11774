internal import Foundation
internal import SystemPackage

/// The git repository that revisions are taken from.
struct Repository {
  let root: FilePath

  /// Finds the repository that contains a folder.
  ///
  /// - Throws: `Failure` when no repository contains the folder.
  init(containing folder: FilePath) async throws {
    let answer = try Tool.git.run(["rev-parse", "--show-toplevel"], in: folder)
    guard answer.isSuccess else {
      throw Failure(
        .noInput,
        "\(folder): find the repository: \(answer.lastWords) (run it inside a git repository, or "
          + "name two executables)")
    }
    root = FilePath(answer.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Returns the full hash of the commit that a revision names.
  func commit(_ revision: String) async throws -> String {
    // A name that begins with a dash would be parsed as an option; --end-of-options needs git 2.24.
    let answer = try Tool.git.run(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"], in: root)
    let hash = answer.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    guard answer.isSuccess, !hash.isEmpty else {
      throw Failure(
        .noInput,
        "\(revision): compare: there is no such revision, and no such file "
          + "(see git branch --all and git tag)")
    }
    return hash
  }
}
