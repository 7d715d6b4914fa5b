public import DiceFiles

/// Which rule a file of joint sequences breaks, and in which line, counted from 1.
public enum PoseSequenceError: Error, Hashable, Sendable {
  /// A file has at most so many bytes.
  case tooLarge(found: Int, limit: Int)
  /// A line is a JSON text; its own line number is 1.
  case json(line: Int, JSONError)
  /// A line is an object.
  case notAnObject(line: Int, found: JSONValue.Kind)
  /// A member is there, and of the right kind.
  case member(line: Int, key: String, required: String)
  /// The names of joints are known ones at least in part, and none comes twice.
  case joints(line: Int, reason: JointRule)
  /// There is a frame, and not too many.
  case frameCount(line: Int, found: Int, limit: Int)
  /// A frame has one entry for each joint.
  case jointCount(line: Int, frame: Int, found: Int, required: Int)
  /// An entry is null, `[x, y]` or `[x, y, confidence]`, with coordinates in range and a confidence of
  /// 0...1.
  case point(line: Int, frame: Int, joint: Int)

  /// The rules about names of joints.
  public enum JointRule: String, Hashable, Sendable {
    /// One is known at least.
    case noneKnown = "none of the names is that of a known joint"
    /// A joint comes once.
    case twice = "a joint comes twice"
  }
}

extension PoseSequenceError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .tooLarge(let found, let limit):
      "The file has \(found) bytes; at most \(limit) are read."
    case .json(let line, let error): "Line \(line), column \(error.column): \(error.rule)."
    case .notAnObject(let line, let found):
      "Line \(line) is \(found.rawValue); a sequence is an object."
    case .member(let line, let key, let required):
      "Line \(line): \"\(key)\" must be \(required)."
    case .joints(let line, let reason): "Line \(line): \"joints\": \(reason.rawValue)."
    case .frameCount(let line, let found, let limit):
      "Line \(line) has \(found) frames; a sequence has 1 to \(limit)."
    case .jointCount(let line, let frame, let found, let required):
      "Line \(line), frame \(frame): there are \(found) entries for \(required) joints."
    case .point(let line, let frame, let joint):
      "Line \(line), frame \(frame), entry \(joint): a joint is null, [x, y] or [x, y, confidence], with "
        + "coordinates of at most \(Int(Pose.greatestCoordinate)) pixels and a confidence of 0 to 1."
    }
  }
}
