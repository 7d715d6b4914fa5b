public import DiceAudio
public import DiceFiles
public import DiceGameKit
internal import DiceNumerics

/// Recordings of words, with what is said in them.
public struct SpeechCorpus: Sendable {
  /// A recording.
  public struct Recording: Hashable, Sendable {
    /// Its file, or another name.
    public var name: String
    /// Who speaks.
    public var voice: String
    /// What is said, word by word: a number's word, or nil for any other word.
    public var words: [SpokenWord?]
    /// The sounds of other words among them, as classes; nil where nobody knows them.
    var otherSounds: [Int]?
    /// 8 kHz, one channel.
    public var samples: [Int16]

    /// Groups the parts.
    public init(name: String, voice: String, words: [SpokenWord?], samples: [Int16]) {
      self.name = name
      self.voice = voice
      self.words = words
      self.samples = samples
    }

    /// The classes of what sounds; nil where nobody knows.
    var sounds: [Int]? {
      let known = words.compactMap { $0 }
      return known.count == words.count ? known.flatMap { SpokenSound.sounds(of: $0) } : otherSounds
    }

    /// The classes of the words.
    var classes: [Int] {
      words.map { (word) in word.map { SpeechClass.index(of: $0) } ?? SpeechClass.other }
    }
  }

  /// The recordings.
  public private(set) var recordings: [Recording]

  /// A corpus of recordings.
  public init(_ recordings: [Recording]) { self.recordings = recordings }

  /// The most bytes of a file.
  public static let fileByteLimit = 1 << 28

  /// Reads a folder with a file `labels.tsv`: for each recording a line with a WAV file's path in the
  /// folder, the voice and the words, parted by tabs; a word that is none of a number's is "*".
  ///
  /// Where there are such words, a fourth field may have the sounds of all: phonemes of ARPABET, parted by
  /// spaces.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - isWanted: whether a voice is read.
  /// - Throws: the file or line that cannot be read.
  public init(
    folder: String, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SpeechCorpusError) {
    let path = Paths.joined(folder, "labels.tsv")
    let text: String
    do throws(FileError) {
      text = String(
        decoding: try FileSystem.readFile(at: path, byteLimit: Self.fileByteLimit), as: UTF8.self)
    } catch { throw .file(error) }
    recordings = []
    for (index, line) in text.split(separator: "\n").enumerated() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard (3...4).contains(fields.count) else { throw .line(path: path, number: index + 1) }
      let voice = String(fields[1])
      guard isWanted(voice) else { continue }
      var words: [SpokenWord?] = []
      for word in fields[2].split(separator: " ") {
        if word == "*" {
          words.append(nil)
        } else if let known = SpokenWord(text: String(word)) {
          words.append(known)
        } else {
          throw .line(path: path, number: index + 1)
        }
      }
      let name = String(fields[0])
      var recording = Recording(
        name: name, voice: voice, words: words,
        samples: try Self.read(Paths.joined(folder, name)))
      if fields.count == 4 {
        var sounds: [Int] = []
        for sound in fields[3].split(separator: " ") {
          guard let known = SpokenSound.index(of: String(sound)) else {
            throw .line(path: path, number: index + 1)
          }
          sounds.append(known)
        }
        recording.otherSounds = sounds
      }
      recordings.append(recording)
    }
  }

  /// Reads a WAV file as 16-bit samples of one channel at 8 kHz.
  static func read(_ path: String) throws(SpeechCorpusError) -> [Int16] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: fileByteLimit)
    } catch { throw .file(error) }
    let clip: AudioClip
    do throws(WAVError) { clip = try WAVFile(bytes).clip } catch {
      throw .format(path: path, error)
    }
    let samples = Resampler.resample(
      clip.mono, from: clip.sampleRate, to: SpeechFeatures.sampleRate)
    return samples.map { Int16(max(-32_767, min(32_767, ($0 * 32_767).rounded()))) }
  }

  /// A number that follows from all recordings.
  var fingerprint: UInt64 {
    var bytes: [UInt8] = []
    for recording in recordings {
      bytes += recording.name.utf8
      bytes += recording.classes.map { UInt8(truncatingIfNeeded: $0) }
      bytes += (recording.otherSounds ?? []).map { UInt8(truncatingIfNeeded: $0) }
      for sample in recording.samples.prefix(64) { bytes.append(UInt8(truncatingIfNeeded: sample)) }
    }
    return XXHash64.hash(bytes)
  }
}

/// Why a corpus cannot be read.
public enum SpeechCorpusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case file(FileError)
  /// A recording breaks a rule of its format.
  case format(path: String, WAVError)
  /// A line of the list is not a path, a voice and known words.
  case line(path: String, number: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .format(let path, let error): "\(path): \(error)"
    case .line(let path, let number):
      "\(path), line \(number): a path, a voice, words of numbers or \"*\", and no other sounds than "
        + "phonemes of ARPABET are required, parted by tabs."
    }
  }
}
