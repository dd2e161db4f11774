import SystemPackage
import Testing

@testable import ZoomPipeline

struct PipelineErrorTests {
  @Test func `it reads as file, operation, reason and advice, in one line`() {
    let file = FilePath("pictures/a.jpg")
    let full = PipelineError(
      .damaged, operation: "decode", file: file, reason: "it breaks off", advice: "get another")
    #expect("\(full)" == "pictures/a.jpg: decode: it breaks off (get another)")
    let bare = PipelineError(.fault, operation: "turn", file: nil, reason: "no idea")
    #expect("\(bare)" == "turn: no idea")
  }

  @Test(arguments: [
    (Errno.noSuchFileOrDirectory, PipelineError.Code.noSuchFile), (.notDirectory, .noSuchFile),
    (.permissionDenied, .unreadable), (.isDirectory, .unreadable), (.ioError, .unreadable),
  ])
  func `the operating system's errors keep their meaning`(
    _ errno: Errno, _ code: PipelineError.Code
  ) {
    let file = FilePath("a.jpg")
    let error = PipelineError(errno: errno, operation: "open", file: file)
    #expect(error.code == code)
    #expect(error.file == file)
  }

  @Test func `libvips' failure keeps our code and file and stays in one line`() {
    let file = FilePath("a.jpg")
    let error = PipelineError.vips(.damaged, operation: "open", file: file)
    #expect(error.code == .damaged && error.file == file && error.operation == "open")
    #expect(!error.reason.isEmpty && !error.reason.contains("\n"))
  }
}
