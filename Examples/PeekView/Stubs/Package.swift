// swift-tools-version: 6.2
import PackageDescription

// ZoomGeometry and PeekView, built on Linux against stubs of the Apple types that they use, and run
// against them. ci/check-apple does it.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Stubs",
  dependencies: [.package(url: "https://github.com/apple/swift-numerics", from: "1.1.0")],
  targets: [
    .target(name: "CoreGraphics", path: "CoreGraphics"),
    .target(name: "QuartzCore", dependencies: ["CoreGraphics"], path: "QuartzCore"),
    .target(name: "UIKit", dependencies: ["CoreGraphics", "QuartzCore"], path: "UIKit"),
    .target(name: "AppKit", dependencies: ["CoreGraphics"], path: "AppKit"),
    // A link to the sources of the package.
    .target(
      name: "ZoomGeometry",
      dependencies: [
        "AppKit", "CoreGraphics", "QuartzCore", "UIKit",
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      path: "ZoomGeometry", swiftSettings: strict),
    // A link to the sources of the example.
    .target(
      name: "PeekView", dependencies: ["CoreGraphics", "QuartzCore", "UIKit", "ZoomGeometry"],
      path: "PeekView", swiftSettings: strict),
    .executableTarget(
      name: "check-apple",
      dependencies: [
        "AppKit", "CoreGraphics", "PeekView", "QuartzCore", "UIKit", "ZoomGeometry",
      ],
      path: "Check", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
