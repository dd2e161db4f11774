import ForeignPipelines
import Foundation
import NIOCore
import ReferenceServer
import Synchronization
import SystemPackage
import ZoomPipeline

// Test support, not part of a product: a picture service of the IIIF Image API on loopback, correct or with a
// fault.
//
//   reference-server --picture FILE [--picture FILE ...] [--api 2.1|3.0] [--renderer own|vips]
//                    [--rounding nearest|down|up] [--limits WIDTHxHEIGHT] [--fault NAME] [--port N]
//   reference-server --list-faults       name, stage, standing, versions, needs, origin, summary
//
// The first lines on standard output are the addresses of the pictures, in the order of the arguments.

func fail(_ text: String, _ code: Int32 = 64) -> Never {
  FileHandle.standardError.write(Data("reference-server: \(text)\n".utf8))
  exit(code)
}

func choice<Value: RawRepresentable & CaseIterable>(_ text: String, _ option: String) -> Value
where Value.RawValue == String {
  if let value = Value(rawValue: text) { return value }
  fail("\(option) is one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
}

var pictures: [FilePath] = []
var settings = ReferenceSettings()
var fault: ServerFault?
var port: UInt16 = 0
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  if option == "--list-faults" {
    for fault in ServerFaults.all {
      let versions = fault.versions.map(\.rawValue).sorted().joined(separator: ",")
      let needs = fault.needs.map(\.rawValue).sorted().joined(separator: ",")
      let columns = [
        fault.name, fault.stage.rawValue, fault.standing.rawValue, versions,
        needs.isEmpty ? "-" : needs, fault.origin, fault.summary,
      ]
      print(columns.joined(separator: "\t"))
    }
    exit(0)
  }
  guard let value = arguments.popFirst() else { fail("\(option) needs a value") }
  switch option {
  case "--picture": pictures.append(FilePath(value))
  case "--api": settings.api = choice(value, option)
  case "--renderer": settings.renderer = choice(value, option)
  case "--rounding": settings.rounding = choice(value, option)
  case "--limits":
    let sides = value.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else { fail("--limits is WIDTHxHEIGHT") }
    settings.limits = SizeLimits(maxWidth: sides[0], maxHeight: sides[1])
  case "--fault":
    guard let named = ServerFaults.named(value) else { fail("no fault is named \(value)") }
    fault = named
  case "--port":
    guard let number = UInt16(value) else { fail("--port is a number up to 65535") }
    port = number
  default: fail("no option is named \(option)")
  }
}
guard !pictures.isEmpty else { fail("name a picture with --picture") }

VipsLibrary.configure()
let services = Mutex<[Substring: ReferenceServer]>([:])
let channel: any Channel
do {
  channel = try Listener.listen(port: port) { method, target, headers in
    guard let method = ServerRequest.Method(rawValue: method) else {
      return ServerAnswer(status: 405, headers: ["allow": "GET, HEAD, OPTIONS"])
    }
    let parts = target.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1] == "iiif" else { return ServerAnswer(status: 404) }
    let name = parts[2].prefix { $0 != "/" && $0 != "?" }
    guard let service = services.withLock({ $0[name] }) else { return ServerAnswer(status: 404) }
    return try? service.send(
      ServerRequest(
        String(parts[2].dropFirst(name.count)), method: method, headers: headers,
        followsRedirects: false))
  }
} catch { fail("port \(port): \(error)", 71) }

for path in pictures {
  do {
    let stored = try Picture(path).storedPixels()
    let isPlain = stored.format == .uint8 && [.srgb, .grey].contains(stored.interpretation)
    let name = path.lastComponent?.string ?? "picture"
    let encoded = name.percentEncoded()
    settings.address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/iiif/\(encoded)"
    let service = try ReferenceServer(
      isPlain ? stored : stored.forScreen(), settings, fault: fault)
    services.withLock { $0[encoded[...]] = service }
    print(settings.address)
  } catch {
    fail("\(error)", 66)
  }
}
fflush(nil)
try channel.closeFuture.wait()
