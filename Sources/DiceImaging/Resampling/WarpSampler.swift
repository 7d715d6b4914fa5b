/// Samples a picture at places that need not lie along its rows and columns: a picture that is turned,
/// mirrored or sheared.
///
/// A place is sampled as ``InputSampler`` samples it, with the same ``TriangleFilter`` along the columns and
/// along the rows of the picture. Where a map from an input to a picture has the linear part
/// `[a b; c d]`, one step in the input moves the place by `√(a² + b²)` columns and `√(c² + d²)` rows at most;
/// these are the filter's steps. Without a turn they are those of ``InputSampler``, and so is the result, up
/// to the rounding of floats.
///
/// Training uses it. It looks up weights for each place anew, which is several times slower than tables for a
/// whole axis.
package struct WarpSampler: Hashable, Sendable {
  private let columns: TriangleFilter
  private let rows: TriangleFilter
  /// The most samples that count along either axis.
  private let tapCount: Int

  /// A sampler.
  ///
  /// - Parameters:
  ///   - columnStep: how many columns of the picture lie between neighbouring places.
  ///   - rowStep: how many rows.
  /// - Precondition: both are finite.
  package init(columnStep: Double, rowStep: Double) {
    columns = TriangleFilter(step: columnStep)
    rows = TriangleFilter(step: rowStep)
    tapCount = (2 * max(columns.reach, rows.reach)).ceiling
  }

  /// Places in a row, in pixels of a picture with a top-left origin.
  package struct Line: Hashable, Sendable {
    /// The first place.
    package var x: Double
    /// The first place.
    package var y: Double
    /// How far each place lies to the right of the one before.
    package var stepX: Double
    /// How far each place lies below the one before.
    package var stepY: Double

    /// Places in a row.
    package init(x: Double, y: Double, stepX: Double, stepY: Double) {
      (self.x, self.y, self.stepX, self.stepY) = (x, y, stepX, stepY)
    }
  }

  /// Samples the places of a line.
  ///
  /// - Parameters:
  ///   - line: the places.
  ///   - samples: red, green and blue of the picture, `[height, width, 3]`, and one byte more.
  ///   - width: columns of the picture, at least 1.
  ///   - height: rows of the picture, at least 1.
  ///   - colors: takes a colour for each place: red, green and blue in 0...255, not rounded, and 1; or zeros
  ///     where the place lies outside the picture. Places on its border do not.
  /// - Precondition: `samples` has `3 * width * height + 1` elements.
  package func sample(
    _ line: Line, of samples: [UInt8], width: Int, height: Int, into colors: inout [SIMD4<Float>]
  ) {
    precondition(
      width > 0 && height > 0 && samples.count == 3 * width * height + 1,
      "the samples must be those of the picture, and one more")
    unsafe samples.withUnsafeBytes { (samples) in
      let source = Source(base: unsafe samples.baseAddress!, width: width, height: height)
      // Loops of a length that the compiler knows, for pictures that are shrunk by up to two.
      switch tapCount <= min(width, height) ? tapCount : .max {
      case 2: fill(&colors, line, source) { weighted($0, $1, of: source, tapCount: 2) }
      case 3: fill(&colors, line, source) { weighted($0, $1, of: source, tapCount: 3) }
      case 4: fill(&colors, line, source) { weighted($0, $1, of: source, tapCount: 4) }
      default: fill(&colors, line, source) { weighted($0, $1, of: source) }
      }
    }
  }

  /// The samples of a picture, while they can be reached.
  @safe private struct Source {
    let base: UnsafeRawPointer
    let width: Int
    let height: Int

    /// Red, green, blue, and the byte behind.
    @inline(__always)
    func pixel(_ place: Int) -> SIMD4<Float> {
      SIMD4<Float>(unsafe base.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt8>.self))
    }
  }

  @inline(__always)
  private func fill(
    _ colors: inout [SIMD4<Float>], _ line: Line, _ source: Source,
    _ color: (_ x: Double, _ y: Double) -> SIMD4<Float>
  ) {
    let (width, height) = (Double(source.width), Double(source.height))
    for index in colors.indices {
      let x = line.x + Double(index) * line.stepX
      let y = line.y + Double(index) * line.stepY
      if x >= 0, y >= 0, x <= width, y <= height {
        var value = color(x, y)
        value.w = 1
        colors[index] = value
      } else {
        colors[index] = .zero
      }
    }
  }

  /// The colour at a place of a picture that is no smaller than the filter: of `tapCount` columns and rows, 4
  /// at most, that lie in the picture.
  @inline(__always)
  private func weighted(
    _ x: Double, _ y: Double, of source: Source, tapCount: Int
  ) -> SIMD4<Float> {
    let column = min(columns.firstSample(around: x), source.width &- tapCount)
    let row = min(rows.firstSample(around: y), source.height &- tapCount)
    let across = Self.weights(columns, first: column, center: x, tapCount: tapCount)
    let down = Self.weights(rows, first: row, center: y, tapCount: tapCount)
    var place = 3 &* (row &* source.width &+ column)
    var sum = SIMD4<Float>.zero
    for j in 0..<tapCount {
      var rowSum = SIMD4<Float>.zero
      for i in 0..<tapCount { rowSum += source.pixel(place &+ 3 &* i) * across[i] }
      sum += rowSum * down[j]
      place &+= 3 &* source.width
    }
    return sum / (across.sum() * down.sum())
  }

  /// The weights of four neighbours, of which those from `tapCount` on are zero.
  @inline(__always)
  private static func weights(
    _ filter: TriangleFilter, first: Int, center: Double, tapCount: Int
  ) -> SIMD4<Float> {
    let nearest = Float(Double(first) + 0.5 - center)
    let distances = SIMD4<Float>(0, 1, 2, 3) + nearest
    let lengths = distances.replacing(with: -distances, where: distances .< 0)
    var weights = 1 - lengths * Float(1 / filter.reach)
    weights.replace(with: 0, where: weights .< 0)
    for i in tapCount..<4 { weights[i] = 0 }
    return weights
  }

  /// The colour at a place of any picture.
  private func weighted(_ x: Double, _ y: Double, of source: Source) -> SIMD4<Float> {
    let columnRange = columns.samples(around: x, sampleCount: source.width)
    let rowRange = rows.samples(around: y, sampleCount: source.height)
    var (sum, across, down) = (SIMD4<Float>.zero, Float(0), Float(0))
    for column in columnRange { across += Float(columns.weight(column, x)) }
    for row in rowRange {
      var rowSum = SIMD4<Float>.zero
      for column in columnRange {
        let pixel = source.pixel(3 &* (row &* source.width &+ column))
        rowSum += pixel * Float(columns.weight(column, x))
      }
      let weight = Float(rows.weight(row, y))
      sum += rowSum * weight
      down += weight
    }
    return sum / (across * down)
  }
}
