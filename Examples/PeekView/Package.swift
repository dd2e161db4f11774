// swift-tools-version: 6.2
import PackageDescription

// For apps: add this folder as a package, or copy the two files of Sources.
let package = Package(
  name: "PeekView",
  platforms: [.iOS(.v18), .visionOS(.v2)],
  products: [.library(name: "PeekView", targets: ["PeekView"])],
  dependencies: [.package(name: "zoombench", path: "../..", traits: [])],
  targets: [
    .target(
      name: "PeekView", dependencies: [.product(name: "ZoomGeometry", package: "zoombench")],
      path: "Sources",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
