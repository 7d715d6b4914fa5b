import DiceVisionKit

/// A detector of any configuration, on pictures and frames of any kind, with any thresholds, region
/// and orientation.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    guard let detector = TinyNetwork.detector(&reader) else { return }
    for _ in 0..<4 where !reader.isAtEnd { look(detector, &reader) }
  }

  private static func look(_ detector: DiceDetector, _ reader: inout InputReader) {
    let flags = reader.byte()
    var thresholds = Thresholds()
    if flags & 1 != 0 { thresholds.iouThreshold = Float(TinyNetwork.number(&reader)) }
    if flags & 2 != 0 { thresholds.confidenceThreshold = Float(TinyNetwork.number(&reader)) }
    let orientation =
      flags & 4 == 0 ? nil : ImageOrientation.allCases[Int(reader.byte()) % 8]
    var region: NormalizedRect?
    if flags & 8 != 0 {
      region = NormalizedRect(
        x: TinyNetwork.number(&reader), y: TinyNetwork.number(&reader),
        width: TinyNetwork.number(&reader), height: TinyNetwork.number(&reader))
    }
    do throws(DetectorError) {
      let result: DetectionResult
      if flags & 16 == 0 {
        let image = TinyNetwork.image(&reader)
        result = try detector.detect(
          in: image, orientation: orientation, regionOfInterest: region, thresholds: thresholds)
        if flags & 32 != 0 {
          let explanation = try detector.explain(
            image, orientation: orientation, regionOfInterest: region, thresholds: thresholds)
          require(explanation.result.hasSameContent(as: result), "an explanation is of the result")
        }
      } else {
        guard let frame = TinyNetwork.frame(&reader) else { return }
        result = try detector.detect(
          in: frame, orientation: orientation, regionOfInterest: region, thresholds: thresholds)
      }
      let least = thresholds.confidenceThreshold ?? detector.defaultThresholds.confidenceThreshold
      TinyNetwork.check(
        result, least: Double(least),
        limit: detector.configuration.maximumObservationCount)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 11)
    return (0..<48).map { (index) in
      [UInt8(index)]
        + (0..<160).map { (_) in
          UInt8.random(in: 0...255, using: &generator) | (index & 1 == 0 ? 0x40 : 0)
        }
    }
  }
}
