import Foundation
import Measurement
import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ForeignPipelines
@testable import ZoomPipeline

extension Foreign {
  struct WorkerPipelineTests {
    private let picture: TellingPicture
    private let request = RegionRequest(.checked(3, 2, 5, 5))

    init() throws { picture = try TellingPicture() }

    @Test func `its answers are the picture's pixels, wherever the region is`() throws {
      let source = try worker().open(picture.path)
      for (x, y, width, height) in [
        (0, 0, 83, 61), (82, 60, 1, 1), (7, 11, 30, 20), (0, 60, 83, 1),
      ] {
        #expect(try picture.isRead(by: source, x, y, width, height))
      }
    }

    @Test(arguments: [
      ("crash", "signal"), ("hang", "within"), ("short", "within"), ("huge", "for a region"),
      ("wide", "for a region"), ("length", "answered"),
      ("print", "greeted"), ("exit", "status 3"), ("leave", "status 4"),
      ("endless", "answered"), ("garbage", "answered"), ("greeting", "greeted"),
    ])
    func `an invalid or missing answer is reported in one line, and no process is left`(
      fault: String, reason: String
    ) throws {
      let error = #expect(throws: PipelineError.self) {
        try worker(fault, options: ",time=1").open(picture.path)
      }
      let line = error?.reason ?? ""
      #expect(line.contains(reason) && !line.contains("\n"), "\(line)")
      #expect(LiveWorkers.count == 0)
    }

    @Test func `a byte too many is found with the next request, after which it is started again`()
      throws
    {
      let source = try worker("long").open(picture.path)
      #expect(throws: PipelineError.self) { try source.read(request) }
      #expect(try picture.isRead(by: source, 3, 2, 5, 5))
    }

    @Test func `one process opens one picture after the other, two at once take two`() throws {
      let pipeline = try worker()
      let other = try TellingPicture(31, 47)
      for _ in 0..<3 {
        for each in [picture, other] {
          #expect(try each.isRead(by: pipeline.open(each.path), 20, 30, 11, 17))
        }
      }
      #expect(LiveWorkers.count == 1)
      let both = [try pipeline.open(picture.path), try pipeline.open(other.path)]
      #expect(LiveWorkers.count == 2)
      #expect(both.map(\.size.width) == [83, 31])
    }

    @Test func `its CPU time is that of its processes, of those that have ended too`() throws {
      let pipeline = try worker("busy 30", options: ",lossy")
      let source = try pipeline.open(picture.path)
      let idle = try #require(pipeline.processorTime)
      _ = try source.read(request)
      // The worker measures by its own clock that an answer takes 30 ms.
      let once = try #require(pipeline.processorTime)
      #expect(once >= idle + 30_000_000)
      source.forget()
      let ended = try #require(pipeline.processorTime)
      // The kernel reports the time of an ended process in microseconds.
      #expect(ended + 1000 >= once)
      _ = try source.read(request)
      #expect(try #require(pipeline.processorTime) >= ended + 30_000_000)
      #expect(try ForeignPipeline("a=http:http://127.0.0.1:1/{x}{y}{w}{h}").processorTime == nil)
    }

    #if os(Linux)
      /// The process that is asked is a shell, which waits for the program that works.
      @Test(arguments: ["", "cat | ", "setsid -w "])
      func `its CPU time is that of the program in a wrapper, too`(prefix: String) throws {
        let program = try #require(Foreign.workerProgram)
        let script = try picture.folder.write(
          Array("\(prefix)'\(program)' busy 60\ntrue".utf8), as: "wrapper.sh")
        let pipeline = try ForeignPipeline("mine=worker,lossy:sh '\(script)'")
        let source = try pipeline.open(picture.path)
        _ = try source.read(request)
        var before = try #require(pipeline.processorTime)
        for _ in 0..<3 {
          _ = try source.read(request)
          let after = try #require(pipeline.processorTime)
          #expect(after >= before + 60_000_000 && after < before + 600_000_000)
          before = after
        }
        source.forget()
        #expect(try #require(pipeline.processorTime) >= before)
      }

