import Foundation
import PixelLaws
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ReferenceServer

/// The pixels of the correct servers.
@Suite struct ReferencePixelsTests {
  private static let sizes = [
    "40,", ",31", "17,60", "^200,", "^150,150", "pct:37", "!50,20", "1,1",
  ]

  private func server(
    _ pixels: Pixels, _ renderer: ReferenceRenderer = .own
  ) throws -> ReferenceServer {
    try ReferenceServer(pixels, ReferenceSettings(renderer: renderer))
  }

  @Test(arguments: ReferenceRenderer.allCases)
  func `without scaling every pixel is unchanged`(renderer: ReferenceRenderer) throws {
    for picture in [
      try Samples.picture(61, 47), try Samples.picture(61, 47, alpha: true),
      try Samples.grey(61, 47),
    ] {
      let server = try server(picture, renderer)
      #expect(try server.pixels("/full/max/0/default.png") == picture)
      let part = picture.crop(try PixelRegion(x: 7, y: 11, width: 40, height: 30))
      for request in ["7,11,40,30/max", "7,11,40,30/40,", "7,11,40,30/^40,30"] {
        #expect(try server.pixels("/\(request)/0/color.png") == part)
      }
      for turn in QuarterTurn.allCases {
        let path = "/7,11,40,30/max/\(turn.rawValue * 90)/default.png"
        #expect(try server.pixels(path) == part.quarterTurned(turn))
      }
    }
  }

  @Test(arguments: ReferenceRenderer.allCases, sizes)
  func `one colour stays that colour`(renderer: ReferenceRenderer, size: String) throws {
    for pixel: [UInt8] in [[200], [13, 250, 99], [13, 250, 99, 120], [80, 40]] {
      func flat(_ width: Int, _ height: Int) throws -> Pixels {
        try Pixels(
          width: width, height: height, bands: pixel.count,
          interpretation: pixel.count > 2 ? .srgb : .grey
        ) { _, _, band in pixel[band] }
      }
      let server = try server(flat(101, 67), renderer)
      let scaled = try #require(try server.pixels("/full/\(size)/0/default.png"))
      let difference = scaled.largestDifference(from: try flat(scaled.width, scaled.height))
      // libvips works on 8 bits between its steps.
      #expect(difference <= (renderer == .own ? 0 : 1))
    }
  }

  @Test func `an angle turns clockwise on a transparent ground, and cuts nothing`() throws {
    let picture = try Samples.picture(60, 40)
    let server = try server(picture)
    for angle in [1.0, 22.5, 45, 100, 191.3, 359] {
      let raster = try #require(try server.pixels("/full/max/\(angle)/default.png"))
      #expect(raster.bands == 4)
      let opaque = stride(from: 3, to: raster.bytes.count, by: 4)
        .reduce(0) { $0 + Int(raster.bytes[$1]) }
      #expect(abs(Double(opaque) / 255 - 2400) < 12, "\(angle)")
    }
    for turn in QuarterTurn.allCases {
      // Interpolation, too, yields exact quarter turns.
      let angle = Double(turn.rawValue) * .pi / 2
      #expect(picture.rotated(sin(angle), cos(angle)) == picture.turned(by: turn).withAlpha())
    }
  }

  @Test func `transparent pixels lend no colour to those beside them`() throws {
    // Every second column is red and opaque, the others green and transparent.
    let (red, green): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 0])
    let pixels = try Pixels(width: 8, height: 4, bands: 4) { x, _, band in
      x % 2 == 0 ? red[band] : green[band]
    }
    let scaled = try #require(try server(pixels).pixels("/full/4,2/0/default.png"))
    #expect(scaled.bytes == [[UInt8]](repeating: [255, 0, 0, 128], count: 8).flatMap { $0 })
  }
}
