internal import DiceBundledWeights
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
/// calls run at once than the computer has processors, and each picture is looked at once: a closer
/// look (``Configuration/zoom``) allocates its list of tiles, and memory for a tile of a new size.
///
/// The same picture gives the same bits at every call, on every thread and with every number of
/// threads. Different kernels (``Configuration/kernelImplementation``) round differently.
public struct DiceDetector: Sendable {
  let core: DetectorCore

  /// A detector with the weights that come with the library.
  ///
  /// - Throws: ``DetectorError/network(_:)``, where memory does not suffice for the network.
  public init() throws(DetectorError) {
    try self.init(configuration: Configuration())
  }

  /// A detector with weights that come with the library.
  ///
  /// - Parameters:
  ///   - model: Which of them.
  ///   - configuration: How to work with them.
  /// - Throws: ``DetectorError``: `network` for an input size that networks do not take, or the case
  ///   that names the part of the configuration that is wrong.
  public init(
    _ model: Model = .standard, configuration: Configuration
  ) throws(DetectorError) {
    try self.init(
      weights: Self.bundledWeights(model), configuration: configuration, isBundled: true)
  }

  /// A detector with weights of your own.
  ///
  /// - Parameters:
  ///   - bytes: A whole weight file, from a source that need not be trusted.
  ///   - configuration: How to work with it.
  /// - Throws: ``DetectorError``: `weights` with the broken rule, `network`, or the case that names
  ///   the part of the configuration that is wrong.
  /// - Complexity: O(number of weights).
  public init(
    weights bytes: [UInt8], configuration: Configuration = Configuration()
  ) throws(DetectorError) {
    try self.init(weights: bytes, configuration: configuration, isBundled: false)
  }

  private init(
    weights bytes: [UInt8], configuration: Configuration, isBundled: Bool
  ) throws(DetectorError) {
    let readerBytes: [UInt8]? =
      switch configuration.reader {
      case .automatic: isBundled ? Self.bundledReader : nil
      case .none: nil
      case .bundled: Self.bundledReader
      case .weights(let bytes): bytes
      }
    let file: WeightFile
    var reader: WeightFile?
    do {
      file = try WeightFile(bytes: bytes)
      if let readerBytes { reader = try WeightFile(bytes: readerBytes) }
    } catch { throw .weights(error) }
    core = try DetectorCore(file, reader: reader, configuration: configuration)
  }

  /// The detectors whose weights come with the library.
  public enum Model: String, CaseIterable, Hashable, Sendable {
    /// The one that reads best: 0.5 billion multiply-adds.
    case standard
    /// The one for slow computers and high frame rates: 0.15 billion multiply-adds.
    case fast
  }

  /// The standard weight file of the library.
  ///
  /// Decoded at the first use and kept.
  public static var bundledWeights: [UInt8] { bundledWeights(.standard) }

  /// A weight file that comes with the library.
  ///
  /// Decoded at the first use and kept.
  public static func bundledWeights(_ model: Model) -> [UInt8] {
    switch model {
    case .standard: BundledWeights.standard
    case .fast: BundledWeights.fast
    }
  }

  /// The weight file of the reader that comes with the library (``Configuration/reader``).
  ///
  /// Decoded at the first use and kept.
  public static var bundledReader: [UInt8] { BundledWeights.reader }

  /// The most places of a picture that a reader looks at, those that the detector is surest of.
  public static let readingLimit = 128
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
  /// The names of the classes, by class index: "1" to "6" for dice.
  public var labels: [String] { core.labels.names }
  /// The thresholds that the author of the weights recommends; those of a call that gives none.
  public var defaultThresholds: Thresholds { core.defaultThresholds }
  /// The kernels in use.
  public var kernelImplementation: KernelImplementation { core.kernelImplementation }
  /// The numbers that the network computes with: ``Precision/single`` where another was asked for and is
  /// not available.
  public var precision: Precision { core.plan.precision == .bfloat16 ? .bfloat16 : .single }
  /// The threads that share the work of a call, the caller's included.
  public var threadCount: Int { core.pool.threadCount }
}