      /// A shell that runs a program for each request, and waits for it.
      @Test func `its CPU time is that of programs that have ended, too`() throws {
        let script = try picture.folder.write(
          Array(
            """
            while read word rest; do
              case $word in
                zoombench) echo zoombench 1 ;;
                open) echo ok 83 61 ;;
                read) timeout 0.1 sh -c 'while :; do :; done'
                  printf 'pixels 5 5 1 uint8\\n%025d' 0 ;;
              esac
            done
            """.utf8), as: "shell.sh")
        let pipeline = try ForeignPipeline("mine=worker,lossy:sh '\(script)'")
        let source = try pipeline.open(picture.path)
        _ = try source.read(request)
        let before = try #require(pipeline.processorTime)
        for _ in 0..<3 { _ = try source.read(request) }
        // The machine may be busy; without the children the time would be a millisecond.
        #expect(try #require(pipeline.processorTime) >= before + 50_000_000)
      }
    #endif

    @Test func `an idle process that has died is replaced`() throws {
      let pipeline = try worker()
      _ = try pipeline.open(picture.path)
      for worker in LiveWorkers.identifiers { kill(-worker, SIGKILL) }
      #expect(try picture.isRead(by: pipeline.open(picture.path), 3, 2, 5, 5))
    }

    @Test func `a picture that it refuses does not end it`() throws {
      let pipeline = try worker()
      _ = try pipeline.open(picture.path)
      let broken = try picture.folder.write(Array("no picture".utf8), as: "broken.png")
      #expect(throws: PipelineError.self) { try pipeline.open(broken) }
      #expect(LiveWorkers.count == 1)
    }

    @Test func `a process is kept no longer than its pipeline`() throws {
      _ = try worker().open(picture.path)
      #expect(LiveWorkers.count == 0)
    }

    @Test func `what is forgotten is opened anew`() throws {
      let source = try worker().open(picture.path)
      source.forget()
      #expect(source.state == .nothing)
      #expect(LiveWorkers.count == 0)
      #expect(try picture.isRead(by: source, 3, 2, 5, 5))
    }

    @Test func `a program that is not there is named`() {
      let error = #expect(throws: PipelineError.self) {
        try ForeignPipeline("x=worker:/no/such/program").open(picture.path)
      }
      #expect(error?.code == .notInstalled && error?.reason.contains("/no/such/program") == true)
    }
  }
}

extension Foreign {
  struct CommandPipelineTests {
    private let picture: TellingPicture

    init() throws { picture = try TellingPicture() }

    @Test func `a template's words reach the program as they are, without a shell`() throws {
      let template = try CommandTemplate("prog '{file}' \"a b\" {x},{right} {out.png} $HOME ;ls")
      let words = template.words([
        "file": "a b'$(x).jpg", "x": "1", "right": "4", "out.png": "/t/o.png",
      ])
      #expect(words == ["prog", "a b'$(x).jpg", "a b", "1,4", "/t/o.png", "$HOME", ";ls"])
      #expect(template.suffix == "png")
    }

    @Test func `a program that copies the whole picture answers another size`() throws {
      #expect(
        picture.refusal(by: "cp=command:cp {file} {out.png}")
          .contains("pixels were answered for a region of 16x16"))
    }

    @Test(arguments: [
      ("false {file}", "status 1"), ("cat /dev/zero {file}", "more than"),
      ("true {file}", "wrote nothing"), ("true {file} {out.png}", "no such file"),
      ("tail -f {file}", "within"),
    ])
    func `an invalid or missing answer of a command is reported in one line`(
      command: String, reason: String
    ) throws {
      let line = picture.refusal(by: "x=command,time=3:\(command)")
      #expect(line.contains(reason), "\(line)")
      #expect(LiveWorkers.count == 0)
    }

