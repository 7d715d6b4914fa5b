public import DiceDetection
public import DiceImaging
public import DiceRolls

/// Why a detector cannot be made, or cannot look at a picture: the stage that refused.
///
/// A picture without dice is no error; its result has no observations. Errors may gain cases in a minor
/// version, so end a `switch` over them with `default`.
public enum DetectorError: Error, Hashable, Sendable {
  /// The weight file breaks a rule of its format.
  case weights(WeightFileError)
  /// A file cannot be read.
  case file(FileError)
  /// An image file cannot be decoded.
  case image(ImageDecodingError)
  /// A camera's buffer, or a picture of Core Graphics, cannot be read.
  case frame(FrameError)
  /// The picture's size or the region of interest is not usable.
  case geometry(GeometryError)
  /// The network cannot be planned, or not for the size of the input.
  case network(NetworkError)
  /// The network is not one that proposes boxes on grids, or its heads break a rule.
  case heads(GridBoxError)
  /// A number of the weights' profile cannot be used: `rule` says why.
  case unusableProfile(rule: String)
  /// A threshold is NaN, infinite or not in 0...1.
  ///
  /// Errors that hold a NaN are unequal to themselves.
  case invalidThreshold(name: String, value: Float)
  /// The number of threads is below 1.
  case invalidThreadCount(Int)
  /// The most observations of a result are a negative number.
  case invalidMaximumObservationCount(Int)
  /// The pixels along the longer side to which files are decoded are fewer than 1.
  case invalidFileResolution(Int)
  /// The sigma of soft suppression is not positive and finite.
  case invalidSuppressionSigma(Double)
  /// The second stage's weights are those of something else: `rule` says what a second stage must
  /// have.
  case unusableSecondStage(rule: String)
  /// Kinds of dice are to be reported that no label of the weights names: `found` are these, `known`
  /// those that the labels name.
  case unknownKinds(found: Set<DieKind>, known: Set<DieKind>)
  /// The faces of the configuration cannot be read: `rule` says what must hold.
  case unusableFaces(rule: String)
  /// The kernels that were asked for are not in this build, or the processor cannot run them.
  case unavailableKernels(DiceDetector.KernelImplementation)
  /// The task was cancelled. Typed errors cannot hold a `CancellationError`: catch this one.
  case cancelled
}

extension DetectorError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .weights(let error): error.description
    #if hasFeature(Embedded)
      // Whoever opens no files does not carry the sentences of every format: the payload has them.
      case .file: "The file cannot be read."
      case .image: "The image cannot be decoded."
      case .frame: "The frame cannot be read."
    #else
      case .file(let error): error.description
      case .image(let error): error.description
      case .frame(let error): error.description
    #endif
    case .geometry(let error): error.description
    case .network(let error): error.description
    case .heads(let error): error.description
    case .unusableProfile(let rule):
      "The profile of the weights cannot be used: \(rule)"
    case .invalidThreshold(let name, let value):
      "The threshold \"\(name)\" is \(value); it must be from 0 to 1."
    case .invalidThreadCount(let count):
      "The number of threads is \(count); it must be at least 1."
    case .invalidMaximumObservationCount(let count):
      "The most observations of a result are \(count); the number must not be negative."
    case .invalidFileResolution(let side):
      "Files are to be decoded to \(side) pixels along the longer side; it must be at least 1."
    case .invalidSuppressionSigma(let sigma):
      "The sigma of soft suppression is \(sigma); it must be positive and finite."
    case .unusableSecondStage(let rule):
      "The second stage's weights cannot be used: \(rule)."
    case .unknownKinds(let found, let known):
      "The kinds of dice to report must be among those that the weights know "
        + "(\(Self.list(known))); they do not know \(Self.list(found))."
    case .unusableFaces(let rule):
      "The taught faces cannot be read: \(rule)."
    case .unavailableKernels(let kernels):
      "The \(kernels.rawValue) kernels are not in this build, or this processor cannot run them."
    case .cancelled:
      "The task was cancelled."
    }
  }

  /// Kinds in their order, with commas between them.
  private static func list(_ kinds: Set<DieKind>) -> String {
    var text = ""
    for kind in kinds.sorted() { text += (text.utf8.isEmpty ? "" : ", ") + kind.rawValue }
    return text
  }
}
