import BenchmarkSupport
import DiceFields
import DiceImaging

/// A frame's contours with their hierarchy, and their approximations, with memory that is used again.
struct ContourSteps {
  /// The greatest distance of a point that an approximation leaves out, in pixels.
  static let epsilon = 3.0

  /// Of each contour its parent or −1, the number of its approximation's corners, and their columns and
  /// rows.
  private(set) var result: [Int32] = []
  private let binarization: Binarization
  private var gray = GrayImage(width: 1, height: 1)
  private var binary = BinaryImage(width: 1, height: 1)
  private var binarizer = Binarizer()
  private var tracer = ContourTracer()
  private var tree = ContourTree()
  private var approximator = PolygonApproximator()

  /// - Throws: `WrongArgument` unless the threshold is `otsu` or `mean`.
  init(threshold: String) throws {
    switch threshold {
    case "otsu": binarization = .otsu
    case "mean": binarization = .adaptiveMean(blockSize: 51, offset: 10)
    default: throw WrongArgument("there is no threshold \(threshold)")
    }
  }

  mutating func run(_ frame: StoredFrame) {
    frame.withFrame { (frame) in gray.update(from: frame) }
    binarizer.binarize(gray, binarization, polarity: .darkOnLight, into: &binary)
    tracer.trace(binary, into: &tree)
    result.removeAll(keepingCapacity: true)
    for index in tree.indices {
      approximator.approximate(index, of: tree, epsilon: Self.epsilon)
      result.append(Int32(tree.parent(of: index) ?? -1))
      result.append(Int32(approximator.kept.count))
      let first = tree.pointRange(of: index).lowerBound
      for place in approximator.kept {
        let point = tree.points[first + place]
        result.append(Int32(point.column))
        result.append(Int32(point.row))
      }
    }
  }
}
