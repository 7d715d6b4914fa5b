internal import DiceFiles
internal import DiceGeometry

extension PoseSequence {
  /// The joints of a file that does not name them: those of the Penn Action data set.
  public static let defaultJoints: [Joint] = [
    .head, .rightShoulder, .leftShoulder, .rightElbow, .leftElbow, .rightWrist, .leftWrist,
    .rightHip, .leftHip, .rightKnee, .leftKnee, .rightAnkle, .leftAnkle,
  ]
  /// The confidence of a joint that a person placed without seeing it.
  public static let guessedConfidence: Float = 0.5
  /// The most bytes of a file.
  public static let fileByteLimit = 1 << 28
  /// The most frames of a sequence.
  public static let frameLimit = 100_000

  /// Reads JSON lines: one sequence a line; lines of space are passed over.
  ///
  /// ```
  /// {"id": "a", "fps": 30, "width": 480, "height": 270, "joints": ["head", ...],
  ///  "label": "overhand", "frames": [[[48, 52, 1], ...], ...]}
  /// ```
  ///
  /// A frame has for each joint `[x, y, confidence]`, `[x, y]` or null, in pixels. Where a sequence has no
  /// confidences but 0 and 1, they tell whether the joint is visible: a hidden one is somebody's guess
  /// (``guessedConfidence``). `[0, 0, 0]` is a missing joint. Without `joints` they are
  /// ``defaultJoints``; names that are not known are passed over. `fps`, `width`, `height` and `label` may be
  /// missing or null, and other members are passed over.
  ///
  /// - Throws: the first rule that is broken.
  public static func read(jsonLines bytes: [UInt8]) throws(PoseSequenceError) -> [PoseSequence] {
    guard bytes.count <= fileByteLimit else {
      throw .tooLarge(found: bytes.count, limit: fileByteLimit)
    }
    var result: [PoseSequence] = []
    var (start, line) = (0, 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      line += 1
      if bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        result.append(try PoseSequence(json: Array(bytes[start..<end]), line: line))
      }
      start = end + 1
    }
    return result
  }

  /// Reads one sequence.
  ///
  /// - Parameters:
  ///   - bytes: the text of one object, as in ``read(jsonLines:)``.
  ///   - line: the number that errors tell.
  /// - Throws: the first rule that is broken.
  public init(json bytes: [UInt8], line: Int = 1) throws(PoseSequenceError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.parse(
        bytes,
        limits: JSONLimits(byteCount: Self.fileByteLimit, depth: 8, valueCount: 10_000_000))
    } catch { throw .json(line: line, error) }
    guard case .object(let object) = value else {
      throw .notAnObject(line: line, found: value.kind)
    }
    let reader = MemberReader(object: object, line: line)
    id = try reader.id()
    framesPerSecond = try reader.number("fps", in: 0.1...10_000)
    width = Int(try reader.number("width", in: 0...1e6) ?? 0)
    height = Int(try reader.number("height", in: 0...1e6) ?? 0)
    label = try reader.text("label")
    poses = try reader.poses()
  }
}

/// The members of one line's object.
private struct MemberReader {
  let object: JSONObject
  let line: Int

  private func member(_ key: String) -> JSONValue? {
    guard let value = object[key], value != .null else { return nil }
    return value
  }

  func id() throws(PoseSequenceError) -> String {
    if let text = member("id")?.string { return text }
    if let number = member("id")?.integer { return "\(number)" }
    throw .member(line: line, key: "id", required: "text or a whole number")
  }

  func number(
    _ key: String, in range: ClosedRange<Double>
  ) throws(PoseSequenceError) -> Double? {
    guard let value = member(key) else { return nil }
    guard let number = value.number, range.contains(number) else {
      throw .member(
        line: line, key: key, required: "a number of \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func text(_ key: String) throws(PoseSequenceError) -> String? {
    guard let value = member(key) else { return nil }
    guard let text = value.string else { throw .member(line: line, key: key, required: "text") }
    return text
  }

  private func joints() throws(PoseSequenceError) -> [Joint?] {
    guard let value = member("joints") else { return PoseSequence.defaultJoints }
    guard let names = value.array, names.count <= 1000 else {
      throw .member(line: line, key: "joints", required: "a list of at most 1000 names")
    }
    var result: [Joint?] = []
    for name in names {
      guard let name = name.string else {
        throw .member(line: line, key: "joints", required: "a list of names")
      }
      let joint = Joint(name: name)
      if let joint, result.contains(joint) { throw .joints(line: line, reason: .twice) }
      result.append(joint)
    }
    if result.allSatisfy({ $0 == nil }) { throw .joints(line: line, reason: .noneKnown) }
    return result
  }

  func poses() throws(PoseSequenceError) -> [Pose] {
    let joints = try joints()
    guard let frames = member("frames")?.array else {
      throw .member(line: line, key: "frames", required: "a list of frames")
    }
    guard (1...PoseSequence.frameLimit).contains(frames.count) else {
      throw .frameCount(line: line, found: frames.count, limit: PoseSequence.frameLimit)
    }
    var poses = [Pose](repeating: Pose(), count: frames.count)
    // Places with a confidence of 0, which may be guesses.
    var guesses: [(frame: Int, joint: Joint, location: PixelPoint)] = []
    var hasShares = false
    for (index, frame) in frames.enumerated() {
      guard let entries = frame.array else {
        throw .member(line: line, key: "frames", required: "a list of lists")
      }
      guard entries.count == joints.count else {
        throw .jointCount(
          line: line, frame: index, found: entries.count, required: joints.count)
      }
      for (place, entry) in entries.enumerated() where entry != .null {
        guard let point = Self.point(entry) else {
          throw .point(line: line, frame: index, joint: place)
        }
        guard let joint = joints[place] else { continue }
        if point.confidence > 0 {
          if point.confidence < 1 { hasShares = true }
          poses[index][joint] = point
        } else if point.location.x != 0 || point.location.y != 0 {
          guesses.append((index, joint, point.location))
        }
      }
    }
    if !hasShares {
      for guess in guesses {
        poses[guess.frame][guess.joint] = Pose.Point(
          guess.location, confidence: PoseSequence.guessedConfidence)
      }
    }
    return poses
  }

  private static func point(_ entry: JSONValue) -> Pose.Point? {
    guard let numbers = entry.array, (2...3).contains(numbers.count),
      let x = numbers[0].number, x.magnitude <= Pose.greatestCoordinate,
      let y = numbers[1].number, y.magnitude <= Pose.greatestCoordinate
    else { return nil }
    if numbers.count == 2 { return Pose.Point(PixelPoint(x: x, y: y)) }
    guard let confidence = numbers[2].number, (0...1).contains(confidence) else { return nil }
    return Pose.Point(PixelPoint(x: x, y: y), confidence: Float(confidence))
  }
}
