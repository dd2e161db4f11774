internal import Synchronization
internal import SystemPackage

/// Access to pictures on web servers: addresses, connections and limits.
///
/// A program that gives its `PictureLimits` none refuses addresses.
package final class RemoteAccess: Sendable {
  package struct Settings: Sendable, Hashable, Codable {
    /// The assumed milliseconds from a request to its answer.
    package var latency = 50.0
    /// The assumed megabits per second.
    package var bandwidth = 20.0
    /// The time limit of one read, in seconds; long reads get more.
    package var seconds = 30.0

    package init() {}

    var link: RequestPlan.Link {
      RequestPlan.Link(latency: latency / 1000, bandwidth: bandwidth * 1e6 / 8)
    }
  }

  package let settings: Settings
  private let book: RemoteAddressBook
  private let makeTransport: @Sendable () -> any RangeTransport
  /// The transports without a request at present; their connections stay open.
  private let idle = Mutex<[any RangeTransport]>([])

  /// The most bytes of a file that are kept, and their share of the memory budget's limit.
  ///
  /// They are not reserved in the budget, which is for decoded pixels. So each open picture takes up
  /// to 64 MB in addition, its index as many, and a read the bytes of its answers.
  private static let (mostCached, cacheShare) = (64 << 20, 4)

  package init(
    _ settings: Settings, _ book: RemoteAddressBook,
    transport: @escaping @Sendable () -> any RangeTransport
  ) {
    self.settings = settings
    self.book = book
    makeTransport = transport
  }

  func withTransport<Answer>(_ body: (any RangeTransport) -> Answer) -> Answer {
    let transport = idle.withLock { $0.popLast() } ?? makeTransport()
    defer { idle.withLock { $0.append(transport) } }
    return body(transport)
  }

  /// Opens the file at the address that a path names.
  ///
  /// If an index beside it is expected, the start of `photo.jpg.zidx` is requested at the same time,
  /// unless the suffix is of a format without indexes.
  func open(
    _ path: FilePath, expectsIndex: Bool, within memory: MemoryBudget
  ) throws(PipelineError) -> RemoteFile {
    guard let address = book.address(of: path) else {
      throw PipelineError(
        .unreadable, operation: "open", file: path, reason: "it is not an address of HTTP",
        advice: "write it as https://host/photo.jpg")
    }
    let opening = RemoteOpening(
      session: RemoteSession(self), cached: min(Self.mostCached, memory.limit / Self.cacheShare))
    var targets = [RemoteOpening.Target(address: address, path: path, isPicture: true)]
    let mayHaveIndex = [nil, "jpg", "jpeg", "png"].contains(address.path.extension?.lowercased())
    if expectsIndex, mayHaveIndex, let index = address.appending(Self.indexSuffix) {
      targets.append(
        RemoteOpening.Target(
          address: index, path: FilePath(path.string + Self.indexSuffix), isPicture: false))
    }
    let opened = opening.open(targets)
    let file = try opened[0].get()
    if opened.count > 1 { file.setIndex(opened[1]) }
    return file
  }

  /// The end of the name of an index beside its picture.
  static let indexSuffix = ".zidx"
}
