// swift-tools-version: 6.2
import PackageDescription

// What the README and Documentation show: a pipeline, a law, a live zoom system and a benchmark of one's own, in a
// package that sees only what is public.
let package = Package(
  name: "Own",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "zoombench", path: "../.."),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "OwnPipeline",
      dependencies: [
        .product(name: "PixelLaws", package: "zoombench"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "ZoomGeometry", package: "zoombench"),
        .product(name: "ZoomLaws", package: "zoombench"),
        .product(name: "ZoomPipeline", package: "zoombench"),
      ]),
    .executableTarget(
      name: "OwnLaw",
      dependencies: [
        .product(name: "PropertyTesting", package: "zoombench"),
        .product(name: "ZoomGeometry", package: "zoombench"),
        .product(name: "ZoomLaws", package: "zoombench"),
      ]),
    .executableTarget(
      name: "OwnLive",
      dependencies: [.product(name: "ZoomGeometry", package: "zoombench")]),
    .executableTarget(
      name: "OwnBenchmark",
      dependencies: [
        .product(name: "Measurement", package: "zoombench"),
        .product(name: "ZoomGeometry", package: "zoombench"),
        .product(name: "ZoomPipeline", package: "zoombench"),
      ]),
  ]
)
