internal import DiceParallel

/// Finds the top face of every die in a picture and reads its value.
///
/// ```swift
/// let detector = try DiceDetector()
/// let result = try detector.detect(inImageFileAt: "roll.jpg")
/// print(result.values, result.sum)  // [2, 5, 6] 13
/// ```
///
/// A detector is a value that shares its network with its copies. Any number of threads may use one
/// at once: each call works in memory of its own, which is kept for the next call. Once a detector
/// has seen its largest picture, a call allocates its result and nothing else, as long as no more
/// calls run at once than the computer has processors, and each picture is looked at once: tiles
/// (``Configuration/tiling``) need a list of them, and memory for a tile of a new size.
///
/// The same picture gives the same bits at every call, on every thread and with every number of
/// threads. Different kernels (``Configuration/kernelImplementation``) round differently.
public struct DiceDetector: Sendable {
  let core: DetectorCore

  /// A detector with weights of your own.
  ///
  /// - Parameters:
  ///   - bytes: A whole weight file, from a source that need not be trusted: `[UInt8]`, `Data` and
  ///     so on.
  ///   - configuration: How to work with it.
  /// - Throws: ``DetectorError``: `weights` with the broken rule, `network`, or the case that names
  ///   the part of the configuration that is wrong.
  /// - Complexity: O(number of weights).
  public init(
    weights bytes: some Collection<UInt8>, configuration: Configuration = Configuration()
  ) throws(DetectorError) {
    // Here, since files are read on any thread, and a collection may belong to this one.
    let bytes = Array(bytes)
    try self.init(
      weights: bytes, secondStage: configuration.secondStage.bytes(automatic: nil),
      configuration: configuration)
  }

  /// A detector with the weights of a second stage, of a reader of numerals and of the network that
  /// compares taught faces, nil for none, whatever the configuration says of them.
  init(
    weights: @autoclosure () -> [UInt8], secondStage: @autoclosure () -> [UInt8]?,
    numeralReader: @autoclosure () -> [UInt8]? = nil,
    faceNetwork: @autoclosure () -> [UInt8]? = nil, configuration: Configuration
  ) throws(DetectorError) {
    core = try DetectorCore(
      weights: weights, secondStage: secondStage, numeralReader: numeralReader,
      faceNetwork: faceNetwork, configuration: configuration)
  }

  /// The most proposals of a picture that the second stage classifies, those that the detector is
  /// surest of.
  public static let proposalLimit = 128
}

// MARK: - What it works with

extension DiceDetector {
  /// The weight file in use: its network, labels, thresholds and provenance.
  public var weightFile: WeightFile { core.weightFile }
  /// The configuration as it was given.
  public var configuration: Configuration { core.configuration }
  /// The size of the network's input in pixels.
  public var inputSize: InputSize {
    InputSize(width: core.inputWidth, height: core.inputHeight)
  }
  /// How pictures are brought to the size of the input.
  public var cropAndScale: CropAndScale { core.cropAndScale }
  /// The names of the classes, by class index: "1" to "6" for dice; where taught faces are read
  /// (``Configuration/faces``), their names and ``FaceSet/unknownLabel``.
  public var labels: [String] { (core.faceReader?.labels ?? core.labels).names }
  /// The thresholds that count where a call gives none.
  ///
  /// Those that the author of the weights recommends: of the second stage's weights where there is
  /// one, since confidences are different then, and of the detector's own where there is none. For
  /// the bundled ones an overlap of 0.45, and a confidence of 0.4 with a second stage, 0.56
  /// without (`standard`) and 0.48 without (`fast`).
  public var defaultThresholds: (iouThreshold: Float, confidenceThreshold: Float) {
    (core.defaultThresholds.overlap, core.defaultThresholds.confidence)
  }
  /// The kernels in use.
  public var kernelImplementation: KernelImplementation { core.kernelImplementation }
  /// The numbers that the network computes with: ``Precision/single`` where another was asked for
  /// and is not available.
  public var precision: Precision { Precision(core.plan.precision) }
  /// The threads that share the work of a call, the caller's included.
  public var threadCount: Int { core.pool.threadCount }
}
