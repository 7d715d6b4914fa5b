/// What can be wrong with a DEFLATE or zlib stream: each case is the rule that it breaks.
public enum InflateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes end before the stream does.
  case truncated
  /// The two bytes of a zlib header are not a multiple of 31 when read as a big-endian number.
  case invalidHeaderCheck(header: UInt16)
  /// A zlib header names another compression method than 8, DEFLATE.
  case unsupportedMethod(Int)
  /// A zlib header claims a window of more than 32 KiB; the payload is its four-bit code, at most
  /// 7.
  case invalidWindowSize(code: Int)
  /// A zlib header asks for a preset dictionary, of which there is none.
  case presetDictionary
  /// A block has the reserved type 3.
  case reservedBlockType
  /// The length of a stored block and its complement do not fit each other.
  case storedLengthMismatch(length: UInt16, complement: UInt16)
  /// A dynamic block claims more codes than the alphabets have: at most 286 and 30.
  case tooManyCodes(literalAndLengthCount: Int, distanceCount: Int)
  /// The lengths of a prefix code are too many or too few for a code.
  case invalidPrefixCode(Alphabet)
  /// A list of code lengths repeats the previous length where there is none.
  case repeatWithoutPrevious
  /// A list of code lengths repeats a length past the end of the list.
  case repeatPastEnd
  /// A dynamic block has no code for its end.
  case missingEndOfBlock
  /// The bits are no code of the alphabet, or one that stands for nothing.
  case invalidCode(Alphabet)
  /// A match reaches back before the first byte of the output.
  case distanceTooFar(distance: Int, available: Int)
  /// The output would be longer than allowed.
  case outputLimitExceeded(limit: Int)
  /// The Adler-32 checksum after a zlib stream is not that of the output.
  case checksumMismatch(stored: UInt32, computed: UInt32)
  /// Bytes follow the end of the stream.
  case trailingBytes(count: Int)

  /// The three alphabets of a dynamic block.
  public enum Alphabet: Hashable, Sendable {
    /// The code lengths that describe the other two codes.
    case codeLengths
    /// Literal bytes, the end of a block, and match lengths.
    case literalsAndLengths
    /// Match distances.
    case distances

    var name: String {
      switch self {
      case .codeLengths: "code lengths"
      case .literalsAndLengths: "literals and lengths"
      case .distances: "distances"
      }
    }
  }

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .truncated:
      "The compressed data ends too early."
    case .invalidHeaderCheck(let header):
      "The zlib header \(header) is not a multiple of 31."
    case .unsupportedMethod(let method):
      "The zlib header names compression method \(method), but only 8 (DEFLATE) exists."
    case .invalidWindowSize(let code):
      "The zlib header claims window size code \(code), but at most 7 is allowed."
    case .presetDictionary:
      "The zlib stream needs a preset dictionary, which is not supported."
    case .reservedBlockType:
      "A compressed block has the reserved type 3."
    case .storedLengthMismatch(let length, let complement):
      "A stored block has length \(length), but its complement is \(complement)."
    case .tooManyCodes(let literalAndLengthCount, let distanceCount):
      "A compressed block claims \(literalAndLengthCount) length codes and \(distanceCount) "
        + "distance codes, but at most 286 and 30 are allowed."
    case .invalidPrefixCode(let alphabet):
      "The code lengths of the \(alphabet.name) do not form a prefix code."
    case .repeatWithoutPrevious:
      "A list of code lengths starts with a repetition."
    case .repeatPastEnd:
      "A list of code lengths repeats past its end."
    case .missingEndOfBlock:
      "A compressed block has no code for its end."
    case .invalidCode(let alphabet):
      "The compressed data holds an invalid code for \(alphabet.name)."
    case .distanceTooFar(let distance, let available):
      "A match reaches back by \(distance) bytes where only \(available) exist."
    case .outputLimitExceeded(let limit):
      "The decompressed data is longer than \(limit) bytes."
    case .checksumMismatch(let stored, let computed):
      "The Adler-32 checksum is \(computed), but the stream says \(stored)."
    case .trailingBytes(let count):
      "\(count) bytes follow the end of the compressed data."
    }
  }
}
