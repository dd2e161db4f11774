import Foundation
import SystemPackage
import ZoomGeometry
import ZoomPipeline

// A worker of Documentation/PipelineWorkers.md, in Swift: it answers with the naive source, or with that of the name
// after "source", in the colours after the name, such as srgb. With another argument it does what a broken one does, for the tests.

let fault = CommandLine.arguments.dropFirst().first
let name = fault == "source" ? CommandLine.arguments.dropFirst(2).first ?? "" : "naive"
let colour = CommandLine.arguments.dropFirst(3).first.flatMap { ColourTarget(rawValue: $0) }
let pipelines = StandardPipelines(
  limits: PictureLimits(loaders: fault == "source" ? .all : .trusted))
/// The fault's numbers, such as the milliseconds of CPU time that each answer takes at least.
let numbersOfFault = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
let busy = Double(numbersOfFault.first ?? 0)
var source: (any RegionSource)?

func say(_ line: String, _ bytes: [UInt8] = []) throws {
  try FileDescriptor.standardOutput.writeAll(Array((line + "\n").utf8) + bytes)
}

switch fault {
case "print": try say("hello")
case "exit": exit(3)
case "mute": try await Task.sleep(for: .seconds(3600))
case "escape":
  try FileDescriptor.standardError.writeAll("\u{1B}[31mred \u{7}\u{202E}\u{9B}0m\n".utf8)
  exit(3)
case "talk": try FileDescriptor.standardError.writeAll("reading\n".utf8)
default: break
}

while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 1).map(String.init)
  do {
    switch words.first {
    case "zoombench": try say(fault == "greeting" ? "hello" : "zoombench 1 \(name) source")
    case "open":
      let opened = try pipelines.reader(named: name)?.converting(to: colour).open(
        FilePath(words[1]))
      source = opened
      try say("ok \(opened?.size.width ?? 0) \(opened?.size.height ?? 0)")
    case "read":
      let numbers = words[1].split(separator: " ").compactMap { Int($0) }
      let region = try PixelRegion(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      guard let pixels = try source?.read(RegionRequest(region)).pixels else { break }
      let form = "\(pixels.size.width) \(pixels.size.height) \(pixels.bands) \(pixels.format)"
      switch fault {
      case "busy":
        let start = clock()
        while Double(clock() - start) < busy / 1000 * Double(CLOCKS_PER_SEC) {}
        try say("pixels \(form)", pixels.bytes)
      case "wait":
        try await Task.sleep(for: .milliseconds(busy))
        try say("pixels \(form)", pixels.bytes)
      case "crash": fatalError("planted")
      case "hang": try await Task.sleep(for: .seconds(3600))
      case "short": try say("pixels \(form)", Array(pixels.bytes.dropLast()))
      case "wide":
        let width = pixels.size.width + 1
        try say(
          "pixels \(width) \(pixels.size.height) 1 uint8",
          [UInt8](repeating: 0, count: width * pixels.size.height))
      case "length": try say("pixels -1 99999999999999999999 3 uint8")
      case "leave": exit(4)
      case "escape-error": try say("error \u{1B}[31mred \u{7}\u{202E}\u{9B}0m")
      case "slow":
        try await Task.sleep(for: .milliseconds(300))
        try say("pixels \(form)", pixels.bytes.map { ~$0 })
      case "long": try say("pixels \(form)", pixels.bytes + [0])
      case "huge": try say("pixels 100000 100000 3 uint8", pixels.bytes)
      case "endless": while true { try say(String(repeating: "x", count: 1000)) }
      case "garbage": try say("\u{7}?")
      case "black": try say("pixels \(form)", [UInt8](repeating: 0, count: pixels.bytes.count))
      case "flip":
        // One sample of the pixel in the given column and row is off by one.
        let (x, y) = (numbersOfFault[0], numbersOfFault[1])
        var bytes = pixels.bytes
        if region.contains(x: x, y: y) {
          bytes[(y - region.y) * pixels.rowByteCount + (x - region.x) * pixels.bands] ^= 1
        }
        try say("pixels \(form)", bytes)
      case "shifted":
        let bytes = Array(pixels.bytes.dropFirst(pixels.bands)) + pixels.bytes.suffix(pixels.bands)
        try say("pixels \(form)", bytes)
      default: try say("pixels \(form)", pixels.bytes)
      }
    case "close":
      source = nil
      try say("ok")
    default: try say("error unknown request")
    }
  } catch {
    try say("error \(error)")
  }
}
