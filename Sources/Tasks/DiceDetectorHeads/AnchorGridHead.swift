internal import DiceGeometry

/// Boxes around anchors in the cells of grids: YOLO v2 to v5, v7, YOLOX, and this package's own heads.
///
/// Each cell has for each anchor `x, y, w, h, objectness` and a number for each class. With the cell's
/// `column`, the grid's `stride` and the anchor's width `a`, in pixels:
///
///     centerX = (column + offset(x)) * stride      centerY likewise with row and y
///     width   = a * factor(w)                      height likewise
///     confidence = objectness * score of the likeliest class
///
/// Sources: Redmon and Farhadi, "YOLO9000" (2016) and "YOLOv3" (2018); `yolo_layer.c` and
/// `region_layer.c` of darknet; `models/yolo.py` of YOLOv5; `yolox/models/yolo_head.py` of YOLOX.
public struct AnchorGridHead: Hashable, Sendable {
  /// Where a centre lies in its cell.
  public enum Offset: Hashable, Sendable {
    /// `scale * sigmoid(x) - (scale - 1) / 2`.
    case sigmoid(scale: Float)
    /// `scale * x - (scale - 1) / 2`: the network has taken the sigmoid.
    case linear(scale: Float)
  }

  /// How many times its anchor a box is.
  public enum SizeFactor: Hashable, Sendable {
    /// `exp(w)`.
    case exponential
    /// `exp(w)` with `w` limited to -4...4.
    case limitedExponential
    /// `(2 sigmoid(w))²`.
    case squaredSigmoid
    /// `(2 w)²`: the network has taken the sigmoid.
    case squared
  }

  /// Widths and heights, in pixels, or in cells where ``anchorsAreCells``.
  public var anchors: [SIMD2<Float>]
  /// Whether anchors count cells.
  public var anchorsAreCells = false
  /// The number of classes.
  public var classCount: Int
  /// Where centres lie.
  public var offset: Offset
  /// How large boxes are.
  public var sizeFactor: SizeFactor
  /// How the objectness is to be taken: as it is, or its sigmoid.
  public var objectness: ScoreActivation
  /// How the numbers of classes become scores.
  public var scores: ScoreActivation
  /// The strides of grids that are joined in one list; empty for a map.
  public var strides: [Float] = []

  /// Groups the parts.
  public init(
    anchors: [SIMD2<Float>], anchorsAreCells: Bool = false, classCount: Int, offset: Offset,
    sizeFactor: SizeFactor, objectness: ScoreActivation, scores: ScoreActivation,
    strides: [Float] = []
  ) {
    self.anchors = anchors
    self.anchorsAreCells = anchorsAreCells
    self.classCount = classCount
    self.offset = offset
    self.sizeFactor = sizeFactor
    self.objectness = objectness
    self.scores = scores
    self.strides = strides
  }

  /// The numbers of a cell: anchor by anchor.
  public var channelCount: Int { anchors.count * (5 + classCount) }

  /// Adds the boxes whose confidence is at least a threshold.
  ///
  /// Boxes that hold a NaN, are not finite or have no area are left out. Values of another shape than
  /// the head's give none.
  ///
  /// - Complexity: O(places * anchors + boxes * classes).
  public func append(
    _ values: HeadValues, _ input: HeadInputSize, threshold: Float, output: Int,
    to candidates: inout [BoxCandidate]
  ) {
    guard values.channels == channelCount, classCount > 0 else { return }
    let width = 5 + classCount
    GridLevels(strides: strides).forEachCell(of: values, input) { (place, level, row, column) in
      for (index, anchor) in anchors.enumerated() {
        let start = place * values.channels + index * width
        let numbers = values.numbers
        let raw = numbers[start + 4]
        let objectness = self.objectness == .none ? raw : HeadFunctions.sigmoid(raw)
        // Scores of classes are probabilities: none makes more of it.
        guard objectness >= threshold,
          let best = scores.best(numbers, from: start + 5, count: classCount),
          objectness * best.score >= threshold
        else { continue }
        let box = boundingBox(
          BoxFormat.four(numbers, at: start), anchor, level, row: row, column: column)
        guard BoxCandidate.isUsable(box) else { continue }
        candidates.append(
          BoxCandidate(
            boundingBox: box, classIndex: best.index, confidence: objectness * best.score,
            objectness: objectness, output: output, place: place * anchors.count + index))
      }
    }
  }

  private func boundingBox(
    _ t: SIMD4<Double>, _ anchor: SIMD2<Float>, _ level: GridLevels.Level, row: Int, column: Int
  ) -> BoundingBox {
    var width = Double(anchor.x) * factor(t[2])
    var height = Double(anchor.y) * factor(t[3])
    if anchorsAreCells {
      width *= level.columnStride
      height *= level.rowStride
    }
    return BoundingBox(
      midX: (Double(column) + place(t[0])) * level.columnStride,
      midY: (Double(row) + place(t[1])) * level.rowStride, width: width, height: height)
  }

  private func place(_ t: Double) -> Double {
    switch offset {
    case .sigmoid(let scale):
      Double(scale) * HeadFunctions.sigmoid(t) - (Double(scale) - 1) / 2
    case .linear(let scale): Double(scale) * t - (Double(scale) - 1) / 2
    }
  }

  private func factor(_ t: Double) -> Double {
    switch sizeFactor {
    case .exponential: return HeadFunctions.exponential(t)
    case .limitedExponential: return HeadFunctions.exponential(t < -4 ? -4 : t > 4 ? 4 : t)
    case .squaredSigmoid:
      let side = 2 * HeadFunctions.sigmoid(t)
      return side * side
    case .squared: return 4 * t * t
    }
  }
}
