/// Faces of your own, which a detector reads by their likeness to photos that it was shown.
///
/// ```swift
/// let detector = try DiceDetector(.anyDice)
/// var faces = FaceSet(name: "fudge")
/// try faces.teach("plus", value: 1, in: plusPhoto, with: detector)
/// try faces.teach("minus", value: -1, in: minusPhoto, with: detector)
/// try faces.teach("blank", value: 0, in: blankPhoto, with: detector)
///
/// var configuration = DiceDetector.Configuration()
/// configuration.faces = faces
/// let reader = try DiceDetector(.anyDice, configuration: configuration)
/// ```
///
/// Nothing is trained. Of each photo a set keeps a small map of the face, in rings about its middle; a
/// die is read as the face that it resembles most, turned by any angle, and as ``unknownLabel`` where
/// it resembles none. How alike two maps are is said by a network (``DetectorWeights/faceNetwork``), which
/// the product AnyDice has. A set does not depend on the weights that it was taught with.
public struct FaceSet: Sendable {
  /// The label of a die that resembles no taught face.
  public static let unknownLabel = "unknown"
  /// The most faces of a set.
  public static let faceLimit = 128
  /// The most examples of a face.
  public static let exampleLimit = 16
  /// The most bytes of a name.
  public static let nameByteLimit = 64

  /// What the set is called.
  public let name: String
  /// The faces in the order in which they were first taught.
  public internal(set) var faces: [Face] = []

  /// A face that was taught.
  public struct Face: Sendable {
    /// Its name, which is its label in results.
    public let name: String
    /// The number that counts.
    public let value: Int
    /// A map for each example, as ``FaceMap`` says.
    var maps: [Int8]
    /// How many photos it was taught with, at least 1.
    public internal(set) var exampleCount: Int
  }

  /// A set without faces.
  ///
  /// - Throws: `invalidName` for a name that is empty, longer than ``nameByteLimit`` or not on one
  ///   line.
  public init(name: String) throws(FaceSetError) {
    try Self.check(name)
    self.name = name
  }

  /// The face with a name; nil where none has it.
  public func face(named name: String) -> Face? { index(of: name).map { faces[$0] } }

  /// Forgets a face; nothing happens where none has the name.
  public mutating func remove(_ name: String) {
    guard let index = index(of: name) else { return }
    faces.remove(at: index)
  }

  /// Bytes are compared, which needs no Unicode tables.
  func index(of name: String) -> Int? {
    faces.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }

  static func check(_ name: String) throws(FaceSetError) {
    let bytes = name.utf8
    guard (1...nameByteLimit).contains(bytes.count),
      !bytes.contains(where: { $0 < 32 || $0 == 127 })
    else { throw .invalidName(name) }
  }

  /// Checks the name of a face: ``unknownLabel`` and `?` stand for dice that are not read.
  static func check(face name: String) throws(FaceSetError) {
    try check(name)
    guard !name.utf8.elementsEqual(unknownLabel.utf8), !name.utf8.elementsEqual("?".utf8) else {
      throw .invalidName(name)
    }
  }
}

// MARK: - Comparing

extension FaceSet: Hashable {
  /// Whether two sets have the same names, values and maps.
  public static func == (first: FaceSet, second: FaceSet) -> Bool {
    first.name.utf8.elementsEqual(second.name.utf8) && first.faces == second.faces
  }

  /// Feeds the faces into a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(faces)
  }
}

extension FaceSet.Face: Hashable {
  /// Whether two faces have the same name, value and maps.
  public static func == (first: Self, second: Self) -> Bool {
    first.name.utf8.elementsEqual(second.name.utf8) && first.value == second.value
      && first.exampleCount == second.exampleCount && first.maps == second.maps
  }

  /// Feeds the value and the maps into a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(maps)
  }
}

// MARK: - In words

extension FaceSet: CustomStringConvertible {
  /// The faces in one line: `fudge: plus = 1 (5 photos), minus = -1 (5 photos), blank = 0 (1 photo)`.
  public var description: String {
    var text = "\(name): "
    if faces.isEmpty { text += "no faces" }
    for (index, face) in faces.enumerated() {
      if index > 0 { text += ", " }
      text += "\(face.name) = \(face.value) ("
      text += face.exampleCount == 1 ? "1 photo)" : "\(face.exampleCount) photos)"
    }
    return text
  }
}
