// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package: fuzzing needs unsafe flags, which SwiftPM allows in root packages only, and
// users of the library must not need them. The targets are libraries, because libFuzzer brings its
// own `main`; `ci/fuzz` links them.
let generators = ["ClampFuzz", "MagicFuzz"].map { name in
  Target.target(
    name: name, dependencies: [.product(name: "PropertyTesting", package: "root")],
    swiftSettings: strict + [.unsafeFlags(["-sanitize=fuzzer"])])
}

// `ci/fuzz` compiles it and ZoomPipeline with coverage, with a checker of memory accesses, and for
// testing, because sidecars are internal to ZoomPipeline.
let sidecars = Target.target(
  name: "SidecarFuzz",
  dependencies: [
    .product(name: "ZoomPipeline", package: "root"),
    .product(name: "SystemPackage", package: "swift-system"),
  ],
  swiftSettings: strict)

let targets = generators + [sidecars]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  products: targets.map { .library(name: $0.name, type: .static, targets: [$0.name]) },
  dependencies: [
    .package(name: "root", path: "../.."),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
  ],
  targets: targets,
  swiftLanguageModes: [.v6]
)
