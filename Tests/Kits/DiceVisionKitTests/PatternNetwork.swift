import DiceDetection
import DiceWeights
import DiceVisionKit

/// A network with weights set by hand, which finds blocks of pure colour on black or gray.
///
/// Every cell of 8 by 8 input pixels (unless told) gives one box around its centre. A cell that is
/// filled with red, green, blue, yellow, magenta or cyan has the value 1 to 6 and a confidence
/// close to 1; cells without a pixel of more than 70 % in any channel have one close to 0, and so
/// has the padding.
struct PatternNetwork {
  static let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 0, 255), (0, 255, 255),
  ]

  var rules = ImageRules()
  /// Rows and columns of the input.
  var side = 64
  /// The side of every box in input pixels.
  var baseSize: Float = 8
  var labels = ["1", "2", "3", "4", "5", "6"]
  var thresholds = RecommendedThresholds(overlap: 0.45, confidence: 0.25)
  /// By how much each of the averages makes the picture smaller; their product is a cell's side.
  var reductions = [4, 2]
  /// How sure it is of a value.
  var decision: Float = 40
  /// How many values after its own a colour is read as.
  var shift = 0
  /// By how much more the upper half of what a cell sees counts, and the lower one less.
  var lean: Float = 0
  /// Numbers of the pipeline, by their names.
  var profile: [(name: String, value: Float)] = []

  /// A network that classifies the block in the middle of its input, of 24 by 24 pixels.
  static func secondStage(shift: Int) -> PatternNetwork {
    PatternNetwork(
      side: 96, baseSize: 24, reductions: [4, 4, 2], shift: shift)
  }

  func weightFile() throws -> [UInt8] {
    let identity = Layer.Activation.identity
    // What exceeds 70 % of full brightness, for red, green and blue.
    var layers = [convolution(.input(0), 3, 3, size: 1, stride: 1, .leakyReLU(slope: 0), tensor: 0)]
    let first = excess()
    var tensors = [first.weights, first.biases]
    // Averages over squares of pixels, and over squares of those.
    for size in reductions {
      layers.append(
        convolution(
          .layer(layers.count - 1), 3, 3, size: size, stride: size, identity,
          tensor: tensors.count))
      let isLast = layers.count == 1 + reductions.count
      tensors += [averages(size: size, lean: isLast ? lean : 0), [0, 0, 0]]
    }
    layers.append(
      convolution(
        .layer(layers.count - 1), 3, 5 + labels.count, size: 1, stride: 1, identity,
        tensor: tensors.count))
    let (head, headBias) = predictions()
    tensors += [head, headBias]
    return try WeightFile.encode(
      description: NetworkDescription(
        name: "pattern",
        inputs: [
          NetworkInput(
            name: "image", shape: TensorShape(height: side, width: side, channels: 3),
            isResizable: true, content: .image(rules))
        ], layers: layers,
        outputs: [
          NetworkOutput(
            name: "boxes", layer: layers.count - 1,
            head: GridBoxes.head(labels: labels, baseSize: baseSize, thresholds: thresholds))
        ],
        profile: profile.map { NamedValues($0.name, [$0.value]) }),
      tensors: tensors, storage: .float32)
  }

  /// A detector that looks once unless told: the network reads no enlarged blocks.
  func detector(
    _ configuration: DiceDetector.Configuration = .init(), tiling: DiceDetector.Tiling = .none
  ) throws -> DiceDetector {
    var configuration = configuration
    configuration.tiling = tiling
    return try DiceDetector(weights: weightFile(), configuration: configuration)
  }

  private func convolution(
    _ source: Layer.Source, _ inputs: Int, _ outputs: Int, size: Int, stride: Int,
    _ activation: Layer.Activation, tensor: Int
  ) -> Layer {
    .convolution(
      Layer.Convolution(
        input: source, inputChannels: inputs, outputChannels: outputs,
        window: Layer.Window(size: size, stride: stride), activation: activation, weights: tensor,
        bias: tensor + 1))
  }

  /// Undoes the scales, the biases and the order of the channels: `[1, 1, 3, 3]`.
  private func excess() -> (weights: [Float], biases: [Float]) {
    var weights = [Float](repeating: 0, count: 9)
    var biases = [Float](repeating: -0.7, count: 3)
    for channel in 0..<3 {
      let color = rules.channelOrder == .rgb ? channel : 2 - channel
      let factor = 1 / (255 * rules.scales[channel])
      weights[channel * 3 + color] = factor
      biases[color] -= rules.biases[channel] * factor
    }
    return (weights, biases)
  }

  /// The weights of an average of each colour, `[size, size, 3, 3]`.
  private func averages(size: Int, lean: Float) -> [Float] {
    var weights: [Float] = []
    for place in 0..<size * size {
      let weight = (1 + (2 * place < size * size ? lean : -lean)) / Float(size * size)
      for channel in 0..<3 {
        for output in 0..<3 { weights.append(channel == output ? weight : 0) }
      }
    }
    return weights
  }

  /// `[1, 1, 3, 5 + classes]`: boxes are the cell's, objectness rises with all colours, and each
  /// class has its own pattern of them.
  private func predictions() -> (weights: [Float], biases: [Float]) {
    var weights: [Float] = []
    var biases: [Float] = [0, 0, 0, 0, -8]
    for channel in 0..<3 {
      weights += [0, 0, 0, 0, 100]
      for index in labels.indices { weights.append(decision * sign(index, channel)) }
    }
    for index in labels.indices {
      biases.append(-0.13 * decision * (sign(index, 0) + sign(index, 1) + sign(index, 2)))
    }
    return (weights, biases)
  }

  private func sign(_ index: Int, _ channel: Int) -> Float {
    let color = Self.colors[(index + 6 - shift) % 6]
    return [color.red, color.green, color.blue][channel] == 0 ? -1 : 1
  }
}

