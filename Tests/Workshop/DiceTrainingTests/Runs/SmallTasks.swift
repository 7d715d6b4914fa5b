import DiceParallel
import DiceWeights

@testable import DiceTraining

/// Bars in pictures of one channel: upright, level, or of both kinds.
struct BarTask: LearningTask {
  var side = 12
  var smoothing: Float = 0

  var identity: String { "bars of \(side), smoothing \(smoothing)" }

  static func network(
    activation: Layer.Activation = .relu, dropout: Bool = false
  ) -> NetworkDescription {
    var network = NetworkBuilder()
    let picture = network.tensor("picture", height: 12, width: 12, channels: 1)
    var value = network.convolution(picture, 8, size: 3, activation: activation)
    value = network.pooling(value, window: Layer.Window(size: 2, stride: 2))
    value = network.depthwise(value, size: 3, activation: activation)
    value = network.convolution(value, 16, size: 1, activation: activation)
    value = network.dense(network.globalPooling(value), 12, activation: activation)
    network.output(
      "kind", network.softmax(network.dense(value, 3)),
      head: NetworkHead(kind: "classes", labels: ["upright", "level", "both"]))
    return network.description(name: "bars")
  }

  func sampleSize(ofInput input: Int, height: Int, width: Int) -> (height: Int, width: Int) {
    (side, side)
  }

  func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Int {
    let kind = random.index(3)
    let (row, column) = (random.index(side), random.index(side))
    for y in 0..<side {
      for x in 0..<side {
        let isBar = (kind != 1 && x == column) || (kind != 0 && y == row)
        inputs[0][y, x, 0] = (isBar ? 1 : 0) + random.between(-0.2, 0.2)
      }
    }
    return kind
  }

  func loss(of outputs: [TrainingOutput], targets: [Int], pool: WorkerPool) -> LossParts {
    let (loss, accuracy) = SoftmaxCrossEntropy(smoothing: smoothing)
      .evaluate(outputs[0], labels: targets, pool: pool)
    return LossParts(terms: [.init("class", loss)], measures: [.init("accuracy", accuracy)])
  }

  static func options(steps: Int) -> TrainingOptions {
    var options = TrainingOptions()
    options.batchSize = 16
    options.sampleCount = 16 * steps
    options.learningRate = 1e-2
    options.averageDecay = 0.9
    return options
  }

  static func trainer(
    steps: Int, seed: UInt64 = 1, layers: LayerOptions = LayerOptions(), threadCount: Int? = nil
  ) throws -> Trainer<BarTask> {
    var options = options(steps: steps)
    options.seed = seed
    options.layers = layers
    return try Trainer(network(), task: BarTask(), options: options, threadCount: threadCount)
  }
}

/// The scalar product of two inputs.
struct ProductTask: LearningTask {
  var identity: String { "product" }

  static func network() -> NetworkDescription {
    var network = NetworkBuilder()
    let first = network.tensor("first", height: 1, width: 1, channels: 3)
    let second = network.tensor("second", height: 1, width: 1, channels: 3)
    network.output(
      "product",
      network.dense(network.elementwise(.multiplication, first, second), 1))
    return network.description(name: "product")
  }

  func initialBias(ofOutput output: Int) -> [Float]? { [0.5] }

  func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Float {
    var product: Float = 0
    for input in inputs { input.write((0..<3).map { _ in random.between(-1, 1) }) }
    for channel in 0..<3 { product += inputs[0][0, 0, channel] * inputs[1][0, 0, channel] }
    return product
  }

  func loss(of outputs: [TrainingOutput], targets: [Float], pool: WorkerPool) -> LossParts {
    var loss: Float = 0
    for (sample, target) in targets.enumerated() {
      let difference = outputs[0][sample, 0, 0, 0] - target
      loss += difference * difference / Float(targets.count)
      outputs[0].setGradient(
        2 * difference / Float(targets.count), sample: sample, row: 0, column: 0, channel: 0)
    }
    return LossParts(terms: [.init("square", loss)])
  }
}
