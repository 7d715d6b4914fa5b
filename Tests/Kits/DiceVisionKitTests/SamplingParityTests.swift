import DiceVisionWeights
import DiceCodecs
import DiceDetection
import DiceGeometry
import DiceImaging
import DiceNetwork
import DiceWeights
import TestSupport
import Testing

@testable import DiceTraining
@testable import DiceVisionKit
@testable import DiceVisionTraining

/// What a network is shown of a picture in training, without variation, and in use.
///
/// Both inputs are compared number by number, in levels of a byte. Training samples with `WarpSampler`, use
/// with `InputSampler`; both have the same filter, so that only the rounding of floats differs, except
/// where training begins with a picture that was halved.
struct SamplingParityTests {
  /// How far two inputs are apart, in levels of 0...255.
  struct Difference {
    private let sorted: [Float]
    /// Pixels that are padding in both.
    let paddingCount: Int
    /// Pixels that are padding in one of both.
    let differentPaddingCount: Int

    init(_ a: [Float], _ b: [Float], _ rules: ImageRules) {
      sorted = a.indices.map { abs(a[$0] - b[$0]) / abs(rules.scales[$0 % 3]) }
        .map { $0.isFinite ? $0 : .infinity }.sorted()
      func isPadding(_ numbers: [Float], _ pixel: Int) -> Bool {
        (0..<3).allSatisfy { (channel) in
          let value = (numbers[3 * pixel + channel] - rules.biases[channel]) / rules.scales[channel]
          return abs(value - Float(rules.paddingValue)) < 0.001
        }
      }
      paddingCount = (0..<a.count / 3).count { isPadding(a, $0) && isPadding(b, $0) }
      differentPaddingCount = (0..<a.count / 3).count { isPadding(a, $0) != isPadding(b, $0) }
    }

    var count: Int { sorted.count }
    var mean: Float { sorted.reduce(0, +) / Float(sorted.count) }
    var greatest: Float { sorted[sorted.count - 1] }
    var percentile99: Float { sorted[sorted.count * 99 / 100] }
  }

  /// A kind of picture.
  enum Kind: String, CaseIterable {
    case checkerboard, edges, noise, gray, scene, sceneFromLow
  }

  private static func image(_ kind: Kind) throws -> PixelImage {
    /// A picture of odd sides from a function of place and channel.
    func draw(_ format: PixelImage.Format, _ value: (Int, Int, Int) -> UInt8) -> PixelImage {
      var samples: [UInt8] = []
      for y in 0..<157 {
        for x in 0..<211 {
          for c in 0..<format.channelCount { samples.append(value(x, y, c)) }
        }
      }
      return PixelImage(width: 211, height: 157, format: format, samples: samples)
    }
    func scene(_ name: String) throws -> PixelImage {
      try ImageDecoder.decode(Fixtures.bytes("accuracy/\(name)"))
    }
    var random = SeededGenerator(seed: 7)
    switch kind {
    case .checkerboard: return draw(.rgb) { ($0 / 3 + $1 / 3 + $2) % 2 == 0 ? 255 : 0 }
    case .edges:
      return draw(.rgb) { (x, y, _) in 3 * x + 5 * y > 500 || x == 40 || y < 2 ? 250 : 10 }
    case .noise: return draw(.rgb) { (_, _, _) in UInt8.random(in: 0...255, using: &random) }
    case .gray: return draw(.gray) { (x, y, _) in UInt8((x * x + 3 * y * y + x * y) & 255) }
    case .scene: return try scene("varied/scene-1200101.jpg")
    case .sceneFromLow: return try scene("from-low/scene-1200201.jpg")
    }
  }

  /// A place to write a sample.
  private static func sampleInput(width: Int, height: Int) -> SampleInput {
    SampleInput(
      map: BatchMap(
        sampleCount: 1, height: height, width: width, channelCount: 3,
        border: Border(rows: 1, columns: 1), pixelStep: 4), sample: 0)
  }

  private static func numbers(_ input: SampleInput) -> [Float] {
    (0..<input.height * input.width * 3).map {
      input[$0 / 3 / input.width, $0 / 3 % input.width, $0 % 3]
    }
  }

  private static func network(_ file: WeightFile) throws -> GridBoxNetwork {
    try GridBoxNetwork(detecting: file, kernels: .automatic, precision: .single)
  }

  /// The difference of what a detector with an input of so many pixels is shown.
  private func detectorDifference(
    _ image: PixelImage, side: Int, _ file: WeightFile
  ) throws -> Difference {
    let network = try Self.network(file)
    let runner = try NetworkRunner(network.plan, width: side, height: side)
    let transform = try ImageTransform(
      storedWidth: image.width, storedHeight: image.height, inputWidth: side, inputHeight: side)
    image.withFrame {
      FrameSampling(for: network).writeInput(of: runner, from: $0, through: transform)
    }

    let input = Self.sampleInput(width: side, height: side)
    var random = TrainingRandom(1)
    let sampler = DetectionSampler(
      augmentation: .none, referenceSide: side, rules: try GridNetwork(file.description).rules)
    _ = sampler.make(into: input, using: &random) { _ in TrainingPicture(image, truths: []) }
    return Difference(
      Self.numbers(input), runner.inputFeatureMap().values, network.imageRules)
  }

