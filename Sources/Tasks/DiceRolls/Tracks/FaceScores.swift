/// The logarithms of the faces' probabilities in one reading, not below ``Track/lowestScore``.
///
/// Faces are named by their places in the tracker's list. The likeliest that exceed the lowest
/// score are kept; there are 33 of them at most, and mostly one.
struct FaceScores: Hashable, Sendable {
  static let capacity = 16
  /// The most faces that a tracker knows.
  static let faceLimit = 128

  /// The faces in ascending order, then `UInt8.max`.
  private var faces = SIMD16<UInt8>(repeating: .max)
  private var scores = SIMD16<Float>(repeating: Track.lowestScore)

  /// How many faces have a score of their own.
  var count: Int {
    var count = 0
    while count < Self.capacity, faces[count] != .max { count += 1 }
    return count
  }

  /// A face with a score of its own, and the score.
  func entry(_ index: Int) -> (face: Int, score: Float) { (Int(faces[index]), scores[index]) }

  /// The score of a face.
  ///
  /// One function for all uses: copies of it would make a program for the browser larger.
  subscript(face: Int) -> Float {
    @inline(never) get {
      for index in 0..<Self.capacity where Int(faces[index]) == face { return scores[index] }
      return Track.lowestScore
    }
  }

  /// Adds a face behind the others; where there is no room, the least likely one goes.
  mutating func append(_ face: Int, _ score: Float) {
    var count = count
    if count == Self.capacity {
      var least = 0
      for index in 1..<count where scores[index] < scores[least] { least = index }
      guard score > scores[least] else { return }
      for index in least..<count - 1 {
        faces[index] = faces[index + 1]
        scores[index] = scores[index + 1]
      }
      count -= 1
    }
    faces[count] = UInt8(face)
    scores[count] = score
  }
}

/// A set of faces by their places in the tracker's list.
struct FaceSet {
  private var words: (UInt64, UInt64) = (0, 0)

  mutating func insert(_ face: Int) {
    if face < 64 { words.0 |= 1 << UInt64(face) } else { words.1 |= 1 << UInt64(face - 64) }
  }

  func contains(_ face: Int) -> Bool {
    (face < 64 ? words.0 >> UInt64(face) : words.1 >> UInt64(face - 64)) & 1 == 1
  }

  /// Takes out the first face; nil where there is none.
  mutating func popFirst() -> Int? {
    if words.0 != 0 {
      let face = words.0.trailingZeroBitCount
      words.0 &= words.0 - 1
      return face
    }
    guard words.1 != 0 else { return nil }
    let face = words.1.trailingZeroBitCount
    words.1 &= words.1 - 1
    return face + 64
  }
}
