/// Finds where speech begins and ends, frame by frame, by how much louder it is than what is usual.
///
/// The usual level falls at once with the sound and rises slowly. Speech begins with three of four frames
/// that are louder by 10 dB, and ends after 0.6 s that are not louder by 7 dB, or after 8 s.
struct SpeechDetector {
  /// What a frame means.
  enum Change: Hashable {
    /// Nothing new.
    case none
    /// Speech began some frames ago.
    case began
    /// Speech ended.
    case ended
  }

  /// Frames that are kept before and after speech.
  static let margin = 12
  /// The frames of a pause that ends an utterance.
  static let pauseCount = 40
  /// The most frames of an utterance.
  static let frameLimit = 533
  private static let rise: Float = 0.02
  /// The level of a quiet room, to begin with: noise 60 dB below full scale.
  static let quiet: Float = -7
  /// Nothing below is speech: 75 dB below full scale.
  static let silence: Float = -10

  private var usual = Self.quiet
  private var recent: [Bool] = []
  private var quietCount = 0
  private var frameCount = 0
  private(set) var isSpeech = false

  /// The next frame's level, a natural logarithm of energy.
  mutating func update(_ level: Float) -> Change {
    usual = level < usual ? usual + 0.3 * (level - usual) : min(level, usual + Self.rise)
    usual = max(usual, Self.silence - 3)
    if !isSpeech {
      recent.append(level > usual + 2.3 && level > Self.silence)
      if recent.count > 4 { recent.removeFirst() }
      guard recent.count(where: { $0 }) >= 3 else { return .none }
      recent.removeAll(keepingCapacity: true)
      (isSpeech, quietCount, frameCount) = (true, 0, 0)
      return .began
    }
    frameCount += 1
    quietCount = level > usual + 1.6 && level > Self.silence ? 0 : quietCount + 1
    guard quietCount >= Self.pauseCount || frameCount >= Self.frameLimit else { return .none }
    isSpeech = false
    return .ended
  }
}
