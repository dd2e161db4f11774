// swift-tools-version: 6.2
import PackageDescription

// What the README shows: a law, a live zoom system and a benchmark of one's own, in a package that sees what is public
// and no more.
let package = Package(
  name: "Own",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "zoombench", path: "../..")],
  targets: [
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
