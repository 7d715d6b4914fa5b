// With these, `localizedDescription` is the sentence that `description` is.
#if canImport(FoundationEssentials) || canImport(Foundation)
  public import DiceFields
  public import DiceFields
  public import DiceGeometry
  public import DicePoses
  public import DiceTrajectories
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension ActionClassifierError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ContourError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension FieldError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension HomographyError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PoseDetectorError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PoseHeadError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PoseSequenceError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension PoseTrackerError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ShapeFittingError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ThrowSessionError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension TrajectoryError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
