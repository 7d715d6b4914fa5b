// With these, `localizedDescription` is the sentence that `description` is.
#if canImport(FoundationEssentials) || canImport(Foundation)
  public import DiceAudio
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension ArithmeticQuestionError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension AudioFileError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension BoardRulesError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension DiceMathRulesError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension DigitClassifierError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension DrawingError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension FLACError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension NumberPictureError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension NumberRecognizerError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension SavedGameError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension SpokenNumberError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension WAVError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
