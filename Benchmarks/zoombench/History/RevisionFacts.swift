internal import Foundation
internal import MeasurementHistory
internal import SystemPackage

enum RevisionFacts {
  /// Returns the revision that is checked out in a folder, or in the working folder.
  ///
  /// It is dirty if tracked files were changed, or if there are sources that git neither tracks nor
  /// ignores, because a package builds those too. Other untracked files are results and notes.
  static func current(in folder: FilePath? = nil) throws -> RunRecord.Revision {
    guard let commit = git("rev-parse", "--verify", "HEAD^{commit}", in: folder) else {
      throw Failure(
        .noInput, "no revision is known here, outside a git repository (name one with --commit)")
    }
    // "HEAD" where no branch is checked out, as on build servers.
    let branch = git("rev-parse", "--abbrev-ref", "HEAD", in: folder)
    let changes = git("status", "--porcelain", "--untracked-files=no", in: folder)
    let sources = git(
      "ls-files", "--others", "--exclude-standard", "--", "*.swift", "*.c", "*.h", "*.cpp", "*.m",
      in: folder)
    return RunRecord.Revision(
      commit: commit, branch: branch == "HEAD" ? nil : branch,
      committedAt: committedAt(commit, in: folder), isDirty: changes != "" || sources != "")
  }

  /// Returns the named revision, or the one that is checked out.
  static func measured(_ name: String?) throws -> RunRecord.Revision {
    if let name { named(name) } else { try current() }
  }

  /// Returns a named revision with its facts from git, or only the name if git does not know it.
  static func named(_ name: String) -> RunRecord.Revision {
    let commit = commit(of: name)
    return RunRecord.Revision(
      commit: commit ?? name, committedAt: committedAt(commit ?? name))
  }

  /// Returns the full hash of a revision's commit; nil if git does not know it.
  static func commit(of name: String, in folder: FilePath? = nil) -> String? {
    // A name that begins with a dash would be parsed as an option.
    guard !name.hasPrefix("-") else { return nil }
    return git("rev-parse", "--verify", "--quiet", "\(name)^{commit}", in: folder)
  }

  /// Returns the time of a commit, in UTC; nil if git does not know it.
  static func committedAt(_ commit: String, in folder: FilePath? = nil) -> String? {
    guard !commit.hasPrefix("-") else { return nil }
    return git(
      "show", "--no-patch", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd",
      "\(commit)^{commit}", in: folder)
  }

  /// Returns the name of the deciding person: git's user name, or the user's name on this machine.
  static func person() -> String {
    let environment = ProcessInfo.processInfo.environment
    if let name = git("config", "user.name"), !name.isEmpty { return name }
    return environment["USER"] ?? environment["LOGNAME"] ?? "unknown"
  }

  /// Returns the output of git without the line end; nil if git fails or is not installed.
  private static func git(_ words: String..., in folder: FilePath? = nil) -> String? {
    guard let answer = try? Tool.git.run(words, in: folder), answer.isSuccess else {
      return nil
    }
    return answer.output.trimmingCharacters(in: .newlines)
  }
}
