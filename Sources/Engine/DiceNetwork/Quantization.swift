internal import DiceKernels
public import DiceWeights

/// The least and the greatest number of each value of a network, over the inputs that it is made for.
///
/// Kernels of 8-bit integers cut these ranges into 255 steps. Weight files keep them in their profile as
/// `activations.least` and `activations.greatest`: inputs first, then the output of each layer.
public struct ActivationRanges: Hashable, Sendable {
  /// The least number of each value; 0 for a value that no layer's memory holds.
  public var least: [Float]
  /// The greatest number of each value.
  public var greatest: [Float]

  /// Ranges as a profile keeps them.
  public init(least: [Float], greatest: [Float]) {
    self.least = least
    self.greatest = greatest
  }

  /// The ranges that a network's profile names; nil where there are none, or not for every value.
  public init?(_ network: NetworkDescription) {
    let count = network.inputs.count + network.layers.count
    guard let least = network.profile.values(named: "activations.least"),
      let greatest = network.profile.values(named: "activations.greatest"), least.count == count,
      greatest.count == count
    else { return nil }
    self.init(least: least, greatest: greatest)
  }

  /// The ranges as a profile has them.
  public var profile: [NamedValues] {
    [NamedValues("activations.least", least), NamedValues("activations.greatest", greatest)]
  }
}

/// How numbers are written as 8-bit integers: `number = (integer - zero) * scale`.
struct Quantization: Hashable, Sendable {
  var scale: Float = 1
  /// The integer that stands for 0.
  var zero: UInt8 = 0

  init() {}

  /// 255 steps from the least to the greatest number, one of which is 0.
  init(least: Float, greatest: Float) {
    let (least, greatest) = (Double(min(least, 0)), Double(max(greatest, 0)))
    let step = (greatest - least) / 255
    // Far from what a product of scales could not hold.
    guard step > 1e-12, step < 1e12 else { return }
    scale = Float(step)
    zero = UInt8(min(255, max(0, (-least / step).rounded(.toNearestOrEven))))
  }
}

/// How each value of a graph is written as 8-bit integers.
struct ValueQuantizations: Sendable {
  /// By value.
  let values: [Quantization]

  /// Values that share memory, or whose numbers are copied, share their steps.
  init(_ graph: Graph, _ ranges: ActivationRanges) {
    var group = Array(graph.buffers.indices)
    func root(_ buffer: Int) -> Int {
      var buffer = buffer
      while group[buffer] != buffer { buffer = group[buffer] }
      return buffer
    }
    for (index, operation) in graph.operations.enumerated() {
      guard let operation else { continue }
      let target = root(graph.placement(graph.value(ofLayer: index)).buffer)
      switch operation.layer {
      case .resizing(let layer):
        group[root(graph.placement(graph.value(layer.input)).buffer)] = target
      case .concatenation:
        for copy in graph.copies[index] {
          group[root(graph.placement(copy.source).buffer)] = root(target)
        }
      default: break
      }
    }
    var least = [Float](repeating: 0, count: group.count)
    var greatest = least
    for (value, placement) in graph.placements.enumerated() {
      guard let placement else { continue }
      let buffer = root(placement.buffer)
      least[buffer] = min(least[buffer], ranges.least[value])
      greatest[buffer] = max(greatest[buffer], ranges.greatest[value])
    }
    values = graph.placements.map { (placement) in
      guard let placement else { return Quantization() }
      let buffer = root(placement.buffer)
      return Quantization(least: least[buffer], greatest: greatest[buffer])
    }
  }
}

extension NetworkRunner {
  /// The least and the greatest number of each value in the last run, inputs first; 0 for values that
  /// cannot be read any more.
  ///
  /// Ask a runner that keeps all feature maps.
  public func activationRanges() -> ActivationRanges {
    var ranges = ActivationRanges(least: [], greatest: [])
    func append(_ map: FeatureMap?) {
      var (least, greatest) = (Float(0), Float(0))
      for value in map?.values ?? [] {
        least = min(least, value)
        greatest = max(greatest, value)
      }
      ranges.least.append(least)
      ranges.greatest.append(greatest)
    }
    for index in plan.inputs.indices { append(inputFeatureMap(index)) }
    for index in plan.layers.indices { append(featureMap(ofLayer: index)) }
    return ranges
  }
}
