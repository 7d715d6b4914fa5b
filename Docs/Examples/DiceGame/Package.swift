// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "DiceGame",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a copy of this folder:
    // .package(url: "https://github.com/dicevisionkit/DiceVisionKit", from: "0.1.0")
    .package(name: "DiceVisionKit", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "DiceGame",
      dependencies: [
        "DiceVisionKit",
        .product(name: "DiceCodecs", package: "DiceVisionKit"),
      ],
      path: "Sources"),
    .testTarget(name: "DiceGameTests", dependencies: ["DiceGame"], path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
