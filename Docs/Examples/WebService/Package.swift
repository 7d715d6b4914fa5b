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
    .target(
      name: "ServiceSupport",
      dependencies: [.product(name: "DiceServer", package: "DiceVisionKit")]),
    .executableTarget(
      name: "WebService",
      dependencies: [
        "ServiceSupport", "DiceVisionKit", .product(name: "DiceServer", package: "DiceVisionKit"),
      ]),
    .executableTarget(
      name: "ScoreServer",
      dependencies: [
        "ServiceSupport", "DiceVisionKit", .product(name: "DiceServer", package: "DiceVisionKit"),
        .product(name: "DiceGameKit", package: "DiceVisionKit"),
      ]),
    .testTarget(
      name: "WebServiceTests",
      dependencies: [
        "WebService", "ServiceSupport", .product(name: "DiceServer", package: "DiceVisionKit"),
        .product(name: "DiceCodecs", package: "DiceVisionKit"),
      ]),
    .testTarget(
      name: "ScoreServerTests",
      dependencies: [
        "ScoreServer", "ServiceSupport", .product(name: "DiceServer", package: "DiceVisionKit"),
        .product(name: "DiceGameKit", package: "DiceVisionKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
