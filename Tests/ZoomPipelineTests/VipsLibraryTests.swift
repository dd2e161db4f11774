import Testing
import ZoomPipeline

@Test func `headers and library of libvips are of the same series`() {
  let runtime = VipsLibrary.version.split(separator: ".").prefix(2)
  let headers = VipsLibrary.headerVersion.split(separator: ".").prefix(2)
  #expect(runtime == headers)
}
