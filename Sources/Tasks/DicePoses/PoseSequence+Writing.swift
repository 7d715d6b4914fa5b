internal import DiceFiles
internal import DiceGeometry

extension PoseSequence {
  /// The sequence as one line of JSON, which ``read(jsonLines:)`` reads: without a line break at its end.
  ///
  /// - Parameter decimals: the digits behind the point of coordinates and confidences, 0...6.
  /// - Returns: an object with the joints that occur in any frame; what is missing in a frame is null.
  public func jsonLine(decimals: Int = 2) -> [UInt8] {
    let decimals = min(max(decimals, 0), 6)
    func number(_ value: Double) -> JSONValue {
      .number(NumberText.rounded(value, decimals: decimals))
    }
    var joints = Joint.allCases.filter { joint in poses.contains { $0[joint] != nil } }
    if joints.isEmpty { joints = Self.defaultJoints }
    var members = [JSONObject.Member(key: "id", value: .string(id))]
    if let framesPerSecond {
      members.append(JSONObject.Member(key: "fps", value: .number(framesPerSecond)))
    }
    members.append(JSONObject.Member(key: "width", value: JSONValue(width)))
    members.append(JSONObject.Member(key: "height", value: JSONValue(height)))
    if let label { members.append(JSONObject.Member(key: "label", value: .string(label))) }
    members.append(
      JSONObject.Member(key: "joints", value: .array(joints.map { .string($0.name) })))
    members.append(
      JSONObject.Member(
        key: "frames",
        value: .array(
          poses.map { pose in
            .array(
              joints.map { joint in
                guard let point = pose[joint] else { return .null }
                return .array([
                  number(point.location.x), number(point.location.y),
                  .number(NumberText.rounded(Double(point.confidence), decimals: 3)),
                ])
              })
          })))
    return JSONWriter.write(.object(JSONObject(members)))
  }
}
