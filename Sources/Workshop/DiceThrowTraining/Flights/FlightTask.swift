internal import DiceNumerics
public import DiceParallel
public import DiceTraining
internal import DiceTrajectories
internal import DiceWeights

extension NetworkDescription {
  /// The network that tells thrown things' paths from others, for several looks at one thing at once: a score for
  /// each, of a hidden layer beside a weighted sum.
  ///
  /// - Parameters:
  ///   - lookCount: the looks at a thing.
  ///   - hiddenCount: the units of the hidden layer.
  static func flights(lookCount: Int, hiddenCount: Int) -> NetworkDescription {
    var network = NetworkBuilder()
    let looks = network.tensor(
      "looks", height: lookCount, width: 1, channels: FlightNetwork.inputCount)
    let hidden = network.convolution(looks, hiddenCount, size: 1, activation: .sigmoid)
    let units = network.convolution(hidden, 1, size: 1, activation: .identity)
    let weighted = network.convolution(looks, 1, size: 1, activation: .identity)
    network.output("scores", network.elementwise(.addition, units, weighted))
    return network.description(name: "flights", task: "flights")
  }
}

/// Teaches a network to tell thrown things' paths from others.
///
/// A sample is a thing with some of the looks at it. A path is reported once its score passes a threshold, however
/// often it did not: so what counts most is a soft maximum of the scores,
///
///     S = Σ q s        q = softmax(β s)
///
/// with `-ln σ(S - 1)` as the loss of something thrown and `-ln (1 - σ(S - 1))` as that of anything else. Besides, each
/// look counts by itself a little, so that all of them teach something from the beginning.
public struct FlightTask: LearningTask {
  /// What is known of a sample.
  public struct Target: Sendable {
    /// Whether the thing was thrown.
    let isThrown: Bool
    /// The looks of the sample; what follows them repeats them.
    let lookCount: Int
    /// How much the thing counts.
    let weight: Float
    /// How much a look counts by itself, of all of them together.
    let lookWeight: Float
  }

  /// What the network learns from.
  let looks: FlightLooks
  /// How inputs are scaled.
  let scale: FlightScale
  /// How samples and loss come about, as text.
  public let identity: String

  /// How sharp the maximum is: β.
  private let sharpness: Float
  /// How much looks count by themselves.
  private let lookShare: Float
  /// The share of samples that are thrown things.
  private let thrownShare: Float
  /// How much thrown things, and others, count, so that the sample's share of them makes no difference.
  private let balance: (thrown: Float, other: Float)
  private let groups: (thrown: WeightedThings, other: WeightedThings)
  private let meanRoot: Float

  /// A task.
  ///
  /// - Parameters:
  ///   - looks: what the network learns from.
  ///   - sharpness: β, above 0.
  ///   - lookShare: how much looks count by themselves, 0 or more.
  ///   - thrownShare: the share of samples that are thrown things, above 0 and below 1. With a small one many steps
  ///     see next to nothing thrown.
  /// - Throws: where nothing thrown, or nothing else, was looked at.
  init(
    _ looks: FlightLooks, sharpness: Float = 2, lookShare: Float = 0.3, thrownShare: Float = 0.2
  ) throws(FlightTrainingError) {
    let thrown = WeightedThings(looks, isThrown: true)
    let other = WeightedThings(looks, isThrown: false)
    guard thrown.sum > 0 else { throw .nothingThrown }
    guard other.sum > 0 else { throw .nothingElse }
    self.looks = looks
    self.sharpness = sharpness
    self.lookShare = lookShare
    self.thrownShare = thrownShare
    scale = FlightScale(looks)
    groups = (thrown, other)
    let share = thrown.sum / (thrown.sum + other.sum)
    balance = (share / thrownShare, (1 - share) / (1 - thrownShare))
    let roots = looks.things.reduce(Float(0)) {
      $0 + $1.weight * Float($1.looks.count).squareRoot()
    }
    meanRoot = roots / (thrown.sum + other.sum)
    identity = "flights \(looks.count) \(sharpness) \(lookShare) \(thrownShare)"
  }

