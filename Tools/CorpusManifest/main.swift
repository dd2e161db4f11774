internal import Foundation
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

// Makes corpus pictures and writes their digests into a manifest, after a recipe or a scene was changed.
//
//   corpus-manifest MANIFEST [NAME ...]     default: all pictures that are not made on demand
//
// The pictures go to the folder that ZOOMBENCH_CORPUS names, or to .zoombench/corpus.

let words = Array(CommandLine.arguments.dropFirst())
guard let file = words.first, !file.hasPrefix("-") else {
  FileHandle.standardError.write(Data("usage: corpus-manifest MANIFEST [NAME ...]\n".utf8))
  exit(64)
}
// As in the command, so that pixels are the same.
VipsLibrary.configure()
let place = ProcessInfo.processInfo.environment["ZOOMBENCH_CORPUS"] ?? ".zoombench/corpus"
let folder = CorpusFolder(FilePath(place))
let reader = try FileReader(FilePath(file))
var manifest = try CorpusManifest(json: try reader.bytes(at: 0, count: reader.length))
for wanted in try manifest.pictures(named: Array(words.dropFirst())) {
  // Without a digest, any pixels are right.
  let picture = wanted.recording(nil)
  let digest = try await folder.make(
    picture, workers: ProcessInfo.processInfo.activeProcessorCount)
  manifest.pictures = manifest.pictures.map {
    $0.name == picture.name ? $0.recording(digest) : $0
  }
  print("\(picture.name): \(digest)")
}
try AtomicFile.write(try manifest.json(), to: FilePath(file))
