import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct GrowingIndexTests {
  /// A file before each of whose reads something happens.
  private struct WatchedFile: CodedSource {
    let inner: FileReader
    let onRead: @Sendable () throws(PipelineError) -> Void

    var path: FilePath { inner.path }
    var length: Int { inner.length }
    func assertUntouched() {}

    func read(
      at offset: Int, into target: UnsafeMutableRawBufferPointer
    ) throws(PipelineError) -> Int {
      try onRead()
      return try inner.read(at: offset, into: target)
    }
  }

  /// What holds a reader up once it is closed, and tells that one has come.
  private final class Gate: Sendable {
    private let isClosed = Mutex(false)
    private let opening = DispatchSemaphore(value: 0)
    private let arrival = DispatchSemaphore(value: 0)

    func pass() {
      guard isClosed.withLock({ $0 }) else { return }
      arrival.signal()
      opening.wait()
    }

    func close() { isClosed.withLock { $0 = true } }

    func open() {
      isClosed.withLock { $0 = false }
      opening.signal()
    }

    func untilOneHasCome() async {
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          self.arrival.wait()
          done.resume()
        }
      }
    }
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  private let picture: MadeJPEG
  private let file: FileReader
  private let jpeg: JPEGStructure
  private let layout: EntropyLayout

  init() throws {
    picture = try MadeJPEG(JPEGEncoding(), 320, 200)
    file = try FileReader(picture.path)
    jpeg = try JPEGParser.parse(file)
    layout = try #require(EntropyLayout(jpeg))
  }

  @Test func `it covers what was asked for, and ends as an index made at once`() throws {
    let growing = try GrowingIndex(file, jpeg, layout, stored: nil)
    #expect(growing.laid.mcu == 0)
    var walked = 0
    for end in [1, 40, 7, 41, jpeg.mcuCount, 3] {
      let before = growing.laid.mcu
      let (laid, passing) = try growing.laid(to: end)
      let found = try #require(laid)
      #expect(found.covers(end) && found.mcu >= max(before, end))
      #expect(passing.unitsWalked == found.mcu - before)
      walked += passing.unitsWalked
    }
    #expect(walked == jpeg.mcuCount)
    #expect(try growing.laid.index == SeekIndex.build(of: file, jpeg))
    growing.forget()
    #expect(growing.laid.mcu == 0 && !growing.laid.index.isComplete)
  }

  @Test func `with an index made before there is nothing to do`() throws {
    let growing = try GrowingIndex(file, jpeg, layout, stored: SeekIndex.build(of: file, jpeg))
    let (laid, passing) = try growing.laid(to: jpeg.mcuCount)
    #expect(laid?.index.isComplete == true)
    #expect(passing == .none)
    growing.forget()
    #expect(growing.laid.index.isComplete)
  }

  @Test func `who needs what is laid down does not wait for who needs more`() async throws {
    let gate = Gate()
    let gated = WatchedFile(inner: file) { () throws(PipelineError) in gate.pass() }
    let growing = try GrowingIndex(gated, jpeg, layout, stored: nil)
    _ = try growing.laid(to: 20)
    gate.close()
    let all = jpeg.mcuCount
    let rest = Task.detached { try growing.laid(to: all).laid?.mcu }
    // In the pass, and held up there.
    await gate.untilOneHasCome()
    let (laid, passing) = try growing.laid(to: 20)
    #expect(laid?.covers(20) == true)
    #expect(passing == .none)
    gate.open()
    #expect(try await rest.value == all)
  }

  @Test func `what could not be read once is read another time`() throws {
    let fails = Flag()
    let failing = WatchedFile(inner: file) { [path = file.path] () throws(PipelineError) in
      guard !fails.isSet else {
        throw PipelineError(.unreadable, operation: "read", file: path, reason: "not now")
      }
    }
    let growing = try GrowingIndex(failing, jpeg, layout, stored: nil)
    fails.isSet = true
    let error = #expect(throws: PipelineError.self) { try growing.laid(to: 5) }
    #expect(error?.code == .unreadable)
    fails.isSet = false
    #expect(try growing.laid(to: jpeg.mcuCount).laid?.index.isComplete == true)
  }
}
