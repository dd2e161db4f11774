// swift-tools-version: 6.2
import PackageDescription

// A separate package: fuzzing needs unsafe flags, which SwiftPM allows in root packages only, and
// users of the library must not need them. The targets are libraries, because libFuzzer brings its
// own `main`; `ci/fuzz` links them.
func fuzzed(_ sanitizers: String) -> [SwiftSetting] {
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // One flag: of several `-sanitize` flags the compiler uses the last.
    .unsafeFlags(["-sanitize=\(sanitizers)"]),
  ]
}

let targets = ["ClampFuzz", "MagicFuzz"]

// Its sources are symbolic links to sources of ZoomPipeline, so that the parser is compiled with
// coverage and with a checker of memory accesses. The product brings libvips' headers.
let sidecar = Target.target(
  name: "SidecarFuzz",
  dependencies: [
    .product(name: "ZoomPipeline", package: "root"),
    .product(name: "SystemPackage", package: "swift-system"),
  ],
  swiftSettings: fuzzed("fuzzer,address"))

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  products: (targets + [sidecar.name]).map { .library(name: $0, type: .static, targets: [$0]) },
  dependencies: [
    .package(name: "root", path: "../.."),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
  ],
  targets: targets.map {
    .target(
      name: $0, dependencies: [.product(name: "PropertyTesting", package: "root")],
      swiftSettings: fuzzed("fuzzer"))
  } + [sidecar],
  swiftLanguageModes: [.v6]
)
