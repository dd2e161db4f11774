import Foundation
import Testing
import ZoomPipeline

@Test func `headers and library of libvips are of the same series`() {
  let runtime = VipsLibrary.version.split(separator: ".").prefix(2)
  let headers = VipsLibrary.headerVersion.split(separator: ".").prefix(2)
  #expect(runtime == headers)
}

@Test func `nothing of the process is changed until somebody asks for it`() async {
  await #expect(processExitsWith: .success) {
    unsetenv("VIPS_WARNING")
    _ = VipsLibrary.version
    precondition(getenv("VIPS_WARNING") == nil)
    VipsLibrary.configure(threads: 3, silencesWarnings: false)
    precondition(VipsLibrary.concurrency == 3 && getenv("VIPS_WARNING") == nil)
    VipsLibrary.configure()
    precondition(VipsLibrary.concurrency == 1 && getenv("VIPS_WARNING") != nil)
  }
}

@Test func `libvips starts with the settings that were chosen before`() async {
  await #expect(processExitsWith: .success) {
    VipsLibrary.configure(threads: 2)
    VipsLibrary.configure(threads: 3)
    precondition(VipsLibrary.concurrency == 3)
  }
}
