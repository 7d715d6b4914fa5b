public import DiceGeometry

/// The contours of a picture and which lies in which.
///
/// Contours are numbered in the order in which their first pixels are met, row by row from the top, so
/// that a parent comes before its children. Contours at the top level are outer borders, their children
/// are borders of holes, of which the children are outer borders again.
public struct ContourTree: Sendable {
  /// What is known of a contour.
  struct Node: Hashable, Sendable {
    var firstPoint: Int
    var pointCount: Int
    var parent: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var nextSibling: Int32 = -1
    var depth: Int32
    var childCount: Int32 = 0
    var isHole: Bool
  }

  private(set) var nodes: [Node] = []
  /// The points of all contours, one contour behind the other.
  public internal(set) var points: [ContourPoint] = []

  /// Columns of the picture whose pixels the points are; 0 in a tree that has seen none.
  public private(set) var width = 0
  /// Rows of the picture whose pixels the points are; 0 in a tree that has seen none.
  public private(set) var height = 0
  /// The width of the upright picture in pixels, of which the contours' picture may be a reduced part.
  public private(set) var imageWidth = 0.0
  /// The height of the upright picture in pixels.
  public private(set) var imageHeight = 0.0
  /// From continuous coordinates of the contours' picture to those of the upright picture.
  public private(set) var imageMap = AffineMap.identity

  /// How many contours lie in no other.
  public private(set) var topLevelContourCount = 0
  private var lastTopLevel: Int32 = -1

  /// A tree without contours.
  public init() {}

  /// How many contours there are, at all levels.
  public var contourCount: Int { nodes.count }

  /// Whether there is no contour.
  public var isEmpty: Bool { nodes.isEmpty }

  /// The numbers of all contours, `0..<contourCount`.
  public var indices: Range<Int> { nodes.indices }

  /// A contour by its number.
  ///
  /// - Precondition: The number is one of ``indices``.
  public subscript(index: Int) -> Contour {
    precondition(nodes.indices.contains(index), "a contour's number is one of the indices")
    return Contour(tree: self, index: index)
  }

  /// The contours that lie in no other.
  public var topLevelContours: [Contour] {
    siblings(from: nodes.isEmpty ? -1 : 0).map { Contour(tree: self, index: $0) }
  }

  /// Where the points of a contour lie in ``points``.
  ///
  /// - Precondition: The number is one of ``indices``.
  public func pointRange(of index: Int) -> Range<Int> {
    let node = nodes[index]
    return node.firstPoint..<node.firstPoint + node.pointCount
  }

  /// The contour that a contour lies in, or nil at the top level.
  ///
  /// - Precondition: The number is one of ``indices``.
  public func parent(of index: Int) -> Int? {
    nodes[index].parent < 0 ? nil : Int(nodes[index].parent)
  }

  /// The first of the contours that lie in a contour and in none of these, or nil.
  ///
  /// - Precondition: The number is one of ``indices``.
  public func firstChild(of index: Int) -> Int? {
    nodes[index].firstChild < 0 ? nil : Int(nodes[index].firstChild)
  }

  /// The next contour with the same parent, or nil.
  ///
  /// - Precondition: The number is one of ``indices``.
  public func nextSibling(of index: Int) -> Int? {
    nodes[index].nextSibling < 0 ? nil : Int(nodes[index].nextSibling)
  }

  /// Whether a contour is the border of a hole.
  ///
  /// - Precondition: The number is one of ``indices``.
  public func isHole(_ index: Int) -> Bool { nodes[index].isHole }

  /// How many contours a contour lies in.
  ///
  /// - Precondition: The number is one of ``indices``.
  public func depth(of index: Int) -> Int { Int(nodes[index].depth) }

  /// Says of which part of which picture the contours' pixels are a map.
  mutating func setImage(width: Double, height: Double, map: AffineMap) {
    imageWidth = width
    imageHeight = height
    imageMap = map
  }

  func siblings(from first: Int32) -> [Int] {
    var result: [Int] = []
    var index = first
    while index >= 0 {
      result.append(Int(index))
      index = nodes[Int(index)].nextSibling
    }
    return result
  }

  // MARK: - Building

  /// Forgets all contours and keeps the memory.
  mutating func reset(width: Int, height: Int) {
    nodes.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
    self.width = width
    self.height = height
    setImage(width: Double(width), height: Double(height), map: .identity)
    topLevelContourCount = 0
    lastTopLevel = -1
  }

  /// Starts a contour, whose points are appended from now on.
  ///
  /// - Parameters:
  ///   - isHole: Whether it is the border of a hole.
  ///   - neighbor: The contour whose edge is the last before its first one in that row, or -1. It is the
  ///     parent where it is of the other kind, and else has the same parent.
  /// - Returns: its number.
  mutating func addContour(isHole: Bool, neighbor: Int) -> Int32 {
    let index = Int32(truncatingIfNeeded: nodes.count)
    var parent: Int32 = -1
    if neighbor >= 0 {
      parent =
        nodes[neighbor].isHole == isHole
        ? nodes[neighbor].parent : Int32(truncatingIfNeeded: neighbor)
    }
    var depth: Int32 = 0
    var previous = lastTopLevel
    if parent >= 0 {
      let place = Int(parent)
      depth = nodes[place].depth + 1
      previous = nodes[place].lastChild
      nodes[place].lastChild = index
      nodes[place].childCount += 1
      if previous < 0 { nodes[place].firstChild = index }
    } else {
      lastTopLevel = index
      topLevelContourCount += 1
    }
    if previous >= 0 { nodes[Int(previous)].nextSibling = index }
    nodes.append(
      Node(
        firstPoint: points.count, pointCount: 0, parent: parent, depth: depth, isHole: isHole))
    return index
  }

  /// Adds points to the last contour.
  @unsafe
  mutating func append(_ first: UnsafeMutablePointer<ContourPoint>, count: Int) {
    unsafe points.append(contentsOf: UnsafeBufferPointer(start: first, count: count))
  }

  /// Ends the last contour.
  mutating func finishContour() {
    let last = nodes.count - 1
    nodes[last].pointCount = points.count - nodes[last].firstPoint
  }
}
