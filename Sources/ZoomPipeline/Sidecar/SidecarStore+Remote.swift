internal import SystemPackage

/// The indexes of pictures on servers: in a folder by address, or beside the picture.
extension SidecarStore {
  /// Returns the position of the index of a picture on a server.
  ///
  /// Its name is the address without query, because signatures differ each time. Pictures that
  /// differ only in their query are distinguished by the version in the index.
  func place(ofRemote picture: FilePath) -> Position {
    let name = RemoteAddress(RemoteAddress.text(of: picture))?.path ?? picture
    switch place {
    case .beside:
      let file = (name.lastComponent?.string ?? "") + RemoteAccess.indexSuffix
      return (name.removingLastComponent(), [], FilePath(file))
    case .folder(let folder): return Self.position(of: name, in: folder)
    }
  }

  /// Opens the file of an index; the one beside a remote picture was requested with it.
  func reader(
    of location: FilePath, for picture: FileReader
  ) throws(SidecarRefusal) -> FileReader {
    do throws(PipelineError) {
      if place == .beside, let remote = picture.remote {
        // It is nil if none was expected: for the picture's suffix, or without a key.
        if let index = remote.index { return try FileReader(try index.get(), named: location) }
      } else {
        return try FileReader(location)
      }
    } catch {
      let isServed = place == .beside && picture.isRemote
      // Object stores refuse access to files that do not exist.
      if error.code == .noSuchFile || isServed && error.code == .unreadable { throw .absent }
      throw isServed ? .unreachable(error.reason) : .damaged(error.reason)
    }
    throw hasKey ? .absent : noKey
  }

  /// Throws for a place on a server, to which nothing is written.
  func assertWritable(for picture: FilePath, operation: String) throws(PipelineError) {
    guard place == .beside, RemoteAddress.isName(picture) else { return }
    throw PipelineError(
      .unwritable, operation: operation, file: try location(for: picture),
      reason: "nothing is written to a server",
      advice: "keep indexes in a folder, and put them beside their pictures yourself")
  }
}

extension SidecarDraft {
  /// Builds the index of a picture on a server from a copy, which is removed again.
  ///
  /// The pass for the index and the digest read the whole picture, so it is fetched once. The
  /// index belongs to the version on the server, to which every answer was compared.
  static func build(
    ofRemote path: FilePath, limits: PictureLimits
  ) throws(PipelineError) -> (draft: SidecarDraft, headers: IndexedHeaders) {
    let file = try FileReader.open(path, limits)
    file.begin(needing: file.length)
    try TemporaryDisk.assertHolds(file.length, for: "a copy", operation: "index", path)
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let copy = folder.path.appending("picture")
    do {
      let target = try FileDescriptor.open(
        copy, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      try target.closeAfter {
        var place = 0
        while place < file.length {
          let bytes = try file.bytes(at: place, count: 1 << 20)
          _ = try target.writeAll(bytes)
          place += bytes.count
        }
      }
    } catch {
      throw (error as? PipelineError) ?? .unwritable(copy, error)
    }
    do throws(PipelineError) {
      let (draft, headers) = try build(of: copy, limits: limits)
      let old = draft.header
      let identity = SidecarIdentity(
        version: file.version, contentDigest: old.identity.contentDigest)
      let header = SidecarHeader(
        identity: identity, unit: old.unit, unitCount: old.unitCount, spacing: old.spacing,
        start: old.start, end: old.end, payloadCount: old.payloadCount,
        payloadDigest: old.payloadDigest)
      return (SidecarDraft(header: header, blocks: draft.blocks, payload: draft.payload), headers)
    } catch {
      throw PipelineError(
        error.code, operation: error.operation, file: path, reason: error.reason,
        advice: error.advice)
    }
  }
}
