// swift-tools-version: 6.2

import PackageDescription

/// Every module is checked for strict memory safety: an unsafe expression carries the word `unsafe`.
let checked: [SwiftSetting] = [.strictMemorySafety()]

/// Compiled as a whole, an optimised module takes half the time of its files alone.
let optimizedAsAWhole: [SwiftSetting] = [
  .unsafeFlags(["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode"])
]

/// For what computes with every pixel or number: it keeps its speed in debug builds, a consumer's too.
///
/// Bounds and overflow stay checked.
let optimized: [SwiftSetting] = checked + optimizedAsAWhole

/// For what asks others to compute, in release builds too: it compiles in a third of the time.
let plain: [SwiftSetting] = checked + [.unsafeFlags(["-Onone"])]

// `DICEVISION_WEB=1` adds the module of the browser demo, which `Docs/Demo/build` builds for WebAssembly
// with the flags of `Docs/Demo/toolset.json`. Weights then come as bytes and not with the library.
// `DICEVISION_WEB=math` adds that of the game instead, which has the same functions and more.
let isForBrowsers = Context.environment["DICEVISION_WEB"] != nil
let hasGame = Context.environment["DICEVISION_WEB"] == "math"

/// What is small rather than fast in a browser: all but kernels and elementary functions, which hold
/// the inner loops.
let compact: [SwiftSetting] =
  isForBrowsers ? checked + [.unsafeFlags(["-Osize"])] : checked

/// The same for modules that ask others to compute.
let compactOrPlain: [SwiftSetting] = isForBrowsers ? compact : plain

/// The same for modules that compute with every pixel.
let compactOrOptimized: [SwiftSetting] = isForBrowsers ? compact : optimized

// Kernel modules for one instruction set each hold code where the target is Linux on its architecture,
// whatever the host; elsewhere they are empty. `DICEVISION_PORTABLE=1` leaves them out.
let buildsVectorKernels = Context.environment["DICEVISION_PORTABLE"] == nil && !isForBrowsers

// Intel's matrix extensions, fetching ahead and operations on whole vectors are reached through names of
// the compiler's own instructions, which are known to work with these compilers.
#if compiler(>=6.3) && compiler(<6.4)
  let namesOperations: [SwiftSetting] = [.enableExperimentalFeature("BuiltinModule")]
  let buildsMatrixKernels = buildsVectorKernels
  let namesInstructions: [SwiftSetting] = [
    .enableExperimentalFeature("Extern"),
    // The thread sanitizer would wrap the instructions as calls that may throw, which they cannot be.
    .unsafeFlags(["-Xllvm", "-tsan-handle-cxx-exceptions=0"], .when(platforms: [.linux])),
  ]
#else
  let namesOperations: [SwiftSetting] = []
  let buildsMatrixKernels = false
  let namesInstructions: [SwiftSetting] = []
#endif

/// Settings of a module whose instruction set is given by flags of the C compiler.
///
/// `-Xarch_x86_64` has it pass over the next flag for other architectures, and not warn.
func vectorKernelSettings(
  _ flags: [String], for architecture: String = "x86_64"
) -> [SwiftSetting] {
  let arguments = ["-Qunused-arguments"] + flags.flatMap { ["-Xarch_\(architecture)", $0] }
  let settings: [SwiftSetting] =
    optimizedAsAWhole + [
      .define("ONLY_X86_64_LINUX"),
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

/// A module: `Sources/<floor>/<name>`.
func module(
  _ name: String, on floor: String, needs dependencies: [Target.Dependency] = [],
  exclude: [String] = [], _ settings: [SwiftSetting] = checked
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", exclude: exclude,
    swiftSettings: settings)
}

/// A program of several files: `Sources/Programs/<name>`.
func program(_ name: String, needs dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Programs/\(name)",
    swiftSettings: plain)
}

/// The tests of a floor: `Tests/<floor>`.
func tests(
  of floor: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(floor)Tests", dependencies: dependencies, path: "Tests/\(floor)",
    swiftSettings: settings)
}

