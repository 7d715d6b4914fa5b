// swift-tools-version: 6.2

import PackageDescription

// Four programs in one package, so that the library is built once for all of them. To take one with
// you, copy its folder and write a manifest with its target alone, and in place of the path
//
//   .package(url: "https://github.com/dicevisionkit/DiceVisionKit", from: "0.1.0")
//
// Each program's README has that manifest.

let library: [Target.Dependency] = ["DiceVisionKit"]

let package = Package(
  name: "DiceExamples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "DiceVisionKit", path: "../..")],
  targets: [
    .executableTarget(name: "ReadPhoto", dependencies: library, path: "ReadPhoto/Sources"),
    .executableTarget(name: "WatchStream", dependencies: library, path: "WatchStream/Sources"),
    .executableTarget(name: "DiceGame", dependencies: library, path: "DiceGame/Sources"),
    .executableTarget(name: "WebService", dependencies: library, path: "WebService/Sources"),
    .testTarget(name: "DiceGameTests", dependencies: ["DiceGame"], path: "DiceGame/Tests"),
    .testTarget(name: "WebServiceTests", dependencies: ["WebService"], path: "WebService/Tests"),
  ],
  swiftLanguageModes: [.v6]
)
