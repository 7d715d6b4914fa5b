extension AudioClip {
  /// Sound from a file, WAV or FLAC, told apart by how it begins.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, from a source that need not be trusted.
  ///   - sampleLimit: the most samples of all channels.
  /// - Throws: the rule that the file breaks.
  public init(
    file bytes: [UInt8], sampleLimit: Int = WAVFile.sampleLimit
  ) throws(AudioFileError) {
    if FLACFile.canBegin(bytes) {
      do throws(FLACError) {
        self = try FLACFile(bytes, sampleLimit: sampleLimit).clip
      } catch { throw .flac(error) }
    } else {
      do throws(WAVError) { self = try WAVFile(bytes, sampleLimit: sampleLimit).clip } catch {
        throw error == .notWAV ? .unknown : .wav(error)
      }
    }
  }
}

/// What can be wrong with a sound file.
public enum AudioFileError: Error, Hashable, Sendable {
  /// The file is neither WAV nor FLAC.
  case unknown
  /// The rule of WAV that is broken.
  case wav(WAVError)
  /// The rule of FLAC that is broken.
  case flac(FLACError)
}

extension AudioFileError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .unknown:
      "This is neither a WAV nor a FLAC file: it does not begin with \"RIFF\" and \"WAVE\", nor with "
        + "\"fLaC\"."
    case .wav(let error): error.description
    case .flac(let error): error.description
    }
  }
}
