#if canImport(DiceVisionWeights)
  internal import DiceVisionWeights

  extension DiceDetector {
    /// A detector with weights that come with the library.
    ///
    /// ```swift
    /// let detector = try DiceDetector()
    /// let quicker = try DiceDetector(.fast)
    /// ```
    ///
    /// - Parameters:
    ///   - model: Which of them.
    ///   - configuration: How to work with them.
    /// - Throws: ``DetectorError``: `network` for an input size that networks do not take or where
    ///   memory does not suffice, or the case that names the part of the configuration that is wrong.
    public init(
      _ model: Model = .standard, configuration: Configuration = Configuration()
    ) throws(DetectorError) {
      try self.init(
        weights: Self.bundledWeights(model),
        secondStage: configuration.secondStage.bytes(automatic: Self.bundledSecondStage),
        configuration: configuration)
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

    /// The weight file of the second stage that comes with the library
    /// (``Configuration/secondStage``).
    ///
    /// Decoded at the first use and kept.
    public static var bundledSecondStage: [UInt8] { BundledWeights.secondStage }
  }

  extension DiceDetector.SecondStage {
    /// The second stage's weights; nil for none.
    ///
    /// - Parameter bytes: What ``automatic`` is.
    func bytes(automatic bytes: @autoclosure () -> [UInt8]?) -> [UInt8]? {
      switch self {
      case .automatic: bytes()
      case .none: nil
      case .bundled: DiceDetector.bundledSecondStage
      case .weights(let bytes): bytes
      }
    }
  }
#else
  extension DiceDetector.SecondStage {
    /// The second stage's weights; nil for none.
    ///
    /// - Parameter bytes: What ``automatic`` is.
    func bytes(automatic bytes: @autoclosure () -> [UInt8]?) -> [UInt8]? {
      switch self {
      case .automatic: bytes()
      case .none: nil
      case .weights(let bytes): bytes
      }
    }
  }
#endif