/// A block of one of the colours, in pixels of the upright picture.
struct Block {
  var value: Int
  var x: Int
  var y: Int
  var width: Int
  var height: Int
  /// The share of full brightness, in percent.
  var brightness = 100

  var box: BoundingBox {
    BoundingBox(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }
}

extension PixelImage {
  /// An upright picture of blocks on black, in `.rgb`.
  static func blocks(_ blocks: [Block], width: Int, height: Int) -> PixelImage {
    var samples = [UInt8](repeating: 0, count: width * height * 3)
    for block in blocks {
      let color = PatternNetwork.colors[block.value - 1]
      for y in block.y..<block.y + block.height {
        for x in block.x..<block.x + block.width {
          let place = (y * width + x) * 3
          for (index, sample) in [color.red, color.green, color.blue].enumerated() {
            samples[place + index] = UInt8(Int(sample) * block.brightness / 100)
          }
        }
      }
    }
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }

  /// This upright `.rgb` picture as it is stored with an orientation, written down from EXIF's
  /// meaning of the eight values.
  func stored(_ orientation: ImageOrientation) -> PixelImage {
    let swaps = orientation.rawValue >= 5
    let (storedWidth, storedHeight) = swaps ? (height, width) : (width, height)
    var result = [UInt8](repeating: 0, count: samples.count)
    for y in 0..<height {
      for x in 0..<width {
        let (column, row) =
          switch orientation {
          case .up: (x, y)
          case .upMirrored: (storedWidth - 1 - x, y)
          case .down: (storedWidth - 1 - x, storedHeight - 1 - y)
          case .downMirrored: (x, storedHeight - 1 - y)
          case .leftMirrored: (y, x)
          case .right: (y, storedHeight - 1 - x)
          case .rightMirrored: (storedWidth - 1 - y, storedHeight - 1 - x)
          case .left: (storedWidth - 1 - y, x)
          }
        for channel in 0..<3 {
          result[(row * storedWidth + column) * 3 + channel] =
            samples[(y * width + x) * 3 + channel]
        }
      }
    }
    return PixelImage(
      width: storedWidth, height: storedHeight, format: .rgb, samples: result,
      orientation: orientation)
  }
}

extension DetectionResult {
  /// Whether the observations are the blocks, in this order, to within 1e-9 pixels.
  func matches(_ blocks: [Block]) -> Bool {
    guard count == blocks.count else { return false }
    for (observation, block) in zip(observations, blocks) {
      let (box, expected) = (observation.boundingBox, block.box)
      guard
        observation.value == block.value,
        abs(box.x - expected.x) < 1e-9, abs(box.y - expected.y) < 1e-9,
        abs(box.width - expected.width) < 1e-9, abs(box.height - expected.height) < 1e-9
      else { return false }
    }
    return true
  }
}
