// With these, `localizedDescription` is the sentence that `description` is.
#if canImport(FoundationEssentials) || canImport(Foundation)
  public import DiceCodecs
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension DetectorError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension FileError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension FaceSetError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension FrameError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension GeometryError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension GridBoxError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ImageDecodingError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ImageRegistrationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension NetworkError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension RollTracker.ConfigurationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension SceneStability.ConfigurationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension TrackerStateError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension WeightFileError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension FrameStreamError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension GzipError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension InflateError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension JPEGError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension LostFrame: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PNGError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PlayingFieldError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PortableMapError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension Y4MError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
