// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "ReadPhoto",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a copy of this folder:
    // .package(url: "https://github.com/dicevisionkit/DiceVisionKit", from: "0.1.0")
    .package(name: "DiceVisionKit", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "ReadPhoto",
      dependencies: [
        "DiceVisionKit",
        .product(name: "DiceCodecs", package: "DiceVisionKit"),
        .product(name: "DiceDrawing", package: "DiceVisionKit"),
      ],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
