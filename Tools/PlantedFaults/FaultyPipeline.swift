import PixelLaws
import Synchronization
package import SystemPackage
import ZoomGeometry
import ZoomLaws
package import ZoomPipeline

package struct FaultyPipeline: Pipeline {
  package struct Mistake: Sendable {
    let answer: @Sendable (FaultyRead) throws(PipelineError) -> RegionAnswer
  }

  package struct FaultyRead: Sendable {
    let request: RegionRequest
    let source: any RegionSource
    let path: FilePath
    /// The memory of this source, and the memory that all sources of the pipeline share.
    let own, shared: Memory
  }

  /// The state that a faulty source or pipeline keeps between requests, such as a cache.
  package final class Memory: Sendable {
    struct Remembered {
      var reads = 0
      var request: RegionRequest?
      var answers: [RegionRequest: RegionAnswer] = [:]
      /// The source without a fault that was last opened, and its file.
      var opened: (any RegionSource)?
      var path: FilePath?
      /// The profile of the first picture that was read, or nil if it had none; no element before a read.
      var profiles: [[UInt8]?] = []
    }
    let content = Mutex(Remembered())
  }

  private let sound: any Pipeline
  private let mistake: Mistake
  private let memory = Memory()

  package init(_ sound: any Pipeline, _ mistake: Mistake) {
    self.sound = sound
    self.mistake = mistake
  }

  package var name: String { sound.name }
  package var summary: String { sound.summary }
  package var isExact: Bool { sound.isExact }
  package var colour: ColourTarget? { sound.colour }

  package var requests: Int { memory.content.withLock { $0.reads } }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    let source = try sound.open(path)
    memory.content.withLock { ($0.opened, $0.path) = (source, path) }
    return FaultySource(sound: source, path: path, mistake: mistake, shared: memory)
  }

  private final class FaultySource: RegionSource {
    private let sound: any RegionSource
    private let path: FilePath
    private let mistake: Mistake
    private let own = Memory()
    private let shared: Memory

    init(sound: any RegionSource, path: FilePath, mistake: Mistake, shared: Memory) {
      (self.sound, self.path, self.mistake, self.shared) = (sound, path, mistake, shared)
    }

    var size: PixelSize { sound.size }
    var state: SourceState { sound.state }
    var openingWork: Work { sound.openingWork }
    var explanation: String { sound.explanation }

    func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
      shared.content.withLock { $0.reads += 1 }
      return try mistake.answer(
        FaultyRead(request: request, source: sound, path: path, own: own, shared: shared))
    }

    func forget() { sound.forget() }
  }
}

extension FaultyPipeline.FaultyRead {
  var isValid: Bool { (try? request.check(pictureSize: source.size, file: path)) != nil }

  func soundly() throws(PipelineError) -> RegionAnswer { try source.read(request) }

  /// Returns the answer for a region at another position, moved and cut to fit into the picture.
  func reading(_ x: Int, _ y: Int, of size: PixelSize) throws(PipelineError) -> RegionAnswer {
    // An invalid request is refused as usual.
    try request.check(pictureSize: source.size, file: path)
    let picture = source.size
    let (width, height) = (min(size.width, picture.width), min(size.height, picture.height))
    let region = PixelRegion.checked(
      min(max(x, 0), picture.width - width), min(max(y, 0), picture.height - height), width, height)
    let answer = try source.read(RegionRequest(region))
    return answer.made(of: answer.pixels, for: request)
  }
}

extension RegionAnswer {
  func with(_ pixels: Pixels) -> RegionAnswer {
    RegionAnswer(pixels: pixels, work: work, resampling: resampling, colour: colour)
  }

  /// Returns the answer to a request, computed from the upright pixels of its region.
  func made(of upright: Pixels, for request: RegionRequest) -> RegionAnswer {
    let pixels = upright.reduced(by: request.reduction).turned(by: request.turn)
    var work = work
    work.pixelsDelivered = pixels.size.area
    return RegionAnswer(
      pixels: pixels, work: work, resampling: request.reduction == .none ? .none : .blockMean,
      colour: colour)
  }
}

extension Pixels {
  /// Returns the pixels with every 8 or 16 bit unsigned sample changed; pixels of other formats stay unchanged.
  func mappingSamples(
    _ change: (_ sample: Int, _ x: Int, _ y: Int, _ band: Int, _ most: Int) -> Int
  ) -> Pixels {
    guard format == .uint8 || format == .uint16 else { return self }
    var changed = bytes
    changed.withUnsafeMutableBytes { buffer in
      for place in 0..<size.area * bands {
        let (pixel, band) = place.quotientAndRemainder(dividingBy: bands)
        let (y, x) = pixel.quotientAndRemainder(dividingBy: size.width)
        if format == .uint8 {
          buffer[place] = UInt8(clamping: change(Int(buffer[place]), x, y, band, 255))
        } else {
          let sample = buffer.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self)
          buffer.storeBytes(
            of: UInt16(clamping: change(Int(sample), x, y, band, 65_535)), toByteOffset: place * 2,
            as: UInt16.self)
        }
      }
    }
    return with(size, changed)
  }

  /// Returns the pixels rearranged; positions beyond the edges read the edge pixels.
  func fetching(_ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)) -> Pixels {
    rearranged(size) { x, y in
      let from = place(x, y)
      return (min(max(from.x, 0), size.width - 1), min(max(from.y, 0), size.height - 1))
    }
  }

  /// Returns the pixels, each averaged with the one at an offset from it; this shifts the picture by half the offset.
  func averaging(dx: Int, dy: Int) -> Pixels {
    let moved = fetching { x, y in (x + dx, y + dy) }
    let other = moved.samples
    return mappingSamples { sample, x, y, band, _ in (sample + other[place(x, y, band)] + 1) / 2 }
  }

  func place(_ x: Int, _ y: Int, _ band: Int) -> Int { (y * size.width + x) * bands + band }

  /// The samples; zeroes for formats other than 8 and 16 bit unsigned.
  var samples: [Int] {
    var all = [Int](repeating: 0, count: size.area * bands)
    _ = mappingSamples { sample, x, y, band, _ in
      all[place(x, y, band)] = sample
      return sample
    }
    return all
  }

  /// Returns the top left part of the pixels; the size must not exceed theirs.
  func cropped(_ width: Int, _ height: Int) -> Pixels {
    cut(.checked(0, 0, max(width, 1), max(height, 1)))
  }
}
