package import DiceDetectorHeads
internal import DiceNumerics

/// An output `[H, W, K]` that says for each of `K` joints how likely it lies at each place of a map.
///
/// Place `(u, v)` stands for the pixel of the input with the index `(u * width / W, v * height / H)`, whose middle is
/// half a pixel further right and down. The joint lies at the greatest number of its map, the first of several, moved
/// as ``Refinement`` says; that number is its confidence.
///
/// Source: Xiao et al., "Simple Baselines for Human Pose Estimation and Tracking", 2018.
package struct HeatmapHead: Hashable, Sendable {
  /// How a joint between places is found.
  package enum Refinement: Int, CaseIterable, Hashable, Sendable {
    /// It is not.
    case none = 0
    /// A quarter of a place towards the higher of two neighbours.
    case quarter = 1
    /// The peak of the parabola through the logarithm of the smoothed map: Zhang et al., "Distribution-Aware
    /// Coordinate Representation for Human Pose Estimation", 2020.
    case dark = 2
  }

  /// How a joint between places is found.
  package var refinement: Refinement

  /// A head.
  package init(refinement: Refinement) { self.refinement = refinement }

  /// Where a joint is by its map, the channel of its index.
  ///
  /// A map with a number that is not finite gives no place.
  ///
  /// - Precondition: there is such a channel.
  /// - Complexity: O(places).
  package func place(
    of joint: Int, in maps: HeadValues, _ input: HeadInputSize
  ) -> JointPlace {
    guard let peak = Peak(of: joint, in: maps) else { return .none }
    let map = Map(values: maps, channel: joint)
    let shift =
      switch refinement {
      case .none: SIMD2<Float>.zero
      case .quarter: map.quarter(at: peak)
      case .dark: map.taylor(at: peak)
      }
    return JointPlace(
      x: (Float(peak.column) + shift.x) * Float(input.width) / Float(maps.columns) + 0.5,
      y: (Float(peak.row) + shift.y) * Float(input.height) / Float(maps.rows) + 0.5,
      confidence: peak.value)
  }

  /// Where a joint is by its map and the offset at its peak, `[H, W, 2 K]` of y and then of x.
  ///
  /// Place `(u, v)` and its offset stand for the pixel with the index `(u * s + x, v * t + y)`, where the strides `s`
  /// and `t` bring the last place to the last pixel.
  ///
  /// Source: Papandreou et al., "PersonLab", 2018, and Google's PoseNet.
  ///
  /// - Precondition: there are such channels, and both outputs have the same places.
  package func place(
    of joint: Int, in maps: HeadValues, offsets: HeadValues, _ input: HeadInputSize
  ) -> JointPlace {
    guard let peak = Peak(of: joint, in: maps) else { return .none }
    let first = (peak.row * maps.columns + peak.column) * offsets.channels
    let (y, x) = (
      offsets.numbers[first + joint], offsets.numbers[first + maps.channels + joint]
    )
    func stride(_ length: Int, _ places: Int) -> Float {
      Float(length - 1) / Float(max(1, places - 1))
    }
    return JointPlace(
      x: Float(peak.column) * stride(input.width, maps.columns) + x + 0.5,
      y: Float(peak.row) * stride(input.height, maps.rows) + y + 0.5, confidence: peak.value)
  }

  /// The place with the greatest number of a map.
  private struct Peak {
    var row: Int
    var column: Int
    var value: Float

    /// Nil where the map has a number that is not finite.
    init?(of joint: Int, in maps: HeadValues) {
      var (best, place) = (-Float.infinity, 0)
      var index = joint
      for candidate in 0..<maps.placeCount {
        let value = maps.numbers[index]
        guard value.isFinite else { return nil }
        if value > best { (best, place) = (value, candidate) }
        index += maps.channels
      }
      guard best.isFinite else { return nil }
      (row, column, value) = (place / maps.columns, place % maps.columns, best)
    }
  }

  /// One map of many.
  private struct Map {
    let values: HeadValues
    let channel: Int

    subscript(row: Int, column: Int) -> Float {
      values.numbers[(row * values.columns + column) * values.channels + channel]
    }

    /// A quarter towards the higher neighbour; 0 at the edge, and between equals.
    func quarter(at peak: Peak) -> SIMD2<Float> {
      func step(_ before: Float, _ after: Float) -> Float {
        after > before ? 0.25 : after < before ? -0.25 : 0
      }
      let (row, column) = (peak.row, peak.column)
      var shift = SIMD2<Float>.zero
      if column > 0, column < values.columns - 1 {
        shift.x = step(self[row, column - 1], self[row, column + 1])
      }
      if row > 0, row < values.rows - 1 {
        shift.y = step(self[row - 1, column], self[row + 1, column])
      }
      return shift
    }

    /// The bell by which a map is smoothed: 11 places, a deviation of 2, as the makers have it for 64 x 48 places.
    private static let bell: [Float] = {
      let weights = (-5...5).map { exponential(-Float($0 * $0) / 8) }
      let sum = weights.reduce(0, +)
      return weights.map { $0 / sum }
    }()

    /// The logarithm of the smoothed map; outside it is 0.
    private func logarithm(_ row: Int, _ column: Int) -> Float {
      var sum: Float = 0
      for (dy, weight) in Self.bell.enumerated() {
        let v = row + dy - 5
        guard v >= 0, v < values.rows else { continue }
        var line: Float = 0
        for (dx, weight) in Self.bell.enumerated() {
          let u = column + dx - 5
          if u >= 0, u < values.columns { line += weight * self[v, u] }
        }
        sum += weight * line
      }
      return Float(naturalLogarithm(Double(max(sum, 1e-10))))
    }

    /// How far the peak of the parabola lies from the place; 0 near the edge, and where there is no peak within a
    /// place and a half.
    func taylor(at peak: Peak) -> SIMD2<Float> {
      let (row, column) = (peak.row, peak.column)
      guard column > 1, column < values.columns - 2, row > 1, row < values.rows - 2 else {
        return .zero
      }
      let middle = logarithm(row, column)
      let dx = (logarithm(row, column + 1) - logarithm(row, column - 1)) / 2
      let dy = (logarithm(row + 1, column) - logarithm(row - 1, column)) / 2
      let dxx = (logarithm(row, column + 2) - 2 * middle + logarithm(row, column - 2)) / 4
      let dyy = (logarithm(row + 2, column) - 2 * middle + logarithm(row - 2, column)) / 4
      let dxy =
        (logarithm(row + 1, column + 1) - logarithm(row - 1, column + 1)
          - logarithm(row + 1, column - 1) + logarithm(row - 1, column - 1)) / 4
      let determinant = dxx * dyy - dxy * dxy
      guard determinant > 0, dxx < 0 else { return .zero }
      let shift = SIMD2(dxy * dy - dyy * dx, dxy * dx - dxx * dy) / determinant
      guard max(shift.x.magnitude, shift.y.magnitude) <= 1.5 else { return .zero }
      return shift
    }
  }
}