    #if os(Linux)
      @Test func `the most memory that it held is seen`() throws {
        // Writes the answer, then takes 100 MB in the same process, which keeps its standard output open.
        let hungry = try ForeignPipeline(
          "x=command,lossy:sh -c 'cp {file} {out.png}; exec perl -e \"print STDERR length(q(a) x 1e8)\"'"
        )
        let most = try #require(
          try hungry.peakResidentBytes(of: picture.path, region: .checked(0, 0, 83, 61)))
        #expect((100_000_000...150_000_000).contains(most))
      }
    #endif

    @Test func `an answer that begins at a block is cut where that is said, and refused where not`()
      throws
    {
      // The command answers the whole picture, which starts 3 columns and 2 rows before the region.
      let aligned = try ForeignPipeline("x=command,lossy,aligned:cp {file} {out.png}")
      #expect(try picture.isRead(by: aligned.open(picture.path), 3, 2, 80, 59))
      let other = try ForeignPipeline("x=command,lossy:cp {file} {out.png}").open(picture.path)
      #expect(throws: PipelineError.self) { try picture.isRead(by: other, 3, 2, 80, 59) }
    }

    @Test func `memory is limited where that is asked for, and only there`() throws {
      let picture = try TellingPicture(9, 7)
      let dd = "dd if=/dev/zero of=/dev/null bs=200M count=1"
      let hungry = ":sh -c '\(dd) && cat \"$1\"' x {file}"
      #expect(throws: PipelineError.self) {
        try ForeignPipeline("x=command,memory=100" + hungry).open(picture.path)
      }
      for options in ["", ",memory=1000"] {
        let source = try ForeignPipeline("x=command" + options + hungry).open(picture.path)
        #expect(source.size.width == 9)
      }
    }
  }
}

extension Foreign {
  struct PipelineArgumentTests {
    @Test(arguments: [
      "", "=command:x", "a b=command:x {file}", "x=command:", "x=command:vips crop", "x=fax:y",
      "x=command,fast:y {file}", "x=iiif,rate=1e-30:http://h/", "x=command,time=0:y {file}",
      "x=iiif:ftp://host/", "unknown",
      "x=command:'open {file}", "x=command:copy {file} {zzz}", "x=command:copy {file} {file.png}",
      "x=iiif:http://h/{nope}", "x=iiif:http://h/{x}", "x=http:http://h/{out}",
      "x=tiles:{file}/{w}",
    ])
    func `a description that cannot be understood says what to write`(text: String) {
      #expect { try ForeignPipeline(text) } throws: { !"\($0)".isEmpty && !"\($0)".contains("\n") }
    }

    @Test(arguments: [
      "x=command:awk '{ print }' {file}", "x=command:sh -c \"awk '{print}' $1\" sh {file}",
      "x=command:sh -c 'echo ${HOME}' {file} {out.tif}",
      "x=tiles:{stem}/{z}/{x}/{y}.png", "x=http:http://h/{x}/{y}/{w}/{h}/{right}/{bottom}/{name}",
    ])
    func `braces that are no placeholders stay`(text: String) throws {
      #expect(try ForeignPipeline(text).name == "x")
    }

    @Test(arguments: [
      (
        #"{"pipelines": [{"name": "a", "what": "b"}]}"#, #"pipelines[0]: the key "kind" is missing"#
      ),
      (#"{"pipelines": {}}"#, "pipelines: it is not a list"), ("[1", "it is not JSON: "),
    ])
    func `a bad list is explained by the place in the file`(json: String, says: String) {
      #expect {
        try ForeignPipeline.list(json: Array(json.utf8))
      } throws: { "\($0)".hasPrefix(says) && !"\($0)".contains("CodingKey") }
    }

    @Test func `a program in a list keeps its options and headers`() throws {
      let list = """
        {"pipelines": [{"name": "a", "kind": "http", "what": "http://h/{name}",
        "options": ["lossy"], "headers": ["Authorization: Bearer x"]}]}
        """
      let program = try #require(try ForeignPipeline.list(json: Array(list.utf8)).first)
      let written = try JSONEncoder().encode(PipelineList([program.entry]))
      let again = try #require(try ForeignPipeline.list(json: [UInt8](written)).first)
      #expect(String(decoding: written, as: UTF8.self).contains("Bearer x"))
      #expect(!again.isExact && again.description == program.description)
    }

    @Test func `every ready-made pipeline can be understood`() throws {
      for name in ForeignPipeline.readyMade.keys { #expect(try ForeignPipeline(name).name == name) }
    }

    @Test func `a list in a file is the same as descriptions`() throws {
      let json = """
        {"pipelines": [{"name": "a", "kind": "tiles", "what": "{stem}.dzi", "options": ["lossy"]}]}
        """
      let listed = try ForeignPipeline.list(json: Array(json.utf8))
      #expect(listed.map(\.description) == ["a=tiles,lossy:{stem}.dzi"])
      #expect(try ForeignPipeline("a=tiles,lossy:{stem}.dzi").isExact == listed.first?.isExact)
    }
  }
}
