// swift-tools-version: 6.2

import PackageDescription

/// Every module is checked for strict memory safety: an unsafe expression carries the word `unsafe`.
let checked: [SwiftSetting] = [.strictMemorySafety()]

/// The library keeps its speed in debug builds, a consumer's too; bounds and overflow stay checked.
let optimized: [SwiftSetting] = checked + [.unsafeFlags(["-O"])]

// `DICEVISION_WEB=1` adds the module of the browser demo, which `Docs/Demo/build` builds for WebAssembly
// with the flags of `Docs/Demo/toolset.json`. Weights then come as bytes and not with the library.
// `DICEVISION_WEB=math` adds that of the game instead, which has the same functions and more.
let isForBrowsers = Context.environment["DICEVISION_WEB"] != nil
let hasGame = Context.environment["DICEVISION_WEB"] == "math"

/// What is small rather than fast in a browser: all but kernels and elementary functions, which hold
/// the inner loops.
let compact: [SwiftSetting] =
  isForBrowsers ? checked + [.unsafeFlags(["-Osize"])] : optimized

// Kernel modules for one x86-64 instruction set each hold code where the target is Linux on x86-64,
// whatever the host; elsewhere they are empty. `DICEVISION_PORTABLE=1` leaves them out.
let buildsVectorKernels = Context.environment["DICEVISION_PORTABLE"] == nil && !isForBrowsers

// Intel's matrix extensions, and fetching ahead, are reached through names of the compiler's own
// instructions, which are known to work with these compilers.
#if compiler(>=6.3) && compiler(<6.4)
  let buildsMatrixKernels = buildsVectorKernels
  let namesInstructions: [SwiftSetting] = [
    .enableExperimentalFeature("Extern"),
    // The thread sanitizer would wrap the instructions as calls that may throw, which they cannot be.
    .unsafeFlags(["-Xllvm", "-tsan-handle-cxx-exceptions=0"], .when(platforms: [.linux])),
  ]
#else
  let buildsMatrixKernels = false
  let namesInstructions: [SwiftSetting] = []
#endif

/// Settings of a module whose instruction set is given by flags of the C compiler.
///
/// `-Xarch_x86_64` has it pass over the next flag for other architectures, and not warn.
func vectorKernelSettings(_ flags: [String]) -> [SwiftSetting] {
  let arguments = ["-Qunused-arguments"] + flags.flatMap { ["-Xarch_x86_64", $0] }
  let settings: [SwiftSetting] = [
    .unsafeFlags(["-O"]),
    .unsafeFlags(arguments.flatMap { ["-Xcc", $0] }, .when(platforms: [.linux])),
  ]
  return checked + settings + namesInstructions
}

