// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Whether ci/test builds the package.
let isCI = Context.environment["ZOOMBENCH_CI"] != nil

/// Settings of the modules in which tests and laws spend their time, and of one whose allocations are counted.
///
/// ci/test builds everything once, in the debug configuration: to optimise a module takes three to five times as long as
/// to compile it. These modules repay that, all others do not. No other package than the root may set such flags.
let fast: [SwiftSetting] = strict + (isCI ? [.unsafeFlags(["-O"])] : [])

// The conditions of dependencies on other packages. A package that takes only ZoomGeometry, ZoomLaws, PropertyTesting or
// Measurement disables all traits (`traits: []`) and then resolves only swift-numerics. The modules that need a disabled
// trait do not compile, so a user of them keeps it enabled.
let pictures = TargetDependencyCondition.when(traits: ["Pictures"])
let command = TargetDependencyCondition.when(traits: ["Command"])
let play = TargetDependencyCondition.when(traits: ["Play"])
let history = TargetDependencyCondition.when(traits: ["History"])

/// Files of the corpus, embedded in the binary, so that it needs no files.
func resources(_ names: String...) -> [Resource] {
  names.map { .embedInCode("Resources/\($0)") }
}

let package = Package(
  name: "zoombench",
  // UInt128 needs these versions.
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "ZoomGeometry", targets: ["ZoomGeometry"]),
    .library(name: "ZoomPipeline", targets: ["ZoomPipeline"]),
    .library(name: "ZoomFrames", targets: ["ZoomFrames"]),
    .library(name: "ForeignPipelines", targets: ["ForeignPipelines"]),
    .library(name: "Measurement", targets: ["Measurement"]),
    .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
    .library(name: "PropertyTestingBridge", targets: ["PropertyTestingBridge"]),
    .library(name: "ZoomLaws", targets: ["ZoomLaws"]),
    .library(name: "PixelLaws", targets: ["PixelLaws"]),
    .executable(name: "zoombench", targets: ["ZoombenchMain"]),
    .executable(name: "zoombench-play", targets: ["zoombench-play"]),
  ],
  traits: [
    .default(enabledTraits: ["Pictures", "Command", "Play", "History"]),
    .trait(
      name: "Pictures",
      description:
        "ZoomPipeline, ZoomFrames, ForeignPipelines, PixelLaws: picture files and programs"),
    .trait(name: "Command", description: "the zoombench command", enabledTraits: ["History"]),
    .trait(name: "Play", description: "zoombench-play", enabledTraits: ["Command"]),
    .trait(name: "History", description: "zoombench history", enabledTraits: ["Pictures"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.7.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CVips", pkgConfig: "vips",
      providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
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
        "CJPEG", "CVips", "CWebP", "CZlib", "ZoomGeometry",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      swiftSettings: fast + [.strictMemorySafety()]),
    .target(
      name: "ZoomFrames",
      dependencies: [
        "ZoomGeometry", "ZoomPipeline",
        .product(name: "RealModule", package: "swift-numerics"),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      swiftSettings: fast + [.strictMemorySafety()]),
    .target(
      name: "ForeignPipelines",
      dependencies: [
        "CCurl", "Measurement", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      swiftSettings: strict),
    .target(
      name: "ZoomCorpus",
      dependencies: [
        "CJPEG", "CZlib", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      resources: resources(
        "manifest.json", "peek.json", "peek-presses.json", "fullscreen.json", "force.json",
        "force-button.json", "force-animation.json", "double-tap.json", "transition.json",
        "judging.py", "report.py", "run.py", "samples.py", "traps.json", "conformance.md",
        "grid-aperture.avif", "lossy.webp", "lzw.tif", "pieces.png", "wavelet-53.jp2",
        "wavelet-97.jp2"),
      swiftSettings: fast),
    .target(
      name: "Measurement",
      dependencies: [.product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: strict),
    .target(
      name: "Sharding",
      dependencies: [
        "Measurement", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      swiftSettings: fast),
    .target(
      name: "MeasurementHistory",
      dependencies: [
        "Measurement", .product(name: "GRDB", package: "GRDB.swift", condition: history),
      ],
      swiftSettings: strict),
    .target(name: "PropertyTesting", swiftSettings: fast),
    .target(
      name: "PropertyTestingBridge", dependencies: ["PropertyTesting"], swiftSettings: strict),
    .target(
      name: "ZoomLaws", dependencies: ["PropertyTesting", "ZoomGeometry"], swiftSettings: fast),
    .target(
      name: "PixelLaws",
      dependencies: [
        "ZoomLaws", "PropertyTesting", "ZoomGeometry", "ZoomPipeline", "ZoomCorpus",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      swiftSettings: fast),
    .target(
      name: "ZoomViewers",
      dependencies: [
        "ForeignPipelines", "Measurement", "ZoomFrames", "ZoomGeometry", "ZoomLaws", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      resources: [.embedInCode("Browser/inject.js")], swiftSettings: fast),
    .target(
      name: "IIIFRules",
      dependencies: [
        "ForeignPipelines", "Measurement", "PixelLaws", "ZoomGeometry", "ZoomPipeline",
      ],
      swiftSettings: fast),
    .target(
      name: "ZoomLoad",
      dependencies: [
        "ForeignPipelines", "Measurement", "PixelLaws", "ZoomGeometry", "ZoomPipeline",
        .product(name: "Histogram", package: "hdrhistogram-swift", condition: command),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      swiftSettings: fast),
    .target(
      name: "ZoomPlay",
      dependencies: [
        "Measurement", "ZoomFrames", "ZoomGeometry", "ZoomLaws", "ZoomPipeline",
        .product(name: "NIOCore", package: "swift-nio", condition: play),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: play),
        .product(name: "NIOPosix", package: "swift-nio", condition: play),
        .product(name: "NIOWebSocket", package: "swift-nio", condition: play),
      ],
      resources: ["html", "css", "js"].map { .embedInCode("Resources/page.\($0)") },
      swiftSettings: fast),
    .target(
      name: "PlantedFaults",
      dependencies: [
        "ZoomLaws", "PixelLaws", "PropertyTesting", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      path: "Tools/PlantedFaults", swiftSettings: strict),
    .target(
      name: "ReferenceServer",
      dependencies: ["CZlib", "ForeignPipelines", "ZoomGeometry", "ZoomPipeline"],
      path: "Tools/ReferenceServer/Service", swiftSettings: fast),
    .target(
      name: "ReferenceViewer", path: "Tools/ReferenceViewer",
      exclude: ["Campaign", "Matrix"], sources: ["Faults"],
      resources: [.embedInCode("reference.html")], swiftSettings: strict),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    // The code of the command; ZoombenchMain is the executable.
    .target(
      name: "zoombench",
      dependencies: [
        "CAllocations", "ForeignPipelines", "IIIFRules", "ZoomGeometry", "ZoomPipeline",
        "ZoomFrames", "ZoomCorpus", "Measurement", "MeasurementHistory", "PropertyTesting",
        "Sharding", "ZoomLaws", "PixelLaws", "ZoomLoad", "ZoomViewers",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      path: "Benchmarks/zoombench",
      resources: [
        "page.html", "page.css", "numbers.js", "drawings.js", "charts.js", "parts.js", "bench.js",
        "compare.js", "checks.js", "load.js", "page.js",
      ].map { .embedInCode("Report/Page/\($0)") },
      swiftSettings: strict),
    .executableTarget(
      name: "ZoombenchMain", dependencies: ["zoombench"], path: "Benchmarks/ZoombenchMain",
      swiftSettings: strict),
    .executableTarget(
      name: "zoombench-play",
      dependencies: [
        "ForeignPipelines", "Measurement", "PropertyTesting", "ZoomCorpus", "ZoomGeometry",
        "ZoomLaws", "ZoomPipeline", "ZoomPlay", "zoombench",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      path: "Sources/ZoomPlayCommand", swiftSettings: strict),
    .executableTarget(
      name: "selftest",
      dependencies: [
        "Measurement", "ZoomCorpus", "zoombench",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      path: "Tools/Selftest", swiftSettings: strict),
    .target(
      name: "LiveSteps", dependencies: ["ZoomGeometry"], path: "Tools/LiveSteps/Steps",
      swiftSettings: fast),
    .executableTarget(
      name: "live-steps",
      dependencies: ["LiveSteps", "Measurement", "ZoomCorpus", "ZoomGeometry", "zoombench"],
      path: "Tools/LiveSteps/Command", swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "CVips", "CZlib", "PixelLaws", "PropertyTesting", "ZoomCorpus", "ZoomGeometry",
        "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "ZoomGeometryTests", dependencies: ["ZoomGeometry", "ZoomLaws", "PropertyTesting"],
      exclude: ["Timelines"], swiftSettings: strict),
    .testTarget(
      name: "ZoomPipelineTests",
      dependencies: [
        "CZlib", "ZoomPipeline", "ZoomGeometry", "ZoomCorpus", "TestSupport", "PixelLaws",
        "PropertyTesting",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], exclude: ["Pyramids"], swiftSettings: strict),
    .testTarget(
      name: "ZoomFramesTests",
      dependencies: [
        "PixelLaws", "ZoomFrames", "ZoomPipeline", "ZoomGeometry", "TestSupport",
        "PropertyTesting",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .executableTarget(
      name: "pipeline-worker",
      dependencies: [
        "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ],
      path: "Tools/PipelineWorker", swiftSettings: strict),
    .testTarget(
      name: "ForeignPipelinesTests",
      dependencies: [
        "ForeignPipelines", "Measurement", "PixelLaws", "ReferenceServer", "TestSupport",
        "ZoomCorpus", "ZoomGeometry", "ZoomPipeline", "pipeline-worker",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "ZoomLoadTests",
      dependencies: [
        "ForeignPipelines", "Measurement", "PropertyTesting", "TestSupport", "ZoomGeometry",
        "ZoomLoad", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "ZoomPlayTests",
      dependencies: [
        "ForeignPipelines", "Measurement", "ZoomPlay", "PropertyTesting", "PropertyTestingBridge",
        "TestSupport", "ZoomGeometry", "ZoomLaws", "ZoomPipeline", "ZoomViewers", "zoombench",
        "zoombench-play",
        .product(name: "NIOCore", package: "swift-nio", condition: play),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: play),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: play),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "ZoomCorpusTests",
      dependencies: [
        "ZoomCorpus", "ZoomPipeline", "ZoomGeometry", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], exclude: ["Conformance/Files"], swiftSettings: strict),
    .executableTarget(
      name: "measurement-example-worker", dependencies: ["Measurement"],
      path: "Tools/ExampleWorker", swiftSettings: strict),
    .testTarget(
      name: "ShardingTests",
      dependencies: [
        "Sharding", "PropertyTesting", "PropertyTestingBridge", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "MeasurementTests", dependencies: ["Measurement", "measurement-example-worker"],
      swiftSettings: strict),
    // Examples of a user's package: only public API is visible.
    .executableTarget(
      name: "OwnPipeline",
      dependencies: [
        "PixelLaws", "ZoomGeometry", "ZoomLaws", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
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
      path: "Tools/HistoryWriter", swiftSettings: strict),
    .testTarget(
      name: "MeasurementHistoryTests",
      dependencies: [
        "MeasurementHistory", "Measurement", "PropertyTesting", "PropertyTestingBridge",
        "history-writer",
        .product(name: "GRDB", package: "GRDB.swift", condition: history),
      ],
      swiftSettings: strict),
    .target(
      name: "ShrinkingChallenge", dependencies: ["PropertyTesting"],
      path: "Tools/ShrinkingChallenge/Tasks", swiftSettings: strict),
    .testTarget(
      name: "PropertyTestingTests", dependencies: ["PropertyTesting", "ShrinkingChallenge"],
      swiftSettings: strict),
    .testTarget(
      name: "PropertyTestingBridgeTests",
      dependencies: ["PropertyTesting", "PropertyTestingBridge"], swiftSettings: strict),
    .testTarget(
      name: "PropertyTestingXCTests", dependencies: ["PropertyTesting"], swiftSettings: strict),
    // A viewer for tests; it needs no C, as ZoomLaws.
    .target(
      name: "ModelViewers", dependencies: ["ZoomGeometry", "ZoomLaws"], path: "Tests/ModelViewers",
      swiftSettings: fast),
    .testTarget(
      name: "ZoomLawsTests",
      dependencies: ["ModelViewers", "ZoomLaws", "PropertyTesting", "ZoomGeometry"],
      swiftSettings: strict),
    .testTarget(
      name: "PixelLawsTests",
      dependencies: [
        "PixelLaws", "ZoomLaws", "PlantedFaults", "PropertyTesting", "ZoomCorpus", "ZoomGeometry",
        "ZoomPipeline", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "ZoomViewersTests",
      dependencies: [
        "ForeignPipelines", "Measurement", "ModelViewers", "PixelLaws", "PropertyTesting",
        "PropertyTestingBridge", "ReferenceViewer", "TestSupport", "ZoomGeometry", "ZoomLaws",
        "ZoomPipeline", "ZoomViewers",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "PlantedFaultsTests",
      dependencies: [
        "PlantedFaults", "ZoomLaws", "PixelLaws", "PropertyTesting", "ZoomGeometry",
        "ZoomPipeline",
      ], swiftSettings: strict),
    .testTarget(
      name: "IIIFRulesTests",
      dependencies: [
        "ForeignPipelines", "IIIFRules", "Measurement", "PixelLaws", "PropertyTesting",
        "ReferenceServer", "TestSupport", "ZoomGeometry", "ZoomPipeline",
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], swiftSettings: strict),
    .testTarget(
      name: "ReferenceServerTests",
      dependencies: [
        "ForeignPipelines", "PixelLaws", "ReferenceServer", "TestSupport", "ZoomGeometry",
        "ZoomPipeline",
      ], swiftSettings: strict),
    .testTarget(
      name: "ReferenceViewerTests", dependencies: ["ReferenceViewer"], swiftSettings: strict),
    .testTarget(
      name: "SelftestTests", dependencies: ["Measurement", "selftest", "zoombench"],
      swiftSettings: strict),
    .testTarget(
      name: "zoombenchTests",
      dependencies: [
        "zoombench", "ZoombenchMain", "ZoomGeometry", "ZoomPipeline", "ZoomCorpus", "Measurement",
        "ForeignPipelines", "MeasurementHistory", "TestSupport", "PropertyTesting",
        "PropertyTestingBridge", "ModelViewers", "ZoomLaws", "ZoomLoad", "ZoomViewers",
        "pipeline-worker",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
        .product(name: "SystemPackage", package: "swift-system", condition: pictures),
      ], exclude: ["Conformance/Decoder"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

/// Programs that no test starts, which ci/test leaves out: a fuzzer, benchmarks of the property tester and of gates, the
/// writer of the corpus's manifest, the matrix of planted faults, and the reference server with its matrix.
let tools: [Target] = [
  .executableTarget(
    name: "fault-matrix", dependencies: ["PlantedFaults", "ZoomGeometry", "ZoomPipeline"],
    path: "Tools/FaultMatrix", swiftSettings: strict),
  .executableTarget(
    name: "server-fault-matrix",
    dependencies: [
      "ForeignPipelines", "IIIFRules", "ReferenceServer", "ZoomGeometry", "ZoomPipeline",
    ],
    path: "Tools/ReferenceServer/Matrix", swiftSettings: strict),
  .executableTarget(
    name: "reference-server",
    dependencies: [
      "ForeignPipelines", "ReferenceServer", "ZoomPipeline",
      .product(name: "NIOCore", package: "swift-nio", condition: play),
      .product(name: "NIOHTTP1", package: "swift-nio", condition: play),
      .product(name: "NIOPosix", package: "swift-nio", condition: play),
      .product(name: "SystemPackage", package: "swift-system", condition: pictures),
    ],
    path: "Tools/ReferenceServer/Command", swiftSettings: strict),
  .executableTarget(
    name: "viewer-fault-matrix",
    dependencies: [
      "PropertyTesting", "ReferenceViewer", "ZoomGeometry", "ZoomLaws", "ZoomPipeline",
      "ZoomViewers",
      .product(name: "SystemPackage", package: "swift-system", condition: pictures),
    ],
    path: "Tools/ReferenceViewer/Matrix", swiftSettings: strict),
  .executableTarget(
    name: "open-fuzz",
    dependencies: [
      "TestSupport", .product(name: "SystemPackage", package: "swift-system", condition: pictures),
    ],
    path: "Tools/OpenFuzz", swiftSettings: strict),
  .executableTarget(
    name: "corpus-manifest",
    dependencies: [
      "ZoomCorpus", "ZoomPipeline",
      .product(name: "SystemPackage", package: "swift-system", condition: pictures),
    ],
    path: "Tools/CorpusManifest", swiftSettings: strict),
  .executableTarget(
    name: "gate-characteristics",
    dependencies: ["Measurement", .product(name: "RealModule", package: "swift-numerics")],
    path: "Tools/GateCharacteristics", swiftSettings: strict),
  .executableTarget(
    name: "shrinking-challenge", dependencies: ["ShrinkingChallenge"],
    path: "Tools/ShrinkingChallenge/Command", swiftSettings: strict),
  .executableTarget(
    name: "zoom-shrinking", dependencies: ["PropertyTesting", "ZoomGeometry", "ZoomLaws"],
    path: "Tools/ShrinkingChallenge/Zoom", swiftSettings: strict),
  .executableTarget(
    name: "property-speed", dependencies: ["PropertyTesting"],
    path: "Tools/PropertySpeed", swiftSettings: strict),
]
if !isCI { package.targets += tools }
