// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "WebService",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a copy of this folder:
    // .package(url: "https://github.com/dicevisionkit/DiceVisionKit", from: "0.1.0")
    .package(name: "DiceVisionKit", path: "../../..")
  ],
  targets: [
    .target(name: "HTTPServer"),
    .executableTarget(name: "WebService", dependencies: ["HTTPServer", "DiceVisionKit"]),
    .executableTarget(
      name: "ScoreServer",
      dependencies: [
        "HTTPServer", "DiceVisionKit", .product(name: "DiceGameKit", package: "DiceVisionKit"),
      ]),
    .testTarget(
      name: "WebServiceTests",
      dependencies: [
        "WebService", "HTTPServer", .product(name: "DiceCodecs", package: "DiceVisionKit"),
      ]),
    .testTarget(
      name: "ScoreServerTests",
      dependencies: [
        "ScoreServer", "HTTPServer", .product(name: "DiceGameKit", package: "DiceVisionKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
