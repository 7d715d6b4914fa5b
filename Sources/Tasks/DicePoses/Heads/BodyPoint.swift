/// A point of the body that a network finds: a joint, or the uppermost point of the head, which is none.
package enum BodyPoint: Hashable, Sendable {
  /// A joint.
  case joint(Joint)
  /// The uppermost point of the head.
  case topOfHead

  /// The point of a name in one of the usual spellings, as ``Joint/init(name:)``; nil where there is none.
  package init?(name: String) {
    if let joint = Joint(name: name) {
      self = .joint(joint)
    } else if let letters = Joint.letters(of: name),
      Self.topSpellings.contains(where: { $0.utf8.elementsEqual(letters) })
    {
      self = .topOfHead
    } else {
      return nil
    }
  }

  /// The same point of the other side; the point itself where it has no side.
  package var mirrored: BodyPoint {
    switch self {
    case .joint(let joint): .joint(joint.mirrored)
    case .topOfHead: self
    }
  }

  private static let topSpellings = ["topofhead", "headtop", "tophead"]
}
