internal import ArgumentParser
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// `zoombench conformance`: a set of pictures and answers for authors of region decoders.
struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Write a set of pictures and expected regions for other people's decoders.",
    discussion: """
      The folder's run.py judges a command, an address or a folder of answers. It needs only Python.

      Examples:
        zoombench conformance set
        python3 set/run.py 'mydecoder {file} {x} {y} {w} {h} {out.ppm}'
      """)

  @Argument(help: "The folder to write; it must not exist, or be empty.")
  var folder: String

  func validate() throws {
    try OutputOptions.check(folder, of: "conformance", needs: "a folder's name")
  }

  /// Throws an error unless the digest is that of the set's version.
  static func check(_ digest: String) throws(Failure) {
    guard digest != ConformanceSet.versionDigest else { return }
    throw Failure(
      .fault,
      "conformance: the set has the SHA-256 \(digest), not \(ConformanceSet.versionDigest): the"
        + " installed encoders give other files (use libvips and libjpeg-turbo of other versions)")
  }

  func run() throws {
    let path = FilePath(folder)
    try Output.checkFolder(path)
    let set = try ConformanceSet()
    try Self.check(set.digest)
    let scratch = try ScratchFolder(beside: path)
    defer { scratch.remove() }
    try set.write(to: scratch.path)
    try scratch.publish(as: path)
    try Output.write(
      """
      version   \(ConformanceSet.version), SHA-256 \(set.digest)
      written   \(Format.oneLine(folder)) (python3 \(Format.oneLine(folder))/run.py --help)

      """, to: nil)
  }
}
