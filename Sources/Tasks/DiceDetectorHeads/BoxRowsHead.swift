/// A list of decoded boxes, each with its scores: what exporters of YOLO v5 to v12 write.
///
/// A row has four numbers of a box, then the objectness where there is one, then a number for each class:
///
///     confidence = objectness * score of the likeliest class
public struct BoxRowsHead: Hashable, Sendable {
  /// What the four numbers are.
  public var format: BoxFormat
  /// Whether a row has an objectness: v5 and v7 do, v8 and later do not.
  public var hasObjectness: Bool
  /// The number of classes.
  public var classCount: Int
  /// How the objectness and the numbers of classes become scores; the exporters have done it.
  public var scores: ScoreActivation

  /// Groups the parts.
  public init(
    format: BoxFormat = BoxFormat(), hasObjectness: Bool, classCount: Int,
    scores: ScoreActivation = .none
  ) {
    self.format = format
    self.hasObjectness = hasObjectness
    self.classCount = classCount
    self.scores = scores
  }

  /// The numbers of a row.
  public var channelCount: Int { (hasObjectness ? 5 : 4) + classCount }

  /// Adds the boxes whose confidence is at least a threshold, as ``AnchorGridHead`` does.
  public func append(
    _ values: HeadValues, _ input: HeadInputSize, threshold: Float, output: Int,
    to candidates: inout [BoxCandidate]
  ) {
    guard values.channels == channelCount, classCount > 0 else { return }
    let numbers = values.numbers
    for place in 0..<values.placeCount {
      let start = place * values.channels
      var objectness: Float = 1
      if hasObjectness {
        let raw = numbers[start + 4]
        objectness = scores == .none ? raw : HeadFunctions.sigmoid(raw)
        guard objectness >= threshold else { continue }
      }
      guard
        let best = scores.best(
          numbers, from: start + (hasObjectness ? 5 : 4), count: classCount),
        objectness * best.score >= threshold
      else { continue }
      let box = format.boundingBox(numbers, at: start, input)
      guard BoxCandidate.isUsable(box) else { continue }
      candidates.append(
        BoxCandidate(
          boundingBox: box, classIndex: best.index, confidence: objectness * best.score,
          objectness: objectness, output: output, place: place))
    }
  }
}

/// A list of results: rows of four numbers of a box, its confidence and the index of its class.
///
/// What models give that have suppressed boxes themselves, or need not: YOLOv10, exports "with NMS". Rows
/// whose class is none of the labels' are left out.
public struct DetectionRowsHead: Hashable, Sendable {
  /// What the four numbers are.
  public var format: BoxFormat
  /// The number of classes.
  public var classCount: Int

  /// Groups the parts.
  public init(
    format: BoxFormat = BoxFormat(order: .leftTopRightBottom), classCount: Int
  ) {
    self.format = format
    self.classCount = classCount
  }

  /// The numbers of a row.
  public var channelCount: Int { 6 }

  /// Adds the boxes whose confidence is at least a threshold, as ``AnchorGridHead`` does.
  public func append(
    _ values: HeadValues, _ input: HeadInputSize, threshold: Float, output: Int,
    to candidates: inout [BoxCandidate]
  ) {
    guard values.channels == channelCount else { return }
    let numbers = values.numbers
    for place in 0..<values.placeCount {
      let start = place * values.channels
      let confidence = numbers[start + 4]
      let label = numbers[start + 5].rounded()
      guard confidence >= threshold, label >= 0, label < Float(classCount) else { continue }
      let box = format.boundingBox(numbers, at: start, input)
      guard BoxCandidate.isUsable(box) else { continue }
      candidates.append(
        BoxCandidate(
          boundingBox: box, classIndex: Int(label), confidence: confidence, output: output,
          place: place))
    }
  }
}
