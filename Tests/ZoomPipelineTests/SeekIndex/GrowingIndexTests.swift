import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct GrowingIndexTests {
  /// A file whose reads wait behind a gate once it is closed, and say so.
  private final class GatedFile: CodedSource {
    private let inner: FileReader
    private let isClosed = Mutex(false)
    private let gate = DispatchSemaphore(value: 0)
    let arrivals = DispatchSemaphore(value: 0)

    init(_ inner: FileReader) { self.inner = inner }

    var path: FilePath { inner.path }
    var length: Int { inner.length }
    func assertUntouched() {}

    func bytes(at offset: Int, count: Int) throws(PipelineError) -> [UInt8] {
      if isClosed.withLock({ $0 }) {
        arrivals.signal()
        gate.wait()
      }
      return try inner.bytes(at: offset, count: count)
    }

    func close() { isClosed.withLock { $0 = true } }

    func open() {
      isClosed.withLock { $0 = false }
      gate.signal()
    }
  }

  /// A file that cannot be read for a while.
  private final class FailingFile: CodedSource {
    private let inner: FileReader
    let fails = Mutex(false)

    init(_ inner: FileReader) { self.inner = inner }

    var path: FilePath { inner.path }
    var length: Int { inner.length }
    func assertUntouched() {}

    func bytes(at offset: Int, count: Int) throws(PipelineError) -> [UInt8] {
      if fails.withLock({ $0 }) {
        throw PipelineError(.unreadable, operation: "read", file: path, reason: "not now")
      }
      return try inner.bytes(at: offset, count: count)
    }
  }

  private let picture: MadeJPEG
  private let file: FileReader
  private let jpeg: JPEGStructure
  private let layout: EntropyLayout

  init() throws {
    picture = try MadeJPEG(BaselineJPEG.Options(), 320, 200)
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
    let gated = GatedFile(file)
    let growing = try GrowingIndex(gated, jpeg, layout, stored: nil)
    _ = try growing.laid(to: 20)
    gated.close()
    let all = jpeg.mcuCount
    let rest = Task.detached { try growing.laid(to: all).laid?.mcu }
    // In the pass, and held up there.
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        gated.arrivals.wait()
        done.resume()
      }
    }
    let (laid, passing) = try growing.laid(to: 20)
    #expect(laid?.covers(20) == true)
    #expect(passing == .none)
    gated.open()
    #expect(try await rest.value == all)
  }

  @Test func `what could not be read once is read another time`() throws {
    let failing = FailingFile(file)
    let growing = try GrowingIndex(failing, jpeg, layout, stored: nil)
    failing.fails.withLock { $0 = true }
    let error = #expect(throws: PipelineError.self) { try growing.laid(to: 5) }
    #expect(error?.code == .unreadable)
    failing.fails.withLock { $0 = false }
    #expect(try growing.laid(to: jpeg.mcuCount).laid?.index.isComplete == true)
  }
}
