// swift-tools-version: 6.2

import PackageDescription

/// Every module is checked for strict memory safety: an unsafe expression carries the word `unsafe`.
let checked: [SwiftSetting] = [.strictMemorySafety()]

/// The library keeps its speed in debug builds, a consumer's too; bounds and overflow stay checked.
let optimized: [SwiftSetting] = checked + [.unsafeFlags(["-O"])]

// `DICEVISION_WEB=1` adds the module of the browser demo, which `Docs/Demo/build` builds for WebAssembly
// with the flags of `Docs/Demo/toolset.json`. Weights then come as bytes and not with the library.
let isForBrowsers = Context.environment["DICEVISION_WEB"] != nil

/// What is small rather than fast in a browser: modules that have no loops over pixels or numbers.
let compact: [SwiftSetting] =
  isForBrowsers ? checked + [.unsafeFlags(["-Osize"])] : optimized

// Kernel modules for one x86-64 instruction set each are built only where that architecture is the
// host and the target. `DICEVISION_PORTABLE=1` leaves them out, for cross builds.
#if arch(x86_64) && os(Linux)
  let buildsVectorKernels =
    Context.environment["DICEVISION_PORTABLE"] == nil && !isForBrowsers
#else
  let buildsVectorKernels = false
#endif

// Intel's matrix extensions, and fetching ahead, are reached through names of the compiler's own
// instructions, which are known to work with these compilers.
#if compiler(>=6.3) && compiler(<6.4)
  let buildsMatrixKernels = buildsVectorKernels
  let namesInstructions: [SwiftSetting] = [
    .enableExperimentalFeature("Extern"),
    // The thread sanitizer would wrap the instructions as calls that may throw, which they cannot be.
    .unsafeFlags(["-Xllvm", "-tsan-handle-cxx-exceptions=0"]),
  ]
#else
  let buildsMatrixKernels = false
  let namesInstructions: [SwiftSetting] = []
#endif

func vectorKernelSettings(_ flags: [String]) -> [SwiftSetting] {
  checked + [.unsafeFlags(["-O"] + flags.flatMap { ["-Xcc", $0] })] + namesInstructions
}

/// The benchmark counts requests for memory: its own functions take the C library's names.
let countedAllocations: [LinkerSetting] =
  buildsVectorKernels
  ? [
    .unsafeFlags(
      [
        "malloc=countedMalloc", "calloc=countedCalloc", "realloc=countedRealloc",
        "aligned_alloc=countedAlignedAlloc", "posix_memalign=countedAlign",
      ].flatMap { ["-Xlinker", "--defsym=\($0)"] })
  ] : []

let vectorKernelTargets: [Target] =
  buildsVectorKernels
  ? [
    .target(
      name: "DiceKernelsAVX2",
      dependencies: ["DiceKernelTemplates"],
      swiftSettings: vectorKernelSettings(["-march=x86-64-v3"])),
    .target(
      name: "DiceKernelsAVX512",
      dependencies: ["DiceKernelTemplates"],
      swiftSettings: vectorKernelSettings([
        "-march=x86-64-v4", "-mprefer-vector-width=512",
      ])),
  ] : []

let matrixKernelTargets: [Target] =
  buildsMatrixKernels
  ? [
    .target(
      name: "DiceKernelsAMX",
      dependencies: ["DiceKernelTemplates"],
      swiftSettings: vectorKernelSettings([
        "-march=x86-64-v4", "-mprefer-vector-width=512", "-mamx-tile", "-mamx-bf16",
      ]) + [.enableExperimentalFeature("BuiltinModule")])
  ] : []

let browserTargets: [Target] =
  isForBrowsers
  ? [
    .executableTarget(
      name: "DiceBrowser", dependencies: ["DiceVisionKit"], path: "Docs/Demo/Module",
      swiftSettings: compact + [.enableExperimentalFeature("Extern")])
  ] : []

