internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The report of a collection, or one shard's part of it.
extension InspectCommand {
  func inspectCollection() async throws {
    let part = try shards.begin(output)
    let pictures = try pictureList.paths(files) { names in
      try PictureFinder.find(names, limits.limits, opensNamed: false).map(\.path)
    }
    let places = try indexes.places()
    let run = FileRun(
      action: .inspect, pictures: pictures,
      settings: [
        "memory": "\(limits.memory ?? 0)", "loaders": limits.loaders.rawValue,
        "indexes": indexes.indexDir == nil ? "standard" : "folder",
        "sample": pictureList.sample ?? "all",
      ], jobs: jobs, format: format, output: output, isQuiet: quiet)
    try await run.run(part) { FileResult($0, limits.share(of: jobs), places) }
  }
}

extension FileResult {
  /// Creates the result of a picture from its headers.
  fileprivate init(_ path: FilePath, _ limits: PictureLimits, _ indexes: StoredIndexes) {
    do {
      let pipelines = StandardPipelines(limits: limits, indexes: indexes)
      let picture = try Picture(path, limits: limits)
      let source = try pipelines.automatic.choose(picture).name
      let region = try PixelRegion(middleOf: picture.size)
      let cost = try pipelines.pictureReaders.first { $0.name == source }?
        .cost(of: region, in: picture)
      self.init(
        .readable,
        Row.File(
          kind: picture.kind, source: source, width: picture.size.width,
          height: picture.size.height, bytes: picture.version.length, firstPeek: cost?.first,
          laterPeek: cost?.later,
          // The same threshold as for one picture: smaller gains are not worth an index.
          gainsByIndex: picture.canBeIndexed
            && (cost.map { $0.first > 2 * max(1, $0.later) } ?? false)))
    } catch {
      self.init(unreadable: (error as? PipelineError)?.reason ?? "\(error)")
    }
  }
}
