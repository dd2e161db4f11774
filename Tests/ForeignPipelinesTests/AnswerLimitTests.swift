import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ForeignPipelines
@testable import PixelLaws
@testable import ZoomPipeline

extension Foreign {
  /// The request limits the time, memory and processes of its answer.
  struct AnswerLimitTests {
    private let picture: TellingPicture

    init() throws { picture = try TellingPicture() }

    /// A PNG whose header claims 5000x5000 pixels, and whose data cannot be decoded.
    private static let bomb: [UInt8] =
      PNGHeaders.signature
      + RandomPNG.chunk("IHDR", [0, 0, 0x13, 0x88, 0, 0, 0x13, 0x88, 8, 2, 0, 0, 0])
      + RandomPNG.chunk("IDAT", [UInt8](repeating: 0xFF, count: 5000))
      + RandomPNG.chunk("IEND", [])

    @Test func `an answer of another size is refused by its header, before a pixel is decoded`()
      throws
    {
      let server = try LoopbackServer.ofTiles(16, "png", of: picture.pixels.size) { _ in
        .ok(Self.bomb, type: "image/png")
      }
      defer { server.stop() }
      let file = try picture.folder.write(Self.bomb, as: "bomb.png")
      for pipeline in [
        "h=http:\(server.address)/{x}", "t=tiles:\(server.address)/p.dzi",
        "c=command:sh -c 'cat \(file)' {file}",
        "o=command:sh -c 'cp \(file) \"$1\"' {file} {out.png}",
      ] {
        let said = picture.refusal(by: pipeline)
        #expect(said.contains("5000x5000 pixels were answered for a region of 16x16"), "\(said)")
      }
    }

    /// A region of 720 kB; by its size alone the answer could have 8 MB.
    private static let wide = PixelRegion.checked(0, 0, 600, 400)
    private static let megabyte = PictureLimits(memory: MemoryBudget(limit: 1 << 20))

    @Test(arguments: ["http,lossy:{server}/{x}", "command,lossy:sh -c 'cat /dev/zero' {file}"])
    func `no more bytes are read than an answer can have and the memory allows`(
      what: String
    ) throws {
      let picture = try TellingPicture(600, 400)
      let server = try LoopbackServer { _ in .endless }
      defer { server.stop() }
      for (region, limits, most) in [
        // 16x16 pixels of four 64-bit bands, and a megabyte.
        (PixelRegion.checked(0, 0, 16, 16), PictureLimits.standard, 16 * 16 * 32 + (1 << 20)),
        (Self.wide, Self.megabyte, 2 << 20),
      ] {
        let source = try ForeignPipeline(
          "x=" + what.replacing("{server}", with: server.address), limits: limits
        ).open(picture.path)
        let said = reason { _ = try source.read(RegionRequest(region)) }
        #expect(said.contains("more than \(most) bytes"), "\(said)")
      }
    }

    @Test func `tiles are refused by the memory that all of them take, after the first one`() throws
    {
      let picture = try TellingPicture(600, 400)
      let file = picture.folder.path.appending("tile.tif")
      let tile = try Pixels(
        100, 100, 4, .float32, bytes: [UInt8](repeating: 0, count: 100 * 100 * 16))
      try Image(tile).write(to: file, settings: "[compression=deflate]")
      let answer = try bytes(of: file)
      let server = try LoopbackServer.ofTiles(100, "tif", of: picture.pixels.size) { _ in
        .ok(answer, type: "image/tiff")
      }
      defer { server.stop() }
      let source = try ForeignPipeline(
        "t=tiles,lossy:\(server.address)/p.dzi", limits: Self.megabyte
      ).open(picture.path)
      let said = reason { _ = try source.read(RegionRequest(Self.wide)) }
      #expect(
        said.contains("takes \(600 * 400 * 16) bytes, more than the memory budget"), "\(said)")
      #expect(server.heads.count == 2)
      #expect(try source.read(RegionRequest(.checked(50, 50, 150, 150))).pixels.bands == 4)
    }

