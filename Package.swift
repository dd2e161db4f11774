// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Settings of the libraries, of the command and of tests.
///
/// ci/test builds everything once, in the debug configuration: to optimise GRDB and the tests takes longer than to run
/// them. The libraries are optimised all the same, for laws and pixels would take hours, and so is the command, which
/// counts the heap allocations of optimised code. Each module is compiled as a whole, which takes tests half the time.
/// Only the root package may set such flags.
let isCI = Context.environment["ZOOMBENCH_CI"] != nil
let whole = ["-wmo", "-num-threads", "2"]
let fast: [SwiftSetting] = strict + (isCI ? [.unsafeFlags(["-O"] + whole)] : [])
let testing: [SwiftSetting] =
  strict + (isCI ? [.unsafeFlags(whole), .define("ZOOMBENCH_CI")] : [])

/// JSON files of the corpus, embedded in the binary, so that it needs no files.
func resources(_ names: String...) -> [Resource] {
  names.map { .embedInCode("Resources/\($0).json") }
}

let package = Package(
  name: "zoombench",
  // UInt128 needs these versions.
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "ZoomGeometry", targets: ["ZoomGeometry"]),
    .library(name: "ZoomPipeline", targets: ["ZoomPipeline"]),
    .library(name: "ForeignPipelines", targets: ["ForeignPipelines"]),
    .library(name: "Measurement", targets: ["Measurement"]),
    .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
    .library(name: "PropertyTestingBridge", targets: ["PropertyTestingBridge"]),
    .library(name: "ZoomLaws", targets: ["ZoomLaws"]),
    .library(name: "PixelLaws", targets: ["PixelLaws"]),
    .executable(name: "zoombench", targets: ["zoombench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CVips", pkgConfig: "vips",
      providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
    .target(
      name: "ZoomGeometry",
      dependencies: [.product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: fast),
    .target(
      name: "ZoomPipeline",
      dependencies: [
        "CJPEG", "CVips", "ZoomGeometry",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: fast + [.strictMemorySafety()]),
    .target(
      name: "ForeignPipelines",
      dependencies: [
        "CCurl", "Measurement", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "ZoomCorpus",
      dependencies: [
        "CJPEG", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: resources(
        "manifest", "peek", "peek-presses", "fullscreen", "force", "force-button",
        "force-animation", "double-tap",
        "transition"),
      swiftSettings: fast),
    .target(
      name: "Measurement",
      dependencies: [.product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: fast),
    .target(
      name: "MeasurementHistory",
      dependencies: ["Measurement", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .target(name: "PropertyTesting", swiftSettings: fast),
    .target(
      name: "PropertyTestingBridge", dependencies: ["PropertyTesting"], swiftSettings: strict),
    .target(
      name: "ZoomLaws",
      dependencies: [
        "PropertyTesting", "ZoomGeometry", .product(name: "BigInt", package: "BigInt"),
      ],
      swiftSettings: fast),
    .target(
      name: "PixelLaws",
      dependencies: [
        "ZoomLaws", "PropertyTesting", "ZoomGeometry", "ZoomPipeline", "ZoomCorpus",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: fast),
    .target(
      name: "PlantedFaults",
      dependencies: [
        "ZoomLaws", "PixelLaws", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tools/PlantedFaults", swiftSettings: strict),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    .executableTarget(
      name: "zoombench",
      dependencies: [
        "CAllocations",
        "ForeignPipelines", "ZoomGeometry", "ZoomPipeline", "ZoomCorpus", "Measurement",
        "MeasurementHistory", "PropertyTesting", "ZoomLaws", "PixelLaws", "PlantedFaults",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Benchmarks/zoombench", swiftSettings: fast),
    .target(
      name: "TestSupport",
      dependencies: [
        "PropertyTesting", "ZoomGeometry", "ZoomPipeline", "ZoomCorpus",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "ZoomGeometryTests", dependencies: ["ZoomGeometry", "PropertyTesting"],
      swiftSettings: testing),
    .testTarget(
      name: "ZoomPipelineTests",
      dependencies: [
        "ZoomPipeline", "ZoomGeometry", "ZoomCorpus", "TestSupport", "PropertyTesting",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: testing),
    .executableTarget(
      name: "pipeline-worker",
      dependencies: [
        "ZoomGeometry", "ZoomPipeline", .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Benchmarks/PipelineWorker", swiftSettings: strict),
    .testTarget(
      name: "ForeignPipelinesTests",
      dependencies: [
        "ForeignPipelines", "Measurement", "PixelLaws", "TestSupport", "ZoomGeometry",
        "ZoomPipeline", "pipeline-worker",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: testing),
    .executableTarget(
      name: "open-fuzz",
      dependencies: ["TestSupport", .product(name: "SystemPackage", package: "swift-system")],
      path: "Benchmarks/OpenFuzz", swiftSettings: strict),
    .testTarget(
      name: "ZoomCorpusTests",
      dependencies: [
        "ZoomCorpus", "ZoomPipeline", "ZoomGeometry", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: testing),
    .executableTarget(
      name: "measurement-example-worker", dependencies: ["Measurement"],
      path: "Benchmarks/ExampleWorker", swiftSettings: strict),
    .executableTarget(
      name: "gate-characteristics",
      dependencies: ["Measurement", .product(name: "RealModule", package: "swift-numerics")],
      path: "Benchmarks/GateCharacteristics", swiftSettings: strict),
    .testTarget(
      name: "MeasurementTests", dependencies: ["Measurement", "measurement-example-worker"],
      swiftSettings: testing),
    // Examples of a user's package: only public API is visible.
    .executableTarget(
      name: "OwnPipeline",
      dependencies: [
        "PixelLaws", "ZoomGeometry", "ZoomLaws", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Examples/Own/Sources/OwnPipeline", packageAccess: false),
    .executableTarget(
      name: "OwnLaw", dependencies: ["PropertyTesting", "ZoomGeometry", "ZoomLaws"],
      path: "Examples/Own/Sources/OwnLaw", packageAccess: false),
    .executableTarget(
      name: "OwnLive", dependencies: ["ZoomGeometry"], path: "Examples/Own/Sources/OwnLive",
      packageAccess: false),
    .executableTarget(
      name: "OwnBenchmark", dependencies: ["Measurement", "ZoomGeometry", "ZoomPipeline"],
      path: "Examples/Own/Sources/OwnBenchmark", packageAccess: false),
    .executableTarget(
      name: "history-writer", dependencies: ["MeasurementHistory", "Measurement"],
      path: "Benchmarks/HistoryWriter", swiftSettings: strict),
    .testTarget(
      name: "MeasurementHistoryTests",
      dependencies: ["MeasurementHistory", "Measurement", "PropertyTesting", "history-writer"],
      swiftSettings: testing),
    .target(
      name: "ShrinkingChallenge", dependencies: ["PropertyTesting"],
      path: "Benchmarks/ShrinkingChallenge/Tasks", swiftSettings: strict),
    .executableTarget(
      name: "shrinking-challenge", dependencies: ["ShrinkingChallenge"],
      path: "Benchmarks/ShrinkingChallenge/Command", swiftSettings: strict),
    .executableTarget(
      name: "zoom-shrinking", dependencies: ["PropertyTesting", "ZoomGeometry", "ZoomLaws"],
      path: "Benchmarks/ShrinkingChallenge/Zoom", swiftSettings: strict),
    .executableTarget(
      name: "property-speed", dependencies: ["PropertyTesting"],
      path: "Benchmarks/PropertySpeed", swiftSettings: strict),
    .testTarget(
      name: "PropertyTestingTests", dependencies: ["PropertyTesting", "ShrinkingChallenge"],
      swiftSettings: testing),
    .testTarget(
      name: "PropertyTestingBridgeTests",
      dependencies: ["PropertyTesting", "PropertyTestingBridge"], swiftSettings: testing),
    .testTarget(
      name: "PropertyTestingXCTests", dependencies: ["PropertyTesting"], swiftSettings: testing),
    .testTarget(
      name: "ZoomLawsTests", dependencies: ["ZoomLaws", "PropertyTesting", "ZoomGeometry"],
      swiftSettings: testing),
    .testTarget(
      name: "PixelLawsTests",
      dependencies: [
        "PixelLaws", "ZoomLaws", "PlantedFaults", "PropertyTesting", "ZoomGeometry",
        "ZoomPipeline", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: testing),
    .testTarget(
      name: "PlantedFaultsTests",
      dependencies: [
        "PlantedFaults", "ZoomLaws", "PixelLaws", "PropertyTesting", "ZoomGeometry",
        "ZoomPipeline",
      ], swiftSettings: testing),
    .testTarget(
      name: "zoombenchTests",
      dependencies: [
        "zoombench", "ZoomGeometry", "ZoomPipeline", "ZoomCorpus", "Measurement",
        "MeasurementHistory", "TestSupport", "PropertyTesting", "PropertyTestingBridge", "ZoomLaws",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: testing),
  ],
  swiftLanguageModes: [.v6]
)
