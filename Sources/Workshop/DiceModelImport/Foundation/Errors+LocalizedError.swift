public import DiceDetectorHeads

// With these, `localizedDescription` is the sentence that `description` is.
#if canImport(FoundationEssentials) || canImport(Foundation)
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension FlatbufferError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ModelImportError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension NumPyArrayError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ProtobufError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