/// The benchmark counts requests for memory: its own functions take the C library's names.
let countedAllocations: [LinkerSetting] =
  buildsVectorKernels
  ? [
    .unsafeFlags(
      [
        "malloc=countedMalloc", "calloc=countedCalloc", "realloc=countedRealloc",
        "aligned_alloc=countedAlignedAlloc", "posix_memalign=countedAlign",
      ].flatMap { ["-Xlinker", "--defsym=\($0)"] }, .when(platforms: [.linux]))
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

/// Where there is a C library that the package knows; a module that asks it calls for this one.
///
/// A browser has no operating system, which SwiftPM takes for Linux.
let system = Target.Dependency.target(
  name: "DiceSystem",
  condition: .when(
    platforms: isForBrowsers
      ? [.wasi] : [.linux, .android, .macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]))

let browserTargets: [Target] =
  isForBrowsers
  ? [
    .executableTarget(
      name: hasGame ? "DiceMathBrowser" : "DiceBrowser",
      dependencies: hasGame ? ["DiceVisionKit", "DiceGameKit", "DiceAudio"] : ["DiceVisionKit"],
      path: "Docs/Demo/Module", exclude: hasGame ? [] : ["Game"],
      swiftSettings: compact + [.enableExperimentalFeature("Extern")])
  ] : []

let package = Package(
  name: "DiceVisionKit",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "DiceVisionKit", targets: ["DiceVisionKit"]),
    .library(name: "DiceCodecs", targets: ["DiceCodecs"]),
    .library(name: "DiceDrawing", targets: ["DiceDrawing"]),
    .library(name: "DiceAudio", targets: ["DiceAudio"]),
    .library(name: "DiceGameKit", targets: ["DiceGameKit"]),
    .library(name: "ThrowVisionKit", targets: ["ThrowVisionKit"]),
    .library(name: "DiceObjects", targets: ["DiceObjects"]),
    .library(name: "DiceModelImport", targets: ["DiceModelImport"]),
    .executable(name: "dicevision", targets: ["dicevision"]),
  ],
  targets: vectorKernelTargets + matrixKernelTargets + browserTargets + [
    // Ground.
    .target(name: "DiceSystem", swiftSettings: checked),
    .target(name: "DiceMath", dependencies: [system], swiftSettings: optimized),
    .target(name: "DiceGeometry", dependencies: ["DiceMath"], swiftSettings: compact),
    .target(name: "DiceParallel", dependencies: [system], swiftSettings: optimized),
    .target(name: "DiceFiles", dependencies: [system], swiftSettings: compact),

    // Kernels.
    .target(name: "DiceKernelTemplates", swiftSettings: optimized),
    .target(
      name: "DiceKernelsBaseline", dependencies: ["DiceKernelTemplates"], swiftSettings: optimized),
    .target(
      name: "DiceKernels",
      dependencies: ["DiceKernelTemplates", "DiceKernelsBaseline", "DiceMath", system]
        + (vectorKernelTargets + matrixKernelTargets).map {
          .target(name: $0.name, condition: .when(platforms: [.linux]))
        },
      swiftSettings: compact),

    // The engine.
    .target(name: "DiceWeights", swiftSettings: compact),
    .target(
      name: "DiceNetwork",
      dependencies: ["DiceKernels", "DiceWeights", "DiceParallel", system],
      swiftSettings: compact),
    .target(
      name: "DiceDetection",
      dependencies: ["DiceNetwork", "DiceKernels", "DiceWeights", "DiceGeometry"],
      swiftSettings: compact),

    // Media.
    .target(
      name: "DiceImaging", dependencies: ["DiceGeometry", "DiceKernels"], swiftSettings: compact),
    .target(
      name: "DiceCodecs", dependencies: ["DiceImaging", "DiceGeometry"], swiftSettings: compact),
    .target(
      name: "DiceDrawing", dependencies: ["DiceImaging", "DiceGeometry", "DiceFiles", "DiceMath"],
      swiftSettings: optimized),
    .target(name: "DiceAudio", dependencies: ["DiceMath"], swiftSettings: compact),

    // Tasks.
    .target(
      name: "DiceClassification", dependencies: ["DiceWeights", "DiceKernels"],
      swiftSettings: compact),
    .target(
      name: "DiceRegistration", dependencies: ["DiceGeometry", "DiceMath"], swiftSettings: compact),
    .target(
      name: "DiceContours", dependencies: ["DiceImaging", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),
    .target(
      name: "DiceTrajectories", dependencies: ["DiceImaging", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),

    .target(
      name: "DiceDetectorHeads", dependencies: ["DiceWeights", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),
    .target(
      name: "DicePoses", dependencies: ["DiceGeometry", "DiceMath", "DiceFiles"],
      swiftSettings: optimized),
    .target(
      name: "DiceFields",
      dependencies: ["DiceContours", "DiceImaging", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),

    // Kits, and their parts.
    .target(
      name: "DiceRolls", dependencies: ["DiceRegistration", "DiceGeometry", "DiceMath"],
      swiftSettings: compact),
    .target(
      name: "DiceBundledWeights", dependencies: ["DiceFiles"], swiftSettings: optimized),
    .target(
      name: "DiceVisionKit",
      dependencies: [
        "DiceDetection", "DiceRolls", "DiceRegistration", "DiceCodecs", "DiceImaging",
        "DiceNetwork",
        "DiceWeights",
        "DiceKernels", "DiceGeometry", "DiceMath", "DiceParallel", "DiceFiles", system,
      ] + (isForBrowsers ? [] : ["DiceBundledWeights"]),
      swiftSettings: isForBrowsers ? compact : checked),

    .target(name: "DiceGameWeights", dependencies: ["DiceFiles"], swiftSettings: optimized),
    .target(
      name: "DiceGameKit",
      dependencies: [
        "DiceClassification", "DiceNetwork", "DiceWeights", "DiceParallel", "DiceAudio",
        "DiceGeometry", "DiceMath", "DiceFiles",
      ] + (isForBrowsers ? [] : ["DiceGameWeights"]),
      // Words in texts ask for Unicode's tables.
      exclude: isForBrowsers ? ["NumberWords"] : [],
      swiftSettings: compact),
    .target(name: "DiceThrowWeights", dependencies: ["DiceFiles"], swiftSettings: optimized),
    .target(
      name: "DiceObjects",
      dependencies: [
        "DiceDetectorHeads", "DiceRolls", "DiceCodecs", "DiceImaging", "DiceNetwork",
        "DiceWeights", "DiceKernels", "DiceGeometry", "DiceParallel", "DiceFiles", system,
      ],
      swiftSettings: checked),
    .target(
      name: "ThrowVisionKit",
      dependencies: [
        "DiceFields", "DiceRegistration",
        "DiceContours", "DiceTrajectories", "DiceImaging", "DiceGeometry", "DicePoses",
        "DiceDetection", "DiceClassification", "DiceNetwork", "DiceWeights", "DiceParallel",
        "DiceThrowWeights", "DiceFiles", "DiceMath",
      ],
      swiftSettings: checked),

    // The workshop.
    .target(
      name: "DiceFigures", dependencies: ["DicePoses", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),
    .target(
      name: "DiceThrowFilms",
      dependencies: ["DiceFigures", "DicePoses", "DiceImaging", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),
    .target(
      name: "DiceScenes", dependencies: ["DiceImaging", "DiceGeometry", "DiceMath"],
      swiftSettings: optimized),
    .target(
      name: "DiceEvaluation", dependencies: ["DiceGeometry", "DiceFiles"],
      swiftSettings: optimized),
    .target(
      name: "DiceAnnotations", dependencies: ["DiceEvaluation", "DiceGeometry", "DiceFiles"],
      swiftSettings: optimized),
    .target(
      name: "DiceTraining",
      dependencies: [
        "DiceNetwork", "DiceKernels", "DiceKernelTemplates", "DiceWeights", "DiceParallel", system,
      ],
      swiftSettings: optimized),
    .target(
      name: "DiceVisionTraining",
      dependencies: [
        "DiceTraining", "DiceDetection", "DiceAnnotations", "DiceImaging", "DiceCodecs",
        "DiceKernelTemplates", "DiceWeights", "DiceGeometry", "DiceParallel",
        "DiceFiles",
      ],
      swiftSettings: optimized),
    .target(
      name: "DiceGameTraining",
      dependencies: [
        "DiceGameKit", "DiceTraining", "DiceClassification", "DiceCodecs", "DiceDrawing",
        "DiceAudio", "DiceWeights", "DiceParallel", "DiceFiles",
      ],
      swiftSettings: optimized),
    .target(
      name: "DiceThrowTraining",
      dependencies: [
        "ThrowVisionKit", "DiceFigures", "DiceThrowFilms", "DicePoses", "DiceTraining",
        "DiceVisionTraining", "DiceDetection", "DiceClassification", "DiceKernelTemplates",
        "DiceTrajectories", "DiceWeights", "DiceCodecs", "DiceImaging", "DiceFiles",
        "DiceParallel", "DiceGeometry", "DiceMath",
      ],
      swiftSettings: optimized),
    .target(
      name: "DiceExport", dependencies: ["DiceDetection", "DiceWeights"], swiftSettings: optimized),
    .target(
      name: "DiceModelImport", dependencies: ["DiceDetectorHeads", "DiceMath", "DiceWeights"],
      swiftSettings: optimized),
    .target(
      name: "DiceReports",
      dependencies: [
        "DiceVisionKit", "DiceEvaluation", "DiceDrawing", "DiceCodecs", "DiceImaging",
        "DiceGeometry", "DiceFiles",
      ],
      swiftSettings: checked),

    // The tool.
    .executableTarget(
      name: "dicevision",
      dependencies: [
        "DiceFields",
        "DiceVisionKit", "DiceDetection", "DiceBundledWeights", "DiceRolls", "DiceTraining",
        "DiceVisionTraining",
        "DiceGameKit", "DiceGameWeights", "DiceGameTraining",
        "DiceTrajectories", "DiceScenes", "DiceEvaluation", "ThrowVisionKit", "DiceThrowWeights",
        "DiceThrowTraining", "DicePoses", "DiceThrowFilms",
        "DiceAnnotations", "DiceReports", "DiceExport", "DiceModelImport", "DiceDrawing",
        "DiceCodecs", "DiceImaging", "DiceNetwork", "DiceWeights", "DiceGeometry", "DiceFiles",
        "DiceParallel", "DiceObjects", "DiceDetectorHeads", "DiceMath",
        system,
        "DiceAudio",
      ],
      swiftSettings: checked),

    // Benchmarks.
    .executableTarget(
      name: "detector-benchmark",
      dependencies: [
        "DiceVisionKit", "DiceFields", "DiceContours", "DiceCodecs", "DiceImaging", "DiceNetwork",
        "DiceWeights", "DiceKernels", "DiceGeometry", "DiceParallel", "DiceFiles",
        "ThrowVisionKit", "DiceThrowFilms", "DiceThrowTraining", "DicePoses", "DiceTrajectories",
        "DiceModelImport", "BenchmarkSupport",
      ],
      path: "Benchmarks/Detector",
      swiftSettings: checked,
      linkerSettings: countedAllocations),
    .executableTarget(
      name: "roll-benchmark",
      dependencies: [
        "DiceVisionKit", "DiceRolls", "DiceScenes", "DiceDrawing", "DiceCodecs", "DiceImaging",
        "DiceGeometry",
        "DiceFiles", "DiceParallel", "BenchmarkSupport",
      ],
      path: "Benchmarks/Rolls",
      swiftSettings: checked),
    .target(
      name: "BenchmarkSupport", dependencies: ["DiceFiles", "DiceParallel", system],
      path: "Benchmarks/Support", swiftSettings: checked),

    // Tests.
    .target(name: "TestSupport", dependencies: [system], path: "Tests/TestSupport"),
    .target(
      name: "MediaTestSupport", dependencies: ["DiceImaging"], path: "Tests/MediaTestSupport"),
    .testTarget(
      name: "DiceMathTests",
      dependencies: ["DiceMath", "TestSupport"]),
    .testTarget(
      name: "DiceGeometryTests",
      dependencies: ["DiceGeometry", "DiceMath", "TestSupport"]),
    .testTarget(
      name: "DiceFilesTests",
      dependencies: ["DiceFiles", "TestSupport"]),
    .testTarget(
      name: "DiceKernelsTests",
      dependencies: ["DiceKernels", "DiceParallel", "TestSupport"]),
    .testTarget(
      name: "DiceWeightsTests",
      dependencies: ["DiceWeights", "TestSupport"]),
    .testTarget(
      name: "DiceNetworkTests",
      dependencies: [
        "DiceNetwork", "DiceWeights", "DiceKernels", "DiceParallel", "TestSupport",
      ]),
    .testTarget(
      name: "DiceDetectionTests",
      dependencies: [
        "DiceDetection", "DiceNetwork", "DiceWeights", "DiceKernels", "DiceGeometry", "TestSupport",
      ]),
    .testTarget(
      name: "DiceImagingTests",
      dependencies: [
        "DiceImaging", "DiceKernels", "DiceGeometry", "MediaTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "DiceCodecsTests",
      dependencies: [
        "DiceCodecs", "DiceImaging", "DiceGeometry", "MediaTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "DiceDrawingTests",
      dependencies: ["DiceDrawing", "DiceImaging", "DiceGeometry"]),
    .testTarget(
      name: "DiceRegistrationTests",
      dependencies: ["DiceRegistration", "DiceGeometry", "DiceMath", "TestSupport"]),
    .testTarget(name: "DiceAudioTests", dependencies: ["DiceAudio", "TestSupport"]),
    .testTarget(
      name: "DiceDetectorHeadsTests",
      dependencies: ["DiceDetectorHeads", "DiceWeights", "DiceGeometry"]),
    .testTarget(
      name: "DiceObjectsTests",
      dependencies: [
        "DiceObjects", "DiceModelImport", "DiceDetectorHeads", "DiceImaging", "DiceGeometry",
        "DiceWeights", "DiceRolls", "TestSupport",
      ]),
    .testTarget(
      name: "DiceContoursTests",
      dependencies: ["DiceContours", "DiceImaging", "DiceGeometry", "TestSupport"]),
    .testTarget(
      name: "DiceFieldsTests",
      dependencies: ["DiceFields", "DiceCodecs", "DiceImaging", "DiceGeometry", "TestSupport"],
      swiftSettings: [.unsafeFlags(["-O"])]),
    .testTarget(
      name: "DiceTrajectoriesTests",
      dependencies: ["DiceTrajectories", "DiceImaging", "DiceGeometry"],
      // It renders films.
      swiftSettings: [.unsafeFlags(["-O"])]),
    .testTarget(
      name: "DicePosesTests", dependencies: ["DicePoses", "DiceGeometry"]),
    .testTarget(
      name: "DiceFiguresTests", dependencies: ["DiceFigures", "DicePoses", "DiceGeometry"]),
    .testTarget(
      name: "DiceThrowFilmsTests",
      dependencies: ["DiceThrowFilms", "DiceFigures", "DicePoses", "DiceImaging", "DiceGeometry"]),
    .testTarget(
      name: "ThrowVisionKitTests",
      dependencies: [
        "ThrowVisionKit", "DiceThrowFilms", "DiceFigures", "DiceCodecs", "TestSupport",
      ]),
    .testTarget(
      name: "DiceThrowTrainingTests",
      dependencies: [
        "DiceThrowTraining", "ThrowVisionKit", "DiceFigures", "DicePoses", "DiceTraining",
        "DiceVisionTraining", "DiceDetection", "DiceTrajectories", "DiceThrowFilms", "DiceCodecs",
        "DiceImaging", "DiceFiles", "DiceParallel", "DiceWeights", "DiceGeometry",
      ]),
    // They simulate thousands of clips; with `-O` in a ninth of the time.
    .testTarget(
      name: "DiceRollsTests",
      dependencies: ["DiceRolls", "DiceRegistration", "DiceGeometry", "DiceMath", "TestSupport"],
      swiftSettings: [.unsafeFlags(["-O"])]),
    .testTarget(
      name: "DiceVisionTrainingTests",
      dependencies: [
        "DiceVisionTraining", "DiceTraining", "DiceDetection", "DiceNetwork", "DiceWeights",
        "DiceImaging", "DiceGeometry", "DiceParallel", "TestSupport",
      ]),
    .testTarget(
      name: "DiceVisionKitTests",
      dependencies: [
        "DiceVisionKit", "DiceDetection", "DiceBundledWeights", "DiceAnnotations", "DiceEvaluation",
        "DiceVisionTraining", "DiceTraining",
        "DiceRegistration", "DiceDrawing", "DiceScenes",
        "DiceCodecs", "DiceImaging", "DiceNetwork", "DiceWeights", "DiceGeometry", "TestSupport",
      ]),
    .testTarget(
      name: "DiceScenesTests",
      dependencies: ["DiceScenes", "DiceImaging", "DiceGeometry", "DiceMath"]),
    .testTarget(
      name: "DiceEvaluationTests",
      dependencies: ["DiceEvaluation", "DiceGeometry", "DiceFiles", "TestSupport"]),
    .testTarget(
      name: "DiceAnnotationsTests",
      dependencies: [
        "DiceAnnotations", "DiceEvaluation", "DiceGeometry", "DiceFiles", "TestSupport",
      ]),
    .testTarget(
      name: "DiceTrainingTests",
      dependencies: [
        "DiceTraining", "DiceNetwork", "DiceWeights", "DiceKernels", "DiceParallel",
      ]),
    .testTarget(
      name: "DiceClassificationTests",
      dependencies: ["DiceClassification", "DiceWeights"]),
    .testTarget(
      name: "DiceGameKitTests",
      dependencies: [
        "DiceGameKit", "DiceGameWeights", "DiceBundledWeights", "DiceClassification", "DiceDrawing",
        "DiceAudio", "DiceImaging", "DiceWeights", "DiceGeometry", "TestSupport",
      ]),
    .testTarget(
      name: "DiceGameTrainingTests",
      dependencies: [
        "DiceGameTraining", "DiceGameKit", "DiceGameWeights", "DiceTraining", "DiceWeights",
        "DiceParallel", "TestSupport",
        "DiceAudio", "DiceFiles",
      ]),
    .testTarget(
      name: "DiceExportTests",
      dependencies: [
        "DiceExport", "DiceModelImport", "DiceDetection", "DiceNetwork", "DiceWeights",
        "TestSupport",
      ]),
    .testTarget(
      name: "DiceModelImportTests",
      dependencies: [
        "DiceModelImport", "DiceDetectorHeads", "DiceNetwork", "DiceWeights", "TestSupport",
      ]),
    .testTarget(
      name: "DiceReportsTests",
      dependencies: [
        "DiceEvaluation", "DiceReports", "DiceDrawing", "DiceCodecs", "DiceImaging", "DiceGeometry",
        "DiceFiles", "TestSupport",
      ]),
    .testTarget(
      name: "DiceVisionToolTests",
      dependencies: [
        "dicevision", "DiceVisionKit", "DiceRolls", "DiceTraining", "DiceVisionTraining",
        "DiceAnnotations",
        "DiceReports", "DiceDetectorHeads", "DiceModelImport", "DiceCodecs", "DiceImaging",
        "DiceWeights", "DiceGeometry", "DiceFiles",
        "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
