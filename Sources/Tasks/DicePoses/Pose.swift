public import DiceGeometry

/// Where the joints of one person are in one picture.
///
/// A value of fixed size: nothing is allocated for it.
public struct Pose: Hashable, Sendable {
  /// The place of a joint.
  public struct Point: Hashable, Sendable {
    /// Where it is, in pixels from the top left.
    public var location: PixelPoint
    /// How sure that is, above 0, at most 1.
    public var confidence: Float

    /// A place with its confidence.
    public init(_ location: PixelPoint, confidence: Float = 1) {
      self.location = location
      self.confidence = confidence
    }
  }

  /// The farthest a coordinate lies from 0, in pixels.
  public static let greatestCoordinate = 1e6

  // By the joints' raw values; a confidence of 0 means that the joint is missing, and its place is 0.
  package var xs = SIMD32<Float>(repeating: 0)
  package var ys = SIMD32<Float>(repeating: 0)
  package var confidences = SIMD32<Float>(repeating: 0)

  /// A pose without joints.
  public init() {}

  /// The place of a joint, with coordinates in single precision; nil where it is missing.
  ///
  /// Setting a place that is not finite or farther off than ``greatestCoordinate``, or one with a
  /// confidence that is not above 0, makes the joint missing; a confidence above 1 counts as 1.
  public subscript(joint: Joint) -> Point? {
    get {
      let index = Int(joint.rawValue)
      guard confidences[index] > 0 else { return nil }
      return Point(
        PixelPoint(x: Double(xs[index]), y: Double(ys[index])), confidence: confidences[index])
    }
    set {
      let index = Int(joint.rawValue)
      guard let newValue, newValue.confidence > 0,
        newValue.location.x.magnitude <= Self.greatestCoordinate,
        newValue.location.y.magnitude <= Self.greatestCoordinate
      else {
        (xs[index], ys[index], confidences[index]) = (0, 0, 0)
        return
      }
      xs[index] = Float(newValue.location.x)
      ys[index] = Float(newValue.location.y)
      confidences[index] = min(1, newValue.confidence)
    }
  }

  /// The joints that are there, in the order of ``Joint/allCases``.
  public var joints: [Joint] { Joint.allCases.filter { confidences[Int($0.rawValue)] > 0 } }

  /// The place of a joint, or what follows from others where it is missing.
  ///
  /// `neck` and `root` are the middles of shoulders and hips, `head` that of the eyes, ears and nose that
  /// are there. The confidence is the least of the joints used.
  public func derived(_ joint: Joint) -> Point? {
    if let point = self[joint] { return point }
    switch joint {
    case .neck: return middle(of: [.leftShoulder, .rightShoulder], needsAll: true)
    case .root: return middle(of: [.leftHip, .rightHip], needsAll: true)
    case .head:
      return middle(of: [.leftEar, .rightEar], needsAll: true)
        ?? middle(of: [.nose, .leftEye, .rightEye, .leftEar, .rightEar], needsAll: false)
    default: return nil
    }
  }

  private func middle(of joints: [Joint], needsAll: Bool) -> Point? {
    var (x, y, count, confidence) = (0.0, 0.0, 0.0, Float(1))
    for joint in joints {
      guard let point = self[joint] else {
        if needsAll { return nil }
        continue
      }
      x += point.location.x
      y += point.location.y
      count += 1
      confidence = min(confidence, point.confidence)
    }
    return count > 0 ? Point(PixelPoint(x: x / count, y: y / count), confidence: confidence) : nil
  }

  /// The pose of the person in a mirror: left and right are swapped, and `x` becomes `width - x`.
  public func mirrored(width: Double) -> Pose {
    var result = Pose()
    for joint in Joint.allCases {
      guard var point = self[joint] else { continue }
      point.location.x = width - point.location.x
      result[joint.mirrored] = point
    }
    return result
  }

  /// Without the joints whose confidence is below a bound.
  public func dropping(confidenceBelow bound: Float) -> Pose {
    var result = self
    for joint in joints where confidences[Int(joint.rawValue)] < bound { result[joint] = nil }
    return result
  }
}

#if !hasFeature(Embedded)
  extension Pose: CustomStringConvertible {
    /// The joints that are there with their places in pixels, for people who look at results:
    /// "neck (12.5, 80), leftWrist (40, 96.2)"; "no joints" where none is.
    public var description: String {
      func tenths(_ value: Double) -> String {
        let text = "\((value * 10).rounded() / 10)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
      }
      let places = joints.compactMap { (joint) -> String? in
        self[joint].map { "\(joint) (\(tenths($0.location.x)), \(tenths($0.location.y)))" }
      }
      return places.isEmpty ? "no joints" : places.joined(separator: ", ")
    }
  }

  extension Pose: Codable {
    private struct Entry: Codable {
      var x: Double
      var y: Double
      var confidence: Float
    }

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    /// Reads an object of joints by name: `{"leftWrist": {"x": 1, "y": 2, "confidence": 0.9}}`.
    ///
    /// - Throws: what the decoder throws; names that are no joints are passed over.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for joint in Joint.allCases {
        let key = Key(stringValue: joint.name)
        guard let entry = try container.decodeIfPresent(Entry.self, forKey: key) else { continue }
        self[joint] = Point(PixelPoint(x: entry.x, y: entry.y), confidence: entry.confidence)
      }
    }

    /// Writes an object of joints by name.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for joint in joints {
        guard let point = self[joint] else { continue }
        try container.encode(
          Entry(x: point.location.x, y: point.location.y, confidence: point.confidence),
          forKey: Key(stringValue: joint.name))
      }
    }
  }
#endif
