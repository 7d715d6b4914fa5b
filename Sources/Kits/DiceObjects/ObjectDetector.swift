public import DiceDetectorHeads
public import DiceGeometry
internal import DiceNetwork
internal import DiceParallel
public import DiceWeights

/// Finds the objects that a network has been trained for, whoever trained it.
///
/// ```swift
/// let detector = try ObjectDetector(weightsAt: "yolo.dvweights")
/// for object in try detector.detect(inImageFileAt: "street.jpg").objects {
///   print(object.label, object.confidence, object.boundingBox)
/// }
/// ```
///
/// `dicevision import` makes such weight files of ONNX, Core ML and darknet models; `DetectorHeads` tells
/// which outputs are understood. What the model's makers do around their network is done here: how a
/// picture is brought to the input's size, how its samples are scaled, how numbers become boxes, which boxes
/// compete and which thresholds count.
///
/// A detector is a value that shares its network with its copies, and any number of threads may use one at
/// once. The same picture gives the same result at every call and with every number of threads.
public struct ObjectDetector: Sendable {
  /// How to work with a network; everything may be left out.
  public struct Configuration: Hashable, Sendable {
    /// The size of the network's input in pixels; nil for the weight file's.
    ///
    /// Only networks that say so take another one.
    public var inputSize: HeadInputSize?
    /// How pictures are brought to the input's size; nil for the weight file's way.
    public var cropAndScale: CropAndScale?
    /// Which boxes compete where they overlap; nil for the weight file's rule.
    public var competition: SuppressionRule.Competition?
    /// The threads that share the work of a call, the caller's included; nil for one per processor.
    public var threadCount: Int?

    /// A configuration.
    public init(
      inputSize: HeadInputSize? = nil, cropAndScale: CropAndScale? = nil,
      competition: SuppressionRule.Competition? = nil, threadCount: Int? = nil
    ) {
      self.inputSize = inputSize
      self.cropAndScale = cropAndScale
      self.competition = competition
      self.threadCount = threadCount
    }
  }

  let core: ObjectDetectorCore

  /// A detector with the weights of a file.
  ///
  /// - Parameters:
  ///   - bytes: A whole weight file, from a source that need not be trusted.
  ///   - configuration: How to work with it.
  /// - Throws: ``ObjectDetectorError`` with the broken rule.
  /// - Complexity: O(number of weights).
  public init(
    weights bytes: some Collection<UInt8>, configuration: Configuration = Configuration()
  ) throws(ObjectDetectorError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: Array(bytes)) } catch { throw .weights(error) }
    core = try ObjectDetectorCore(file, configuration)
  }

  /// The weight file in use.
  public var weightFile: WeightFile { core.weightFile }
  /// The names of the classes, by class index.
  public var labels: [String] { core.heads.labels }
  /// What the network's outputs mean.
  public var heads: DetectorHeads { core.heads }
  /// Which boxes are results where a call says nothing else.
  public var rule: SuppressionRule { core.rule }
  /// The size of the network's input in pixels.
  public var inputSize: HeadInputSize { core.inputSize }
  /// How pictures are brought to the size of the input.
  public var cropAndScale: CropAndScale { core.cropAndScale }
}

/// What all copies of a detector share.
final class ObjectDetectorCore: Sendable {
  let weightFile: WeightFile
  let heads: DetectorHeads
  let rule: SuppressionRule
  let inputSize: HeadInputSize
  let cropAndScale: CropAndScale
  let rules: ImageRules
  private let plan: NetworkPlan
  private let pool: WorkerPool
  private let workspaces: IdlePool<ObjectWorkspace>

  init(
    _ file: WeightFile, _ configuration: ObjectDetector.Configuration
  ) throws(ObjectDetectorError) {
    if let count = configuration.threadCount, count < 1 { throw .invalidThreadCount(count) }
    let inputs = file.description.inputs
    guard inputs.count == 1 else {
      throw .input(rule: "A detector has one input; this network has \(inputs.count).")
    }
    guard let rules = inputs[0].imageRules else {
      throw .input(
        rule:
          "The network's input \"\(inputs[0].name)\" must be a picture, with its scale and order "
          + "of colours.")
    }
    weightFile = file
    self.rules = rules
    do { heads = try DetectorHeads(file.description, shapes: file.shapes) } catch {
      throw .heads(error)
    }
    var rule = heads.rule
    if let competition = configuration.competition { rule.competition = competition }
    self.rule = rule
    let shape = inputs[0].shape
    inputSize =
      configuration.inputSize ?? HeadInputSize(width: shape.width, height: shape.height)
    cropAndScale = configuration.cropAndScale ?? CropAndScale(rules.cropAndScale)
    pool = WorkerPool(threadCount: configuration.threadCount ?? WorkerPool.processorCount)
    do {
      plan = try NetworkPlan(file)
      let runner = try NetworkRunner(
        plan, width: inputSize.width, height: inputSize.height, pool: pool)
      workspaces = IdlePool(
        ObjectWorkspace(runner, rules), limit: max(2, WorkerPool.processorCount))
    } catch {
      throw .network(error)
    }
  }

  /// A workspace that nobody else uses until it is given back.
  func takeWorkspace() throws(ObjectDetectorError) -> ObjectWorkspace {
    if let workspace = workspaces.take() { return workspace }
    do {
      return ObjectWorkspace(
        try NetworkRunner(plan, width: inputSize.width, height: inputSize.height, pool: pool),
        rules)
    } catch {
      throw .network(error)
    }
  }

  /// Keeps a workspace for a later call.
  func giveBack(_ workspace: ObjectWorkspace) { workspaces.giveBack(workspace) }
}

extension CropAndScale {
  /// The rule that a weight file states.
  init(_ stored: ImageRules.CropAndScale) {
    switch stored {
    case .centerCrop: self = .centerCrop
    case .scaleFit: self = .scaleFit
    case .scaleFill: self = .scaleFill
    }
  }
}
