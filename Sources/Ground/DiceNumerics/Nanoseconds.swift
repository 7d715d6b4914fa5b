/// The duration in whole nanoseconds, rounded towards zero, at most 2^61 of them (73 years).
package func nanoseconds(_ duration: Duration) -> Int64 {
  // In 64 bits, which `Int` has not everywhere.
  let limit: Int64 = 1 << 61
  let (seconds, attoseconds) = duration.clampedComponents
  guard seconds.magnitude < limit / 1_000_000_000 else { return seconds < 0 ? -limit : limit }
  return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}

extension Duration {
  /// `components`, which traps beyond some 292 billion years; there it is the nearest duration's that has them.
  package var clampedComponents: (seconds: Int64, attoseconds: Int64) {
    guard self < Duration(secondsComponent: .max, attosecondsComponent: 0) else { return (.max, 0) }
    guard self > Duration(secondsComponent: -.max, attosecondsComponent: 0) else {
      return (-.max, 0)
    }
    return components
  }

  /// The duration in seconds, within ±2^63 of them.
  package var inSeconds: Double {
    let (seconds, attoseconds) = clampedComponents
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
