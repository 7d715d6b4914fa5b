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
  /// One over the filters' reach.
  private let columnScale: Float
  private let rowScale: Float
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
    columnScale = Float(1 / columns.reach)
    rowScale = Float(1 / rows.reach)
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
  ///   - extent: how far the picture reaches; less than its columns or rows where the last ones are cut.
  ///   - colors: takes a colour for each place: red, green and blue in 0...255, not rounded, and a number
  ///     without meaning that is not negative; or zeros and -1 where the place lies outside the picture.
  ///     Places on its border do not.
  /// - Precondition: `samples` has `3 * width * height + 1` elements, and the extent is within the columns
  ///   and rows.
  package func sample(
    _ line: Line, of samples: [UInt8], width: Int, height: Int,
    extent: (width: Double, height: Double), into colors: inout [SIMD4<Float>]
  ) {
    precondition(
      width > 0 && height > 0 && samples.count == 3 * width * height + 1
        && extent.width <= Double(width) && extent.height <= Double(height),
      "the samples must be those of the picture, and one more")
    unsafe samples.withUnsafeBytes { (samples) in
      let source = unsafe Source(base: samples.baseAddress!, width: width, height: height)
      switch tapCount {
      case _ where max(tapCount, 8) > min(width, height):
        fill(&colors, line, extent) { weighted($0, $1, of: source) }
      case 2: fill(&colors, line, extent) { interpolated($0, $1, of: source) }
      case 3: fill(&colors, line, extent, source, Taps3.self)
      case 4: fill(&colors, line, extent, source, Taps4.self)
      case 5: fill(&colors, line, extent, source, Taps5.self)
      case 6: fill(&colors, line, extent, source, Taps6.self)
      case ...8: fill(&colors, line, extent, source, Taps8.self)
      default: fill(&colors, line, extent) { weighted($0, $1, of: source) }
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
    _ colors: inout [SIMD4<Float>], _ line: Line, _ extent: (width: Double, height: Double),
    _ color: (_ x: Double, _ y: Double) -> SIMD4<Float>
  ) {
    for index in colors.indices {
      let x = line.x + Double(index) * line.stepX
      let y = line.y + Double(index) * line.stepY
      if x >= 0, y >= 0, x <= extent.width, y <= extent.height {
        colors[index] = color(x, y)
      } else {
        colors[index] = SIMD4(0, 0, 0, -1)
      }
    }
  }

  /// Fills with loops of a length that the compiler knows.
  private func fill<Taps: TapCount>(
    _ colors: inout [SIMD4<Float>], _ line: Line, _ extent: (width: Double, height: Double),
    _ source: Source, _: Taps.Type
  ) {
    let count = Taps.count
    fill(&colors, line, extent) { weighted($0, $1, of: source, tapCount: count) }
  }

  /// The colour at a place of a picture of at least two columns and rows that is not shrunk: between the four
  /// nearest middles of pixels.
  @inline(__always)
  private func interpolated(_ x: Double, _ y: Double, of source: Source) -> SIMD4<Float> {
    let column = min(columns.firstSample(around: x), source.width &- 2)
    let row = min(rows.firstSample(around: y), source.height &- 2)
    // Beyond the outermost middles the filter has one sample.
    let across = Float(min(max(x - 0.5 - Double(column), 0), 1))
    let down = Float(min(max(y - 0.5 - Double(row), 0), 1))
    let place = 3 &* (row &* source.width &+ column)
    let below = place &+ 3 &* source.width
    let left = source.pixel(place)
    let first = left + (source.pixel(place &+ 3) - left) * across
    let leftBelow = source.pixel(below)
    let second = leftBelow + (source.pixel(below &+ 3) - leftBelow) * across
    return first + (second - first) * down
  }

  /// The colour at a place of a picture that is no smaller than the filter: of `tapCount` columns and rows,
  /// 3 to 8, that lie in the picture.
  @inline(__always)
  private func weighted(
    _ x: Double, _ y: Double, of source: Source, tapCount: Int
  ) -> SIMD4<Float> {
    let column = min(columns.firstSample(around: x), source.width &- tapCount)
    let row = min(rows.firstSample(around: y), source.height &- tapCount)
    let left = Float(Double(column) + 0.5 - x)
    let top = Float(Double(row) + 0.5 - y)
    let (columnScale, rowScale) = (columnScale, rowScale)
    /// The weight of a column, up to a factor.
    @inline(__always)
    func across(_ i: Int) -> Float {
      if i >= tapCount { return 0 }
      let weight = 1 - (left + Float(i)).magnitude * columnScale
      return weight > 0 ? weight : 0
    }
    // Written out, so that weights stay in registers.
    let (a, b, c, d) = (across(0), across(1), across(2), across(3))
    let (e, f, g, h) = (across(4), across(5), across(6), across(7))
    var place = 3 &* (row &* source.width &+ column)
    var sum = SIMD4<Float>.zero
    var down: Float = 0
    for j in 0..<tapCount {
      var rowSum = source.pixel(place) * a + source.pixel(place &+ 3) * b
      rowSum += source.pixel(place &+ 6) * c
      if tapCount > 3 { rowSum += source.pixel(place &+ 9) * d }
      if tapCount > 4 { rowSum += source.pixel(place &+ 12) * e }
      if tapCount > 5 { rowSum += source.pixel(place &+ 15) * f }
      if tapCount > 6 { rowSum += source.pixel(place &+ 18) * g }
      if tapCount > 7 { rowSum += source.pixel(place &+ 21) * h }
      let rest = 1 - (top + Float(j)).magnitude * rowScale
      let weight = rest > 0 ? rest : 0
      sum += rowSum * weight
      down += weight
      place &+= 3 &* source.width
    }
    return sum * (1 / (((a + b) + (c + d) + (e + f) + (g + h)) * down))
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

/// How many columns and rows count, as a type, so that each has code of its own.
private protocol TapCount {
  static var count: Int { get }
}

private enum Taps3: TapCount { static var count: Int { 3 } }
private enum Taps4: TapCount { static var count: Int { 4 } }
private enum Taps5: TapCount { static var count: Int { 5 } }
private enum Taps6: TapCount { static var count: Int { 6 } }
private enum Taps8: TapCount { static var count: Int { 8 } }