    @Test func `an answer within the memory that was given is read, and no other`() throws {
      func read(_ bytes: Int) throws {
        let limits = PictureLimits(memory: MemoryBudget(limit: bytes))
        _ = try ForeignPipeline("c=command,lossy:cp {file} {out.png}", limits: limits)
          .open(picture.path).read(RegionRequest(.checked(0, 0, 83, 61)))
      }
      try read(2 * 83 * 61 * 3)
      #expect(reason { try read(83 * 61 * 3 - 1) }.contains("budget"))
    }

    @Test func `all tiles of an answer share one time limit`() throws {
      let picture = picture
      let server = try LoopbackServer.ofTiles(16, "png", of: picture.pixels.size) { target in
        Thread.sleep(forTimeInterval: 0.4)
        let place = numbers(target)
        let (left, top) = (place[1] * 16, place[2] * 16)
        let region = PixelRegion.checked(left, top, min(16, 83 - left), min(16, 61 - top))
        return (try? picture.png(region)).map { .ok($0, type: "image/png") } ?? .status(500)
      }
      defer { server.stop() }
      let source = try ForeignPipeline("t=tiles,time=2:\(server.address)/p.dzi")
        .open(picture.path)
      // Each tile takes far less than the limit, all 24 together far more.
      let said = reason { _ = try source.read(RegionRequest(.checked(0, 0, 83, 61))) }
      #expect(said.contains("within 2.0 s"), "\(said)")
    }

    @Test func `an answer that the run does not wait for says nothing about the program`() throws {
      let pipeline = try worker("hang", options: "")
      pipeline.endAnswers(at: .now + .seconds(1))
      let error = #expect(throws: PipelineError.self) { try pipeline.open(picture.path) }
      #expect(error?.code == .outOfTime)
      #expect(LiveWorkers.count == 0)
    }

    @Test(arguments: [("", 30.0), (",time=1", 3000)])
    func `missing a limit is a program's fault if its user chose it, not if a short run did`(
      limit: String, budget: Double
    ) throws {
      let pipeline = try worker("hang", options: limit)
      pipeline.endAnswers(at: .now + .seconds(budget))
      let error = #expect(throws: PipelineError.self) { try pipeline.open(picture.path) }
      #expect(error?.code == (limit.isEmpty ? .outOfTime : .misbehaved))
      #expect(error?.reason.contains("it gave no answer within") == true, "\(error as Any)")
      #expect((error?.advice != nil) == limit.isEmpty)
    }

    #if os(Linux)
      @Test func `processes that a command leaves are ended after each answer`() throws {
        let note = picture.folder.path.appending("left")
        let script = try picture.folder.write(
          Array(
            """
            setsid sh -c 'echo $$ >> "\(note)"; exec sleep 1000' >/dev/null 2>&1 &
            while [ "$(wc -l < "\(note)")" = "$4" ]; do sleep 0.01; done
            cp "$1" "$2"
            """.utf8), as: "script.sh")
        try picture.folder.write([], as: "left")
        let source = try ForeignPipeline("x=command,lossy:sh '\(script)' {file} {out.png} 0 {x}")
          .open(picture.path)
        for number in 0..<3 {
          // The answer is a picture of another size, which does not matter here.
          _ = try? source.read(RegionRequest(.checked(number, 0, 5, 5)))
          let left = try String(contentsOfFile: note.string, encoding: .utf8).split(separator: "\n")
          #expect(left.count == number + 1)
          for process in left.compactMap({ Int32($0) }) {
            #expect(!ProcessStatus.isRunning(process))
          }
        }
      }

      @Test func `a process that has left the group of a worker ends with it`() throws {
        let worker = try #require(Foreign.workerProgram)
        let note = picture.folder.path.appending("left")
        let script = try picture.folder.write(
          Array(
            """
            setsid sh -c 'echo $$ > "\(note)"; exec sleep 1000' >/dev/null 2>&1 &
            while [ ! -s "\(note)" ]; do sleep 0.01; done
            exec '\(worker)' leave
            """.utf8), as: "script.sh")
        _ = picture.refusal(by: "x=worker:sh '\(script)'")
        let left = try String(contentsOfFile: note.string, encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(!left.isEmpty)
        // A process that was not waited for yet is a zombie (Z).
        let state = try? String(contentsOfFile: "/proc/\(left)/stat", encoding: .utf8)
          .split(separator: ")").last?.split(separator: " ").first
        #expect(state == nil || state == "Z", "\(state ?? "")")
      }
    #endif
  }
}
