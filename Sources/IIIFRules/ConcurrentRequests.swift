internal import ForeignPipelines
internal import Foundation
internal import Synchronization

/// Sends requests at the same time, each on a thread.
struct ConcurrentRequests: Sendable {
  private let transport: any ServerTransport

  init(_ transport: any ServerTransport) { self.transport = transport }

  func send(_ requests: [ServerRequest]) -> [Result<ServerAnswer, ServerFailure>] {
    let answers = Mutex<[Int: Result<ServerAnswer, ServerFailure>]>([:])
    let group = DispatchGroup()
    for (index, request) in requests.enumerated() {
      group.enter()
      // Not a dispatch queue: it runs only as many blocks at once as there are cores.
      Thread.detachNewThread { [transport] in
        let answer = Result { () throws(ServerFailure) in try transport.send(request) }
        answers.withLock { $0[index] = answer }
        group.leave()
      }
    }
    group.wait()
    return answers.withLock { answers in requests.indices.compactMap { answers[$0] } }
  }
}
