// With these, `localizedDescription` is the sentence that `description` is.
#if canImport(FoundationEssentials) || canImport(Foundation)
  public import DiceDetectorHeads
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension DetectorHeadError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ObjectDetectorError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
