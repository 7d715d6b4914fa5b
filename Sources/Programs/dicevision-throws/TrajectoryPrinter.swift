internal import DiceFiles
internal import DiceNumerics
internal import DiceTrajectories

/// Sets trajectories out for people or for programs.
struct TrajectoryPrinter {
  let isJSON: Bool

  /// The whole text for a trajectory, line break included; nil for those that are not told.
  ///
  /// - Parameters:
  ///   - trajectory: A trajectory that the frame changed.
  ///   - frame: The frame's number.
  ///   - size: The upright picture's.
  func text(
    for trajectory: Trajectory, frame: Int, size: (width: Int, height: Int)
  ) -> String? {
    let speed = FlightMeasurement(trajectory, width: size.width, height: size.height)?.releaseSpeed
    guard isJSON else {
      return trajectory.state == .ended ? plainText(trajectory, speed) : nil
    }
    let object = JSONObject([
      JSONObject.Member(key: "event", value: .string("trajectory")),
      JSONObject.Member(key: "identity", value: JSONValue(trajectory.identity)),
      JSONObject.Member(key: "state", value: .string(trajectory.state.rawValue)),
      JSONObject.Member(key: "frame", value: JSONValue(frame)),
      JSONObject.Member(
        key: "points",
        value: .array(
          trajectory.points.map {
            .array([rounded($0.location.x, 5), rounded($0.location.y, 5)])
          })),
      JSONObject.Member(
        key: "frames", value: .array(trajectory.points.map { JSONValue($0.frame) })),
      JSONObject.Member(
        key: "coefficients",
        value: .array((0..<3).map { rounded(trajectory.equationCoefficients[$0], 6) })),
      JSONObject.Member(key: "confidence", value: rounded(trajectory.confidence, 4)),
      JSONObject.Member(key: "speed", value: speed.map { rounded($0, 3) } ?? .null),
    ])
    return String(decoding: JSONWriter.write(.object(object)), as: UTF8.self) + "\n"
  }

  private func rounded(_ value: Double, _ decimals: Int) -> JSONValue {
    .number(NumberText.rounded(value, decimals: decimals))
  }

  private func plainText(_ trajectory: Trajectory, _ speed: Double?) -> String {
    let times = trajectory.timeRange
    let (start, end) = (
      NumberText.fixed(times.lowerBound.inSeconds, decimals: 3),
      NumberText.fixed(times.upperBound.inSeconds, decimals: 3)
    )
    let told = speed.map { ", \(NumberText.fixed($0, decimals: 1)) m/s" } ?? ""
    return String(repeating: " ", count: max(0, 8 - start.count))
      + "\(start) s to \(end) s  trajectory \(trajectory.identity): "
      + "\(trajectory.points.count) points\(told)\n"
  }
}
