/// Parallel lines at places that are whole multiples of a period apart, as far as there are lines.
struct LinePeriod {
  /// Where a line lies.
  var phase: Double
  var period: Double
  /// The weight of the lines in agreement, less what chance would bring.
  var score: Double
}

/// Finds the periods of weighted lines along an axis.
struct LinePeriods {
  /// A line: segments at nearly the same place.
  struct Line {
    var place: Double
    var weight: Double
  }

  private(set) var lines: [Line] = []

  /// Joins segments to lines; `tolerance` is in the axis's unit.
  init(_ places: [(place: Double, weight: Double)], tolerance: Double) {
    var last = -Double.infinity
    for next in places.sorted(by: { $0.place < $1.place }) {
      if next.place - last <= tolerance, let line = lines.last,
        next.place - line.place <= 2 * tolerance
      {
        let weight = line.weight + next.weight
        lines[lines.count - 1] = Line(
          place: (line.place * line.weight + next.place * next.weight) / weight, weight: weight)
      } else {
        lines.append(Line(place: next.place, weight: next.weight))
      }
      last = next.place
    }
    if lines.count > 48 {
      lines = lines.sorted { $0.weight > $1.weight }.prefix(48).sorted { $0.place < $1.place }
    }
  }

  /// The periods with the highest scores, best first.
  func best(leastPeriod: Double, tolerance: Double, limit: Int) -> [LinePeriod] {
    guard lines.count >= 3 else { return [] }
    let strong = lines.indices.sorted { lines[$0].weight > lines[$1].weight }.prefix(16)
    let cap = 1.2 * lines[strong[strong.count / 2]].weight
    let total = lines.reduce(0) { $0 + min($1.weight, cap) }
    var found: [LinePeriod] = []
    for first in strong {
      for second in strong where lines[first].place < lines[second].place {
        let distance = lines[second].place - lines[first].place
        for part in 1...18 {
          let period = distance / Double(part)
          guard period >= leastPeriod else { break }
          let reach = min(tolerance, 0.15 * period)
          var sum = 0.0
          for line in lines {
            let steps = (line.place - lines[first].place) / period
            let error = abs(steps - steps.rounded()) * period
            if error < reach {
              sum += min(line.weight, cap) * (1 - error * error / (reach * reach))
            }
          }
          let score = sum - total * 4 / 3 * reach / period
          guard score > 0 else { continue }
          insert(
            LinePeriod(phase: lines[first].place, period: period, score: score), into: &found,
            tolerance: tolerance, limit: limit)
        }
      }
    }
    return found
  }

  private func insert(
    _ period: LinePeriod, into found: inout [LinePeriod], tolerance: Double, limit: Int
  ) {
    if let index = found.firstIndex(where: { other in
      guard abs(other.period - period.period) < 0.03 * other.period else { return false }
      let steps = (other.phase - period.phase) / other.period
      return abs(steps - steps.rounded()) * other.period < 2 * tolerance
    }) {
      guard found[index].score < period.score else { return }
      found.remove(at: index)
    }
    let place = found.firstIndex { $0.score < period.score } ?? found.count
    guard place < limit else { return }
    found.insert(period, at: place)
    if found.count > limit { found.removeLast() }
  }
}
