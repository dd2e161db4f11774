// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the flags of a fuzzer are unsafe ones, which SwiftPM allows in a root
// package only, and nobody who builds the library should need them. The targets are libraries,
// because libFuzzer brings its own `main`; `ci/fuzz` links them.
func fuzzed(_ sanitizers: String) -> [SwiftSetting] {
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Once only: of two such flags the compiler heeds the last.
    .unsafeFlags(["-sanitize=\(sanitizers)"]),
  ]
}

let targets = ["ClampFuzz", "MagicFuzz"]

// Its sources are links to those of ZoomPipeline, so that the parser itself is compiled for coverage,
// and with a checker of memory accesses; the product brings libvips' headers.
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