  /// The difference of what the second stage is shown of a box.
  private func cropDifference(_ image: PixelImage, of box: BoundingBox) throws -> Difference {
    let file = try WeightFile(bytes: BundledWeights.secondStage)
    let network = try GridBoxNetwork(file)
    let classifier = try CropClassifier(network, labels: network.boxes.labels)
    let runner = try NetworkRunner(classifier.plan)
    let whole = try ImageTransform(
      storedWidth: image.width, storedHeight: image.height, inputWidth: 64, inputHeight: 64)
    let view = try #require(classifier.view(of: box, in: whole))
    let sampling = FrameSampling(for: classifier.network)
    image.withFrame { sampling.writeInput(of: runner, from: $0, through: view) }

    let input = Self.sampleInput(
      width: classifier.network.width, height: classifier.network.height)
    var random = TrainingRandom(1)
    let rules = try GridNetwork(file.description).rules
    let sampler = CropSampler(
      augmentation: .none, dieSide: classifier.geometry.objectSide, rules: rules)
    _ = sampler.draw(
      TrainingPicture(image, truths: [], isReducible: true),
      around: CropSampler.Spot(
        x: box.midX, y: box.midY, side: max(box.width, box.height)), into: input,
      using: &random)
    return Difference(
      Self.numbers(input), runner.inputFeatureMap().values, classifier.network.imageRules)
  }

  /// Pictures shrunk to three tenths and enlarged to twice their size, with padding of whole and of half
  /// pixels beside them.
  @Test(arguments: Kind.allCases)
  func aDetectorIsShownTheSameInTrainingAndInUse(_ kind: Kind) throws {
    let image = try Self.image(kind)
    let file = try WeightFile(bytes: BundledWeights.standard)
    let sides = image.width > 300 ? [128, 192, 416, 800] : [64, 96, 160, 224, 288, 416]
    for side in sides {
      let difference = try detectorDifference(image, side: side, file)
      expectEqual(difference.count, side * side * 3)
      #expect(difference.mean < 0.0001, "\(kind) in \(side): \(difference.mean)")
      #expect(difference.greatest < 0.001, "\(kind) in \(side): \(difference.greatest)")
    }
  }

  /// Every channel with a factor and an offset of its own, blue first, another padding, and padding that
  /// ends in the middle of a pixel.
  @Test func theNetworksRulesAreKeptInTrainingAndInUse() throws {
    let rules = ImageRules(
      channelOrder: .bgr, scales: [1 / 255, 2 / 255, -0.5 / 255], biases: [0.1, -2, 0.75],
      paddingValue: 77)
    let file = try WeightFile(bytes: PatternNetwork(rules: rules).weightFile())
    for (width, height) in [(211, 157), (128, 126), (90, 128)] {
      let image = try Self.image(.noise).resized(width: width, height: height)
      let difference = try detectorDifference(image, side: 64, file)
      #expect(difference.mean < 0.0001, "\(width) × \(height): \(difference.mean)")
      #expect(difference.greatest < 0.001, "\(width) × \(height): \(difference.greatest)")
    }
  }

  /// Boxes in the middle and at the edges of a picture, between half and twice the size at which they
  /// are shown.
  @Test(arguments: Kind.allCases)
  func theSecondStageIsShownTheSameInTrainingAndInUse(_ kind: Kind) throws {
    let image = try Self.image(kind)
    let (width, height) = (Double(image.width), Double(image.height))
    for side in [17, 24.4, 34, 51.3, 67.9] {
      for (x, y) in [(0.5, 0.5), (0.02, 0.3), (0.97, 0.99)] {
        let box = BoundingBox(
          midX: x * width, midY: y * height, width: side, height: 0.7 * side)
        let difference = try cropDifference(image, of: box)
        expectEqual(difference.count, 96 * 96 * 3)
        #expect(difference.mean < 0.0001, "\(kind), \(side), \(x): \(difference.mean)")
        #expect(difference.greatest < 0.001, "\(kind), \(side), \(x): \(difference.greatest)")
      }
    }
  }

  /// Larger dice are drawn from a picture that was halved before.
  ///
  /// Its bytes are rounded, and two filters in a row are wider than the one of use. What lies outside the picture is the same.
  @Test(arguments: [Kind.edges, .scene, .sceneFromLow])
  func largeDiceAreShownNearlyTheSameInTrainingAndInUse(_ kind: Kind) throws {
    let image = try Self.image(kind)
    let (width, height) = (Double(image.width), Double(image.height))
    for side in [68.1, 80, 113, 150] {
      for (x, y) in [(0.5, 0.5), (0.02, 0.3), (0.97, 0.99)] {
        let box = BoundingBox(
          midX: x * width, midY: y * height, width: side, height: 0.7 * side)
        let difference = try cropDifference(image, of: box)
        #expect(difference.mean < 3, "\(kind), \(side), \(x): \(difference.mean)")
        #expect(difference.percentile99 < 25, "\(kind), \(side), \(x): \(difference.percentile99)")
        expectEqual(difference.differentPaddingCount, 0, "\(kind), \(side), \(x)")
        #expect(difference.paddingCount > 0 || x == 0.5)
      }
    }
  }
}
