internal import SystemPackage

/// Opens a picture and its index with as few round trips as possible: both at once.
struct RemoteOpening {
  struct Target {
    let address: RemoteAddress
    let path: FilePath
    let isPicture: Bool

    /// The bytes that the first request asks for.
    ///
    /// 32 kB of a picture hold the headers of most JPEGs from cameras and of tiled TIFFs. At 20
    /// Mbit/s they take 13 ms, a quarter of a round trip. 128 kB of an index take 52 ms. A shorter
    /// index comes whole, and no round trip follows, which would take 50 ms. Of a longer one, they
    /// hold the table, up to 3 gigapixels.
    var headCount: Int { isPicture ? 1 << 15 : Sidecar.wholeByteCount }
  }

  let session: RemoteSession
  /// The bytes of each file that are kept.
  let cached: Int

  /// The bytes at a picture's end, which show whether a JPEG or a PNG is complete.
  private static let tailCount = 1 << 8
  /// The time limit for an index and the end of a picture, in seconds, without their transfer.
  ///
  /// Peeks work without them.
  private static let patience = 3.0
  /// The most requests for the start of a file, if the server is busy or connections are lost.
  static let mostAttempts = 4

  /// Opens files; nothing is shared between them but the session.
  ///
  /// A busy server is asked again for pictures only: peeks work without an index.
  func open(_ targets: [Target]) -> [Result<RemoteFile, PipelineError>] {
    let deadline = session.deadline(
      requests: targets.count, bytes: targets.reduce(0) { $0 + $1.headCount })
    var results: [Int: Result<RemoteFile, PipelineError>] = [:]
    var tails: [Int: Result<RangeReply, RangeFailure>] = [:]
    for attempt in 1...Self.mostAttempts {
      let pending = targets.indices.filter { results[$0] == nil }
      // The end is only a convenience: a server may refuse to send it, and is not asked again.
      let ended = attempt == 1 ? pending.filter { targets[$0].isPicture } : []
      let wanted =
        pending.map { head(of: targets[$0]) }
        + ended.map {
          RemoteSession.Wanted(
            address: targets[$0].address, part: .tail(Self.tailCount),
            seconds: patience(for: Self.tailCount))
        }
      let replies = session.send(wanted, until: deadline)
      for (number, reply) in zip(ended, replies[pending.count...]) { tails[number] = reply }
      var wait: (seconds: Int, reason: PipelineError)?
      for (number, reply) in zip(pending, replies) {
        do throws(PipelineError) {
          switch try opened(targets[number], reply, tails[number]) {
          case .file(let file): results[number] = .success(file)
          case .again(let seconds, let reason):
            if attempt == Self.mostAttempts || !targets[number].isPicture { throw reason }
            wait = (max(seconds, wait?.seconds ?? 0), reason)
          }
        } catch {
          results[number] = .failure(error)
        }
      }
      guard let wait else { break }
      do throws(PipelineError) {
        try session.pause(wait.seconds, until: deadline, wait.reason)
      } catch {
        return targets.indices.map { results[$0] ?? .failure(error) }
      }
    }
    return targets.indices.map { number in
      results[number]
        ?? .failure(RangeCheck(path: targets[number].path).error(.fault, "it was not requested"))
    }
  }

  private enum Opened {
    case file(RemoteFile)
    case again(seconds: Int, PipelineError)
  }

  private func head(of target: Target) -> RemoteSession.Wanted {
    RemoteSession.Wanted(
      address: target.address, part: .range(0..<target.headCount),
      seconds: target.isPicture ? nil : patience(for: target.headCount))
  }

  private func patience(for count: Int) -> Double {
    Self.patience + 4 * session.link.seconds(requests: 1, bytes: count)
  }

  /// Creates the file from its first bytes.
  private func opened(
    _ target: Target, _ reply: Result<RangeReply, RangeFailure>,
    _ tail: Result<RangeReply, RangeFailure>?
  ) throws(PipelineError) -> Opened {
    var check = RangeCheck(path: target.path)
    let part: RangeAnswer
    switch try check.outcome(of: reply, to: 0..<target.headCount) {
    case .again(let seconds, let reason): return .again(seconds: seconds, reason)
    case .part(let answer): part = answer
    }
    guard let length = part.length else {
      throw check.error(
        .unsupported, "its server does not say how long it is", advice: "download it")
    }
    let version: RemoteVersion
    do throws(RangeFailure) { version = try RemoteVersion(part.headers, length: length) } catch {
      throw check.error(.unsupported, error.reason, advice: "download it")
    }
    check.version = version
    var pieces = [(start: 0, bytes: part.bytes)]
    if let tail, case .part(let end)? = try? check.outcome(of: tail, to: nil),
      end.start >= part.bytes.count, end.start + end.bytes.count == length
    {
      pieces.append((end.start, end.bytes))
    }
    return .file(
      RemoteFile(
        target.address, named: target.path, version, moved: (try? reply.get())?.moved, in: session,
        holding: pieces, upTo: cached))
  }
}
