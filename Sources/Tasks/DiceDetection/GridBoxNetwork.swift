public import DiceNetwork
public import DiceWeights

/// A planned network that sees a picture and proposes boxes on grids.
public struct GridBoxNetwork: Sendable {
  /// The network, ready to run.
  public let plan: NetworkPlan
  /// What its outputs mean.
  public let boxes: GridBoxes
  /// How a picture becomes its input.
  public let imageRules: ImageRules

  /// Plans the network of a weight file.
  ///
  /// - Parameters:
  ///   - file: a file whose network has one input, a picture of three channels, and outputs of boxes.
  ///   - kernels: which kernels to work with.
  ///   - precision: what to compute in; single precision where another is not available.
  /// - Throws: the rule that the network breaks.
  public init(
    _ file: WeightFile, kernels: KernelChoice = .automatic, precision: NetworkPrecision = .single
  ) throws(GridBoxError) {
    let inputs = file.description.inputs
    guard inputs.count == 1, let rules = inputs[0].imageRules, inputs[0].shape.channels == 3 else {
      throw .noPicture
    }
    imageRules = rules
    boxes = try GridBoxes(file.description, shapes: file.shapes)
    do { plan = try NetworkPlan(file, kernels: kernels, precision: precision) } catch {
      throw .network(error)
    }
  }

  /// The columns of the default input.
  public var width: Int { plan.input.shape.width }
  /// The rows of the default input.
  public var height: Int { plan.input.shape.height }

  /// The candidates of all heads in a runner's last run, in place of those that a list holds.
  ///
  /// - Parameters:
  ///   - runner: a runner of ``plan``.
  ///   - candidates: the list, which is emptied first; its memory is used again.
  ///   - confidenceThreshold: the least confidence that is kept.
  public func decode(
    _ runner: NetworkRunner, into candidates: inout CandidateList, confidenceThreshold: Float
  ) {
    candidates.removeAll()
    append(runner, to: &candidates, confidenceThreshold: confidenceThreshold)
  }

  /// Adds the boxes of a runner's last run to those of other runs.
  ///
  /// As ``decode(_:into:confidenceThreshold:)``, without emptying the list first.
  public func append(
    _ runner: NetworkRunner, to candidates: inout CandidateList, confidenceThreshold: Float
  ) {
    append(runner, to: &candidates, confidenceThreshold: confidenceThreshold, ignoresClasses: false)
  }

  /// Adds the boxes of a runner's last run to those of other runs.
  ///
  /// - Parameter ignoresClasses: whether the threshold is for the objectness alone, whatever the
  ///   classes.
  package func append(
    _ runner: NetworkRunner, to candidates: inout CandidateList, confidenceThreshold: Float,
    ignoresClasses: Bool
  ) {
    for (index, head) in boxes.heads.enumerated() {
      runner.withOutput(boxes.outputs[index]) { (values) in
        candidates.append(
          head, index: index, values: values, confidenceThreshold: confidenceThreshold,
          ignoresClasses: ignoresClasses)
      }
    }
  }
}
