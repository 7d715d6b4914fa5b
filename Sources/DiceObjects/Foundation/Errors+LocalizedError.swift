#if canImport(FoundationEssentials)
  public import DiceDetectorHeads
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import DiceDetectorHeads
  public import Foundation
#endif

// With these, `localizedDescription` is the sentence that `description` is.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension DetectorHeadError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ObjectDetectorError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
