/// The time of a call that was made many times.
package struct Timing {
  /// The median, in milliseconds.
  package let median: Double
  /// Half the distance of the quartiles, in milliseconds.
  package let spread: Double
  /// The shortest, in milliseconds.
  package let minimum: Double

  /// Groups the times of calls, in milliseconds; at least one.
  package init(milliseconds: [Double]) {
    let times = milliseconds.sorted()
    median =
      times.count.isMultiple(of: 2)
      ? (times[times.count / 2 - 1] + times[times.count / 2]) / 2 : times[times.count / 2]
    spread = (times[times.count * 3 / 4] - times[times.count / 4]) / 2
    minimum = times[0]
  }

  /// Calls `body` some times without a look at the clock, then `rounds` times with one.
  package init(rounds: Int, warm: Int = 5, _ body: () throws -> Void) rethrows {
    for _ in 0..<warm { try body() }
    var times: [Double] = []
    times.reserveCapacity(rounds)
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      try body()
      times.append(start.duration(to: .now).milliseconds)
    }
    self.init(milliseconds: times)
  }
}

extension Duration {
  package var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
  }
}
