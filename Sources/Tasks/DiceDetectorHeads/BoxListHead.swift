internal import DiceGeometry

/// Boxes in one list and their scores in another: SSD, and Create ML's detectors.
///
/// A row of the first list has four numbers of a box, a row of the second a number for each class, and
/// maybe one for the background before them. Boxes may be offsets from default boxes. With the default
/// box's centre `(u, v)` and size `(p, q)`, and the scales `(sy, sx, sh, sw)`:
///
///     centerX = x / sx * p + u      centerY = y / sy * q + v
///     width   = exp(w / sw) * p     height  = exp(h / sh) * q
///     confidence = score of the likeliest class
///
/// Sources: Liu et al., "SSD" (2016); `detection_postprocess.cc` of TensorFlow Lite, whose scales are
/// its options `y_scale`, `x_scale`, `h_scale` and `w_scale`; Core ML's `NonMaximumSuppression`.
public struct BoxListHead: Hashable, Sendable {
  /// What the four numbers of a box are; of an offset, what they stand for.
  public var format: BoxFormat
  /// What offsets are divided by: y, x, height, width; nil where boxes are no offsets.
  public var offsetScales: SIMD4<Float>?
  /// What the four numbers of a default box are.
  public var defaultFormat: BoxFormat
  /// The number of classes, without a background.
  public var classCount: Int
  /// Whether the first number of a row of scores is the background's.
  public var hasBackground: Bool
  /// How the numbers of classes become scores.
  public var scores: ScoreActivation

  /// Groups the parts.
  public init(
    format: BoxFormat, offsetScales: SIMD4<Float>? = nil,
    defaultFormat: BoxFormat = BoxFormat(order: .centerSizeRowsFirst, unit: .shares),
    classCount: Int, hasBackground: Bool = false, scores: ScoreActivation = .none
  ) {
    self.format = format
    self.offsetScales = offsetScales
    self.defaultFormat = defaultFormat
    self.classCount = classCount
    self.hasBackground = hasBackground
    self.scores = scores
  }

  /// The numbers of a row of scores.
  public var scoreCount: Int { classCount + (hasBackground ? 1 : 0) }

  /// Adds the boxes whose confidence is at least a threshold, as ``AnchorGridHead`` does.
  ///
  /// - Parameters:
  ///   - boxes: Four numbers for each box.
  ///   - scores: ``scoreCount`` numbers for each box.
  ///   - defaults: Four numbers for each default box; not looked at where boxes are no offsets.
  public func append(
    boxes: HeadValues, scores: HeadValues, defaults: HeadValues?, _ input: HeadInputSize,
    threshold: Float, output: Int, to candidates: inout [BoxCandidate]
  ) {
    let count = boxes.placeCount
    guard boxes.channels == 4, scores.channels == scoreCount, scores.placeCount == count,
      classCount > 0,
      offsetScales == nil || defaults?.channels == 4 && defaults?.placeCount == count
    else { return }
    for place in 0..<count {
      guard
        let best = self.scores.best(
          scores.numbers, from: place * scores.channels, count: scores.channels,
          ignoring: hasBackground ? 1 : 0), best.score >= threshold
      else { continue }
      let numbers = BoxFormat.four(boxes.numbers, at: 4 * place)
      let box: BoundingBox
      if let offsetScales, let defaults {
        box = Self.moved(
          defaultFormat.boundingBox(defaults.numbers, at: 4 * place, input), by: numbers,
          format.order, SIMD4<Double>(offsetScales))
      } else {
        box = format.boundingBox(numbers, input)
      }
      guard BoxCandidate.isUsable(box) else { continue }
      candidates.append(
        BoxCandidate(
          boundingBox: box, classIndex: best.index, confidence: best.score, output: output,
          place: place))
    }
  }

  /// A default box moved by the four numbers of an offset.
  private static func moved(
    _ box: BoundingBox, by numbers: SIMD4<Double>, _ order: BoxFormat.Order,
    _ scales: SIMD4<Double>
  ) -> BoundingBox {
    // y, x, height, width.
    let offset =
      (order == .centerSizeRowsFirst
        ? numbers : SIMD4(numbers[1], numbers[0], numbers[3], numbers[2])) / scales
    return BoundingBox(
      midX: offset[1] * box.width + box.midX, midY: offset[0] * box.height + box.midY,
      width: HeadFunctions.exponential(offset[3]) * box.width,
      height: HeadFunctions.exponential(offset[2]) * box.height)
  }
}
