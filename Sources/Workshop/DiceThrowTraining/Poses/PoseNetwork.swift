internal import DiceTraining
public import DiceWeights
internal import ThrowVisionKit

extension NetworkDescription {
  /// The network that finds the joints of one person: 1.1 million parameters, and 75 million multiply-adds at
  /// 128 by 128, 169 million at 192 by 192.
  ///
  /// Five convolutions halve a square crop down to 1/32, with residual blocks between them; a block
  /// narrows the channels to a half by a 1x1 convolution and reads by a 3x3 one. What the coarsest stages know
  /// of the whole body is enlarged twice and added to finer stages. Each cell of 1/8 tells four places of each
  /// joint's map.
  ///
  /// - Parameter inputSide: the width and height of its input, a multiple of 32.
  public static func poses(inputSide: Int = 128) -> NetworkDescription {
    var network = NetworkBuilder()
    let image = network.image(
      width: inputSide, height: inputSide,
      rules: ImageRules(
        scales: SIMD3(repeating: 1 / 64), biases: SIMD3(repeating: -2), cropAndScale: .scaleFit))
    let stem = network.reading(image, 16, stride: 2)
    var quarter = network.reading(stem, 32, stride: 2)
    quarter = network.residual(quarter)
    var eighth = network.reading(quarter, 64, stride: 2)
    for _ in 0..<2 { eighth = network.residual(eighth) }
    var sixteenth = network.reading(eighth, 128, stride: 2)
    for _ in 0..<3 { sixteenth = network.residual(sixteenth) }
    var coarse = network.reading(sixteenth, 192, stride: 2)
    for _ in 0..<2 { coarse = network.residual(coarse) }
    let middle = network.joined(coarse, sixteenth, 96)
    let fine = network.joined(middle, eighth, 64)
    let places = PoseHead.refinement * PoseHead.refinement
    let maps = network.convolution(
      fine, PoseHead.labels.count * places, size: 1, activation: .identity)
    network.output("joints", maps, head: PoseHead.head())
    return network.description(
      name: "poses", task: PoseConstants.task, profile: PoseConstants().profile)
  }
}

extension NetworkBuilder {
  /// A 3x3 convolution with a rectifier.
  fileprivate mutating func reading(
    _ input: Features, _ channelCount: Int, stride: Int = 1
  ) -> Features {
    convolution(input, channelCount, size: 3, stride: stride, activation: .relu)
  }

  /// What a narrow 1x1 and a 3x3 convolution add to a value.
  fileprivate mutating func residual(_ input: Features) -> Features {
    let channels = input.shape.channels
    let narrow = convolution(input, channels / 2, size: 1, activation: .relu)
    let read = convolution(narrow, channels, size: 3, activation: .identity)
    return elementwise(.addition, input, read, activation: .relu)
  }

  /// A coarse value enlarged and added to a finer one, and read once.
  fileprivate mutating func joined(
    _ coarse: Features, _ fine: Features, _ channelCount: Int
  ) -> Features {
    let above = convolution(coarse, channelCount, size: 1, activation: .identity)
    let beside = convolution(fine, channelCount, size: 1, activation: .identity)
    let sum = elementwise(.addition, upsampling(above), beside, activation: .relu)
    return reading(sum, channelCount)
  }
}