  /// Draws a thing, and as many of the looks at it as there is room for.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Target {
    let isThrown = random.chance(thrownShare)
    let group = isThrown ? groups.thrown : groups.other
    let thing = looks.things[group.draw(random.unit())]
    let room = inputs[0].height
    var chosen = thing.looks
    // As many as there is room for, by chance, to the front.
    if chosen.count > room {
      for place in 0..<room {
        chosen.swapAt(place, place + random.index(chosen.count - place))
      }
    }
    let count = min(chosen.count, room)
    var numbers: [Float] = []
    numbers.reserveCapacity(room * FlightNetwork.inputCount)
    for place in 0..<room {
      let start = chosen[place % count] * FlightNetwork.inputCount
      numbers += scale.scaled(looks.inputs[start..<start + FlightNetwork.inputCount])
    }
    inputs[0].write(numbers)
    let weight = isThrown ? balance.thrown : balance.other
    return Target(
      isThrown: isThrown, lookCount: count, weight: weight,
      lookWeight: weight * lookShare * Float(thing.looks.count).squareRoot() / meanRoot)
  }

  /// The losses of things and of looks by themselves, and the share of things that are told right.
  public func loss(
    of outputs: [TrainingOutput], targets: [Target], pool: WorkerPool
  ) -> LossParts {
    let output = outputs[0]
    let share = 1 / Float(targets.count)
    var (things, single, right) = (Float(0), Float(0), Float(0))
    for (sample, target) in targets.enumerated() {
      let scores = (0..<target.lookCount).map { output[sample, $0, 0, 0] }
      let greatest = scores.max() ?? 0
      let powers = scores.map { Self.exponential(sharpness * ($0 - greatest)) }
      let sum = powers.reduce(0, +)
      let soft = zip(powers, scores).reduce(Float(0)) { $0 + $1.0 * $1.1 } / sum
      let wanted: Float = target.isThrown ? 1 : 0
      let (loss, slope) = Self.crossEntropy(soft - 1, wanted)
      things += share * target.weight * loss
      if (soft > 1) == target.isThrown { right += share }
      for (place, score) in scores.enumerated() {
        let (lookLoss, lookSlope) = Self.crossEntropy(score, wanted)
        let part = share * target.lookWeight / Float(target.lookCount)
        single += part * lookLoss
        let byScore = powers[place] / sum * (1 + sharpness * (score - soft))
        output.setGradient(
          share * target.weight * slope * byScore + part * lookSlope, sample: sample, row: place,
          column: 0, channel: 0)
      }
    }
    return LossParts(
      terms: [LossParts.Part("things", things), LossParts.Part("looks", single)],
      measures: [LossParts.Part("right", right)])
  }

  private static func exponential(_ x: Float) -> Float {
    Float(DiceNumerics.exponential(Double(x)))
  }

  /// `-ln σ(x)` where 1 is wanted, `-ln (1 - σ(x))` where 0 is, and its slope.
  private static func crossEntropy(_ x: Float, _ wanted: Float) -> (loss: Float, slope: Float) {
    let power = DiceNumerics.exponential(Double(-abs(x)))
    let share = Float(x > 0 ? 1 / (1 + power) : power / (1 + power))
    let loss = Float(naturalLogarithm(1 + power)) + max(x, 0) - x * wanted
    return (loss, share - wanted)
  }
}

/// Things of one kind, drawn as often as they count.
private struct WeightedThings: Sendable {
  /// What they count together.
  let sum: Float
  private let indices: [Int]
  /// What those up to each of them count together.
  private let bounds: [Float]

  init(_ looks: FlightLooks, isThrown: Bool) {
    indices = looks.things.indices.filter { looks.things[$0].isThrown == isThrown }
    // In double precision: there are many.
    var (bounds, sum) = ([Float](), 0.0)
    for index in indices {
      sum += Double(looks.things[index].weight)
      bounds.append(Float(sum))
    }
    self.bounds = bounds
    self.sum = Float(sum)
  }

  /// The index of a thing, for a number from 0 up to 1.
  func draw(_ share: Float) -> Int {
    let wanted = share * sum
    var (low, high) = (0, bounds.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if wanted < bounds[middle] { high = middle } else { low = middle + 1 }
    }
    return indices[low]
  }
}
