// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "WatchStream",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a copy of this folder:
    // .package(url: "https://github.com/dicevisionkit/DiceVisionKit", from: "0.1.0")
    .package(name: "DiceVisionKit", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "WatchStream",
      dependencies: [
        "DiceVisionKit",
        .product(name: "DiceCodecs", package: "DiceVisionKit"),
      ],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
