/// The duration in whole nanoseconds, rounded towards zero, at most 2^61 of them (73 years).
package func nanoseconds(_ duration: Duration) -> Int64 {
  let limit: Int64 = 1 << 61
  // Longer ones need not have components. In 64 bits, which `Int` has not everywhere.
  let longest = Duration(secondsComponent: limit / 1_000_000_000, attosecondsComponent: 0)
  guard duration < longest else { return limit }
  guard duration > .zero - longest else { return -limit }
  let (seconds, attoseconds) = duration.components
  return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}