let package = Package(
  name: "DiceVisionKit",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "DiceVisionKit", targets: ["DiceVisionKit"]),
    .executable(name: "dicevision", targets: ["dicevision"]),
  ],
  targets: vectorKernelTargets + matrixKernelTargets + browserTargets + [
    .target(name: "DiceGeometry", swiftSettings: optimized),
    .target(name: "DiceTracking", dependencies: ["DiceGeometry"], swiftSettings: compact),
    .target(name: "DiceParallel", swiftSettings: optimized),
    .target(name: "DiceFiles", swiftSettings: compact),
    .target(
      name: "DiceImaging", dependencies: ["DiceGeometry", "DiceKernels"], swiftSettings: optimized),
    .target(name: "DiceWeights", swiftSettings: compact),
    .target(name: "DiceBundledWeights", swiftSettings: optimized),
    .target(name: "DiceExport", dependencies: ["DiceWeights"], swiftSettings: optimized),
    .target(name: "DiceKernelTemplates", swiftSettings: optimized),
    .target(
      name: "DiceKernelsBaseline", dependencies: ["DiceKernelTemplates"], swiftSettings: optimized),
    .target(
      name: "DiceKernels",
      dependencies: ["DiceKernelTemplates", "DiceKernelsBaseline"]
        + (vectorKernelTargets + matrixKernelTargets).map { .target(name: $0.name) },
      swiftSettings: optimized),
    .target(
      name: "DiceNetwork",
      dependencies: ["DiceKernels", "DiceWeights", "DiceGeometry", "DiceParallel"],
      swiftSettings: compact),
    .target(
      name: "DiceVisionKit",
      dependencies: [
        "DiceGeometry", "DiceImaging", "DiceWeights", "DiceNetwork", "DiceParallel", "DiceFiles",
        "DiceKernels", "DiceTracking",
      ] + (isForBrowsers ? [] : ["DiceBundledWeights"]),
      swiftSettings: isForBrowsers ? compact : checked),
    .target(
      name: "DiceScenes", dependencies: ["DiceImaging", "DiceGeometry"], swiftSettings: optimized),
    .target(
      name: "DiceTraining",
      dependencies: [
        "DiceNetwork", "DiceKernels", "DiceWeights", "DiceImaging", "DiceGeometry", "DiceParallel",
        "DiceFiles", "DiceScenes",
      ],
      swiftSettings: optimized),
    .executableTarget(
      name: "dicevision",
      dependencies: [
        "DiceVisionKit", "DiceBundledWeights", "DiceTraining", "DiceScenes", "DiceFiles",
        "DiceParallel", "DiceExport",
      ],
      swiftSettings: checked),
    .executableTarget(
      name: "detector-benchmark",
      dependencies: [
        "DiceVisionKit", "DiceNetwork", "DiceKernels", "DiceParallel", "DiceFiles",
        "BenchmarkSupport",
      ],
      path: "Benchmarks/Detector",
      swiftSettings: checked,
      linkerSettings: countedAllocations),
    .executableTarget(
      name: "roll-benchmark",
      dependencies: [
        "DiceVisionKit", "DiceScenes", "DiceFiles", "DiceParallel", "BenchmarkSupport",
      ],
      path: "Benchmarks/Rolls",
      swiftSettings: checked),
    .target(
      name: "BenchmarkSupport", dependencies: ["DiceFiles", "DiceParallel"],
      path: "Benchmarks/Support", swiftSettings: checked),

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "DiceGeometryTests", dependencies: ["DiceGeometry", "TestSupport"]),
    .testTarget(
      name: "DiceTrackingTests", dependencies: ["DiceTracking", "DiceGeometry", "TestSupport"]),
    .testTarget(name: "DiceFilesTests", dependencies: ["DiceFiles", "TestSupport"]),
    .testTarget(
      name: "DiceImagingTests", dependencies: ["DiceImaging", "DiceKernels", "TestSupport"]),
    .testTarget(name: "DiceWeightsTests", dependencies: ["DiceWeights", "TestSupport"]),
    .testTarget(
      name: "DiceExportTests", dependencies: ["DiceExport", "DiceWeights", "TestSupport"]),
    .testTarget(
      name: "DiceKernelsTests", dependencies: ["DiceKernels", "DiceParallel", "TestSupport"]),
    .testTarget(name: "DiceNetworkTests", dependencies: ["DiceNetwork", "TestSupport"]),
    .testTarget(name: "DiceScenesTests", dependencies: ["DiceScenes", "TestSupport"]),
    .testTarget(name: "DiceTrainingTests", dependencies: ["DiceTraining", "TestSupport"]),
    .testTarget(
      name: "DiceVisionKitTests",
      dependencies: ["DiceVisionKit", "DiceBundledWeights", "DiceTraining", "TestSupport"]),
    .testTarget(name: "DiceVisionToolTests", dependencies: ["dicevision", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
