/// Why a face cannot be taught, or bytes are no set of faces.
///
/// Errors may gain cases in a minor version, so end a `switch` over them with `default`.
public enum FaceSetError: Error, Hashable, Sendable {
  /// A name is empty, has more than ``FaceSet/nameByteLimit`` bytes, is not on one line, or is one
  /// that stands for dice that are not read.
  case invalidName(String)
  /// A face was taught with another value before.
  case otherValue(face: String, found: Int, required: Int)
  /// The set has as many faces as it can hold.
  case tooManyFaces(limit: Int)
  /// The face has as many examples as it can hold.
  case tooManyExamples(face: String, limit: Int)
  /// No die was found in the picture.
  case noDie
  /// The box has no area, or its middle lies outside the picture.
  case unusableBox
  /// The detector cannot look at the picture.
  case detector(DetectorError)
  /// The bytes do not begin with "DFACES".
  case notAFaceSet
  /// The version is not one that is known.
  case unsupportedVersion(found: UInt16, supported: UInt16)
  /// The bytes end within a field.
  case truncated(required: Int, found: Int)
  /// The bytes are more than a set can have.
  case tooLarge(byteCount: Int, limit: Int)
  /// The bytes are not those that were written.
  case checksumMismatch(found: UInt64, computed: UInt64)
  /// A field holds what no set holds; its offset.
  case fieldOutOfRange(name: String, offset: Int)
  /// There are bytes behind the last face.
  case trailingBytes(count: Int)
}

extension FaceSetError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .invalidName(let name):
      "The name \"\(name)\" cannot be used: a name has 1 to \(FaceSet.nameByteLimit) bytes on one "
        + "line, and no face is called \"\(FaceSet.unknownLabel)\" or \"?\"."
    case .otherValue(let face, let found, let required):
      "The face \"\(face)\" counts \(required) in this set; it cannot count \(found) as well."
    case .tooManyFaces(let limit): "The set has \(limit) faces, which is the most."
    case .tooManyExamples(let face, let limit):
      "The face \"\(face)\" has \(limit) examples, which is the most."
    case .noDie: "No die was found in the picture."
    case .unusableBox: "The box must have an area, and its middle in the picture."
    case .detector(let error): error.description
    case .notAFaceSet: "The bytes do not begin with \"DFACES\", as a set of faces does."
    case .unsupportedVersion(let found, let supported):
      "The set of faces has version \(found); only version \(supported) is supported."
    case .truncated(let required, let found):
      "The set of faces ends too early: \(required) bytes are required and \(found) are there."
    case .tooLarge(let byteCount, let limit):
      "The set of faces has \(byteCount) bytes; it can have \(limit)."
    case .checksumMismatch(let found, let computed):
      "The set of faces is damaged: its checksum is \(found), and its bytes have \(computed)."
    case .fieldOutOfRange(let name, let offset):
      "The field \(name) at byte \(offset) is out of its range."
    case .trailingBytes(let count): "\(count) bytes follow behind the last face."
    }
  }
}