let vectorKernelTargets: [Target] =
  buildsVectorKernels
  ? [
    module(
      "DiceKernelsAVX2", on: "Engine", needs: ["DiceKernelTemplates"],
      vectorKernelSettings(["-march=x86-64-v3"])),
    module(
      "DiceKernelsAVX512", on: "Engine", needs: ["DiceKernelTemplates"],
      vectorKernelSettings(["-march=x86-64-v4", "-mprefer-vector-width=512"])),
    module(
      "DiceKernelsAVXVNNI", on: "Engine", needs: ["DiceKernelTemplates"],
      vectorKernelSettings(["-march=x86-64-v3", "-mavxvnni"])),
    module(
      "DiceKernelsVNNI", on: "Engine", needs: ["DiceKernelTemplates"],
      vectorKernelSettings(["-march=x86-64-v4", "-mavx512vnni", "-mprefer-vector-width=512"])),
    module(
      "DiceKernelsDotProduct", on: "Engine", needs: ["DiceKernelTemplates"],
      vectorKernelSettings(["-march=armv8.2-a+dotprod"], for: "aarch64")),
  ] : []

let matrixKernelTargets: [Target] =
  buildsMatrixKernels
  ? [
    module(
      "DiceKernelsAMX", on: "Engine", needs: ["DiceKernelTemplates"],
      vectorKernelSettings([
        "-march=x86-64-v4", "-mprefer-vector-width=512", "-mamx-tile", "-mamx-bf16",
        "-mamx-int8",
      ]) + namesOperations)
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
    .library(name: "AnyDice", targets: ["AnyDice"]),
    .library(name: "DiceObjects", targets: ["DiceObjects"]),
    .library(name: "DiceStatistics", targets: ["DiceStatistics"]),
    .library(name: "DiceModelImport", targets: ["DiceModelImport"]),
    .library(name: "DiceServer", targets: ["DiceServer"]),
    .executable(name: "dicevision", targets: ["dicevision"]),
    .executable(name: "dicevision-game", targets: ["dicevision-game"]),
    .executable(name: "dicevision-table", targets: ["dicevision-table"]),
    .executable(name: "dicevision-throws", targets: ["dicevision-throws"]),
    .executable(name: "dicevision-workshop", targets: ["dicevision-workshop"]),
  ],
  targets: vectorKernelTargets + matrixKernelTargets + browserTargets + [
    // Ground.
    module("DiceSystem", on: "Ground"),
    module("DiceNumerics", on: "Ground", needs: [system], optimized),
    module("DiceGeometry", on: "Ground", needs: ["DiceNumerics"], compactOrOptimized),
    module("DiceParallel", on: "Ground", needs: [system]),
    module("DiceFiles", on: "Ground", needs: [system], compact),
    module(
      "DiceServer", on: "Ground", needs: ["DiceFiles", "DiceParallel", "DiceNumerics", system]),

    // Engine.
    module("DiceKernelTemplates", on: "Engine", optimized + namesOperations),
    module("DiceKernelsBaseline", on: "Engine", needs: ["DiceKernelTemplates"], optimized),
    module(
      "DiceKernels", on: "Engine",
      needs: ["DiceKernelTemplates", "DiceKernelsBaseline", "DiceNumerics", system]
        + (vectorKernelTargets + matrixKernelTargets).map {
          .target(name: $0.name, condition: .when(platforms: [.linux]))
        }, compactOrOptimized),
    module("DiceWeights", on: "Engine", needs: ["DiceNumerics"], compactOrPlain),
    module(
      "DiceNetwork", on: "Engine",
      needs: ["DiceKernels", "DiceWeights", "DiceParallel", system], compactOrOptimized),

    // Media.
    module("DiceImaging", on: "Media", needs: ["DiceGeometry", "DiceKernels"], compactOrOptimized),
    module(
      "DiceCodecs", on: "Media", needs: ["DiceImaging", "DiceGeometry", "DiceParallel"],
      compactOrOptimized),
    module(
      "DiceDrawing", on: "Media",
      needs: ["DiceImaging", "DiceGeometry", "DiceFiles", "DiceNumerics"], optimized),
    module("DiceAudio", on: "Media", needs: ["DiceNumerics"], compactOrOptimized),

    // Tasks.
    module(
      "DiceRegistration", on: "Tasks", needs: ["DiceGeometry", "DiceNumerics"], compactOrOptimized),
    module(
      "DiceDetection", on: "Tasks",
      needs: ["DiceNetwork", "DiceKernels", "DiceWeights", "DiceGeometry"], compactOrOptimized),
    module(
      "DiceDetectorHeads", on: "Tasks",
      needs: ["DiceWeights", "DiceGeometry", "DiceNumerics"]),
    module(
      "DiceTrajectories", on: "Tasks",
      needs: ["DiceImaging", "DiceGeometry", "DiceNumerics"], optimized),
    module(
      "DicePoses", on: "Tasks",
      needs: [
        "DiceDetectorHeads", "DiceWeights", "DiceGeometry", "DiceNumerics", "DiceFiles",
      ]),
    module(
      "DiceFields", on: "Tasks", needs: ["DiceImaging", "DiceGeometry", "DiceNumerics"], optimized),
    module(
      "DiceRolls", on: "Tasks",
      needs: ["DiceRegistration", "DiceGeometry", "DiceNumerics"], compactOrOptimized),
    module("DiceStatistics", on: "Tasks", needs: ["DiceNumerics"], optimized),

    // Kits.
    module("DiceVisionWeights", on: "Kits", needs: ["DiceNumerics"]),
    module(
      "DiceVisionKit", on: "Kits",
      needs: [
        "DiceDetection", "DiceRolls", "DiceRegistration", "DiceCodecs", "DiceImaging",
        "DiceNetwork", "DiceWeights", "DiceKernels", "DiceGeometry", "DiceNumerics",
        "DiceParallel", "DiceFiles", system,
      ] + (isForBrowsers ? [] : ["DiceVisionWeights"]),
      isForBrowsers ? compact : checked),
    module("AnyDice", on: "Kits", needs: ["DiceVisionKit", "DiceNumerics"]),
    module("DiceGameWeights", on: "Kits", needs: ["DiceNumerics"]),
    module(
      "DiceGameKit", on: "Kits",
      needs: [
        "DiceNetwork", "DiceWeights", "DiceParallel", "DiceAudio", "DiceGeometry",
        "DiceNumerics", "DiceFiles",
      ] + (isForBrowsers ? [] : ["DiceGameWeights"]),
      // Words in texts ask for Unicode's tables.
      exclude: isForBrowsers ? ["NumberWords"] : [], compactOrOptimized),
    module("DiceThrowWeights", on: "Kits", needs: ["DiceNumerics"]),
    module(
      "ThrowVisionKit", on: "Kits",
      needs: [
        "DiceFields", "DiceRegistration", "DiceTrajectories", "DiceImaging", "DiceGeometry",
        "DicePoses", "DiceDetection", "DiceDetectorHeads", "DiceNetwork", "DiceWeights",
        "DiceParallel", "DiceThrowWeights", "DiceFiles", "DiceNumerics",
      ]),
    module(
      "DiceObjects", on: "Kits",
      needs: [
        "DiceDetectorHeads", "DiceRolls", "DiceCodecs", "DiceImaging", "DiceNetwork",
        "DiceWeights", "DiceKernels", "DiceGeometry", "DiceParallel", "DiceFiles", system,
      ]),

    // Workshop.
    module(
      "DiceThrowFilms", on: "Workshop",
      needs: ["DicePoses", "DiceImaging", "DiceGeometry", "DiceNumerics"], optimized),
    module(
      "DiceScenes", on: "Workshop",
      needs: ["DiceImaging", "DiceGeometry", "DiceNumerics"], optimized),
    module("DiceEvaluation", on: "Workshop", needs: ["DiceRolls", "DiceGeometry", "DiceFiles"]),
    module(
      "DiceTraining", on: "Workshop",
      needs: [
        "DiceNetwork", "DiceKernels", "DiceKernelTemplates", "DiceWeights", "DiceParallel",
        "DiceNumerics", system,
      ], optimized),
    module(
      "DiceVisionTraining", on: "Workshop",
      needs: [
        "DiceTraining", "DiceDetection", "DiceEvaluation", "DiceImaging", "DiceCodecs",
        "DiceKernelTemplates", "DiceNetwork", "DiceWeights", "DiceGeometry", "DiceParallel",
        "DiceNumerics", "DiceFiles",
      ], optimized),
    module(
      "DiceGameTraining", on: "Workshop",
      needs: [
        "DiceGameKit", "DiceTraining", "DiceNetwork", "DiceCodecs", "DiceDrawing", "DiceAudio",
        "DiceWeights", "DiceParallel", "DiceNumerics", "DiceFiles",
      ], optimized),
    module(
      "DiceThrowTraining", on: "Workshop",
      needs: [
        "ThrowVisionKit", "DiceThrowFilms", "DicePoses", "DiceTraining", "DiceVisionTraining",
        "DiceDetection", "DiceNetwork", "DiceKernelTemplates", "DiceTrajectories",
        "DiceWeights", "DiceCodecs", "DiceImaging", "DiceFiles", "DiceParallel",
        "DiceGeometry", "DiceNumerics",
      ], optimized),
    module("DiceExport", on: "Workshop", needs: ["DiceDetection", "DiceWeights"], plain),
    module(
      "DiceModelImport", on: "Workshop",
      needs: ["DiceDetectorHeads", "DicePoses", "DiceNumerics", "DiceWeights"]),
    module(
      "DiceReports", on: "Workshop",
      needs: [
        "DiceVisionKit", "DiceEvaluation", "DiceDrawing", "DiceCodecs", "DiceImaging",
        "DiceGeometry", "DiceFiles",
      ], plain),

    // Programs: what they share, and the reader, the game, the table, the throws and the workshop.
    module(
      "DiceCommandLine", on: "Programs",
      needs: [
        "DiceFiles", "DiceGeometry", "DiceImaging", "DiceCodecs", "DiceDrawing", "DiceWeights",
        "DiceParallel", "DiceNumerics", system,
      ], plain),
    module(
      "DiceFinders", on: "Programs",
      needs: [
        "DiceCommandLine", "DiceVisionKit", "AnyDice", "DiceRolls", "DiceObjects",
        "DiceDetectorHeads",
        "DiceNetwork", "DiceWeights", "DiceCodecs", "DiceImaging", "DiceGeometry", "DiceFiles",
        "DiceParallel", "DiceNumerics",
      ], plain),
    module(
      "ThrowArguments", on: "Programs",
      needs: [
        "DiceCommandLine", "ThrowVisionKit", "DiceThrowWeights", "DicePoses", "DiceWeights",
        "DiceCodecs", "DiceFiles",
      ], plain),
    program(
      "dicevision",
      needs: [
        "DiceCommandLine", "DiceFinders", "DiceVisionKit", "DiceRolls", "DiceDrawing",
        "DiceCodecs", "DiceImaging", "DiceGeometry", "DiceFiles", "DiceNumerics",
      ]),
    program(
      "dicevision-game",
      needs: [
        "DiceCommandLine", "DiceFinders", "DiceVisionKit", "DiceGameKit", "DiceRolls",
        "DiceAudio", "DiceDrawing", "DiceCodecs", "DiceImaging", "DiceGeometry", "DiceFiles",
      ]),
    program(
      "dicevision-table",
      needs: [
        "DiceCommandLine", "DiceFinders", "DiceVisionKit", "DiceRolls", "DiceStatistics",
        "DiceDrawing", "DiceServer",
        "DiceCodecs", "DiceImaging", "DiceGeometry", "DiceFiles", "DiceParallel", "DiceNumerics",
        system,
      ]),
    program(
      "dicevision-throws",
      needs: [
        "DiceCommandLine", "ThrowArguments", "ThrowVisionKit", "DiceFields", "DiceTrajectories",
        "DicePoses", "DiceDrawing", "DiceCodecs", "DiceImaging", "DiceGeometry", "DiceFiles",
        "DiceNumerics",
      ]),
    program(
      "dicevision-workshop",
      needs: [
        "DiceCommandLine", "DiceFinders", "ThrowArguments", "DiceVisionKit", "DiceDetection",
        "DiceVisionWeights", "DiceTraining", "DiceVisionTraining", "DiceGameKit",
        "DiceGameWeights", "DiceGameTraining", "ThrowVisionKit", "DiceThrowWeights",
        "DiceThrowTraining", "DiceThrowFilms", "DicePoses", "DiceTrajectories", "DiceScenes",
        "DiceEvaluation", "DiceReports", "DiceExport", "DiceModelImport", "DiceCodecs",
        "DiceImaging", "DiceWeights", "DiceGeometry", "DiceFiles", "DiceParallel",
      ]),

    // Benchmarks.
    .executableTarget(
      name: "detector-benchmark",
      dependencies: [
        "DiceVisionKit", "DiceFields", "DiceCodecs", "DiceImaging", "DiceNetwork",
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
        "DiceVisionKit", "AnyDice", "DiceRolls", "DiceScenes", "DiceDrawing", "DiceCodecs",
        "DiceImaging", "DiceGeometry", "DiceFiles", "DiceParallel", "BenchmarkSupport",
      ],
      path: "Benchmarks/Rolls",
      swiftSettings: checked),
    .target(
      name: "BenchmarkSupport", dependencies: ["DiceFiles", "DiceParallel", system],
      path: "Benchmarks/Support", swiftSettings: checked),

    // Tests.
    .target(
      name: "TestSupport", dependencies: [system], path: "Tests/TestSupport",
      swiftSettings: optimizedAsAWhole),
    .target(
      name: "MatrixModel", dependencies: ["DiceKernels", "DiceKernelTemplates"],
      path: "Tests/MatrixModel",
      swiftSettings: optimizedAsAWhole),
    .target(
      name: "MediaTestSupport", dependencies: ["DiceImaging"], path: "Tests/MediaTestSupport",
      swiftSettings: optimizedAsAWhole),
    tests(
      of: "Ground",
      ["DiceNumerics", "TestSupport", "DiceGeometry", "DiceFiles", "DiceServer"]),
    tests(
      // They compute with every number of many maps.
      of: "Engine",
      [
        "DiceKernels", "DiceParallel", "TestSupport", "DiceWeights", "DiceNetwork", "DiceNumerics",
        "MatrixModel",
      ], optimizedAsAWhole),
    tests(
      // They compute with every pixel and byte.
      of: "Media",
      [
        "DiceImaging", "DiceKernels", "DiceGeometry", "MediaTestSupport", "TestSupport",
        "DiceCodecs", "DiceDrawing", "DiceAudio", "DiceParallel",
      ], optimizedAsAWhole),
    tests(
      // They draw films and simulate thousands of throws.
      of: "Tasks",
      [
        "DiceRegistration", "DiceGeometry", "DiceNumerics", "TestSupport", "DiceDetection",
        "DiceNetwork", "DiceWeights", "DiceKernels", "DiceDetectorHeads", "DiceTrajectories",
        "DiceImaging", "DicePoses", "DiceFields", "DiceCodecs", "DiceRolls", "DiceStatistics",
      ], optimizedAsAWhole),
    tests(
      of: "Kits",
      [
        "DiceVisionKit", "AnyDice", "DiceDetection", "DiceVisionWeights", "DiceEvaluation",
        "DiceVisionTraining", "DiceTraining", "DiceRegistration", "DiceDrawing", "DiceScenes",
        "DiceCodecs", "DiceImaging", "DiceNetwork", "DiceWeights", "DiceGeometry",
        "TestSupport", "DiceGameKit", "DiceGameWeights", "DiceAudio", "ThrowVisionKit",
        "DiceThrowFilms", "DiceObjects", "DiceModelImport", "DiceDetectorHeads", "DiceRolls",
        "DiceNumerics",
      ]),
    tests(
      of: "Workshop",
      [
        "DiceThrowFilms", "DicePoses", "DiceImaging", "DiceGeometry", "DiceScenes",
        "DiceNumerics", "DiceEvaluation", "DiceFiles", "TestSupport", "DiceTraining",
        "DiceNetwork", "DiceWeights", "DiceKernels", "DiceParallel", "DiceVisionTraining",
        "DiceDetection", "DiceGameTraining", "DiceGameKit", "DiceGameWeights", "DiceAudio",
        "DiceThrowTraining", "ThrowVisionKit", "DiceTrajectories", "DiceCodecs", "DiceExport",
        "DiceModelImport", "DiceDetectorHeads", "DiceReports", "DiceDrawing", "DiceRolls",
        "MatrixModel",
      ]),
    tests(
      of: "Programs",
      [
        "DiceCommandLine", "DiceFinders", "dicevision", "dicevision-game", "dicevision-table",
        "dicevision-throws", "dicevision-workshop", "DiceStatistics", "DiceServer", "DiceVisionKit",
        "DiceRolls",
        "DiceTraining", "DiceVisionTraining",
        "DiceEvaluation", "DiceReports", "DiceDetectorHeads", "DiceModelImport", "DiceCodecs",
        "DiceDrawing", "DiceImaging", "DiceWeights", "DiceGeometry", "DiceFiles", "DiceNumerics",
        "TestSupport", "MatrixModel",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// `DICEVISION_TESTS=Engine` leaves only the tests of that floor and the modules that they need.
if let floor = Context.environment["DICEVISION_TESTS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var open = ["\(floor)Tests"]
  while let name = open.popLast() {
    guard let target = targets[name], needed.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll()
}
