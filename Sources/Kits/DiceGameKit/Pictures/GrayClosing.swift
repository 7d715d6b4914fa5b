/// Fills what is darker than its surroundings and narrower than a square, and leaves edges where they
/// are: a morphological closing with a square.
///
/// A shadow's edge stays an edge, whereas lines of ink vanish.
enum GrayClosing {
  /// The closing of samples with a square of an odd side.
  ///
  /// - Complexity: O(pixels), whatever the side.
  static func closed(_ values: [Float], width: Int, height: Int, side: Int) -> [Float] {
    let reach = side / 2
    let greatest = filtered(values, width, height, reach) { max($0, $1) }
    return filtered(greatest, width, height, reach) { min($0, $1) }
  }

  /// The means of 3 by 3 samples; those beyond the picture are not counted.
  static func smoothed(_ values: [Float], width: Int, height: Int) -> [Float] {
    func averaged(_ values: [Float], _ lines: Int, _ count: Int, _ line: Int, _ step: Int)
      -> [Float]
    {
      var result = values
      for index in 0..<lines {
        for place in 0..<count {
          let middle = index * line + place * step
          var (sum, weight) = (values[middle], Float(1))
          if place > 0 { (sum, weight) = (sum + values[middle - step], weight + 1) }
          if place + 1 < count { (sum, weight) = (sum + values[middle + step], weight + 1) }
          result[middle] = sum / weight
        }
      }
      return result
    }
    let across = averaged(values, height, width, width, 1)
    return averaged(across, width, height, 1, width)
  }

  private static func filtered(
    _ values: [Float], _ width: Int, _ height: Int, _ reach: Int,
    _ pick: (Float, Float) -> Float
  ) -> [Float] {
    var result = values
    var line = [Float](repeating: 0, count: max(width, height))
    for row in 0..<height {
      for column in 0..<width { line[column] = result[row * width + column] }
      let extremes = extremes(line, count: width, reach: reach, pick)
      for column in 0..<width { result[row * width + column] = extremes[column] }
    }
    for column in 0..<width {
      for row in 0..<height { line[row] = result[row * width + column] }
      let extremes = extremes(line, count: height, reach: reach, pick)
      for row in 0..<height { result[row * width + column] = extremes[row] }
    }
    return result
  }

  /// The extreme of each place and those up to a reach away.
  ///
  /// Source: M. van Herk, A fast algorithm for local minimum and maximum filters, 1992.
  private static func extremes(
    _ line: [Float], count: Int, reach: Int, _ pick: (Float, Float) -> Float
  ) -> [Float] {
    let side = 2 * reach + 1
    var forward = [Float](repeating: 0, count: count)
    var backward = forward
    for place in 0..<count {
      forward[place] =
        place % side == 0 ? line[place] : pick(forward[place - 1], line[place])
    }
    for place in (0..<count).reversed() {
      backward[place] =
        (place + 1) % side == 0 || place + 1 == count
        ? line[place] : pick(backward[place + 1], line[place])
    }
    var result = forward
    for place in 0..<count {
      let (first, last) = (max(0, place - reach), min(count - 1, place + reach))
      // Both blocks, or the only one that the window lies in.
      result[place] =
        first / side == last / side
        ? whole(line, first, last, forward, backward, side, pick)
        : pick(backward[first], forward[last])
    }
    return result
  }

  /// The extreme of a window within one block: at an end of the line, or a whole block.
  private static func whole(
    _ line: [Float], _ first: Int, _ last: Int, _ forward: [Float], _ backward: [Float],
    _ side: Int, _ pick: (Float, Float) -> Float
  ) -> Float {
    if first % side == 0 { return forward[last] }
    if (last + 1) % side == 0 { return backward[first] }
    var extreme = line[first]
    for place in first...last { extreme = pick(extreme, line[place]) }
    return extreme
  }
}
