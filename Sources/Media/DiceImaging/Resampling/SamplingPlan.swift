internal import DiceGeometry

/// Which input pixels show the frame, and how they lie along the stored axes.
struct SamplingPlan: Hashable {
  /// A stored axis and the input pixels along it.
  struct Axis: Hashable {
    var shape: ResamplingAxis.Shape
    /// The input coordinates, of x or y, that lie along the axis.
    var outputs: Range<Int>
    /// Whether input coordinates fall where stored coordinates grow.
    var isReversed: Bool

    var count: Int { outputs.count }

    /// The input coordinate of output `i`, in stored order.
    func output(_ i: Int) -> Int {
      isReversed ? outputs.upperBound - 1 - i : outputs.lowerBound + i
    }

    /// - Parameters:
    ///   - outputs: The input coordinates.
    ///   - factor: How far the stored coordinate moves for each input pixel.
    ///   - offset: The stored coordinate of the input's origin.
    ///   - sourceCount: The number of stored samples along the axis.
    init(outputs: Range<Int>, factor: Double, offset: Double, sourceCount: Int) {
      self.outputs = outputs
      isReversed = factor < 0
      let start = Double(isReversed ? outputs.upperBound : outputs.lowerBound)
      shape = ResamplingAxis.Shape(
        origin: factor * start + offset, step: factor.magnitude, count: outputs.count,
        sourceCount: sourceCount)
    }
  }

  /// The input pixels that show the frame.
  var content: (x: Range<Int>, y: Range<Int>) { swapsAxes ? (y, x) : (x, y) }
  /// Whether stored columns become input rows.
  let swapsAxes: Bool
  let columns: Axis
  let rows: Axis

  private var x: Range<Int> { columns.outputs }
  private var y: Range<Int> { rows.outputs }

  init(_ transform: ImageTransform) {
    let box = transform.contentBox
    let x = Self.centers(from: box.minX, to: box.maxX, count: transform.inputWidth)
    let y = Self.centers(from: box.minY, to: box.maxY, count: transform.inputHeight)
    let map = transform.inputToStored
    swapsAxes = transform.orientation.swapsAxes
    columns = Axis(
      outputs: swapsAxes ? y : x, factor: swapsAxes ? map.b : map.a, offset: map.tx,
      sourceCount: transform.storedWidth)
    rows = Axis(
      outputs: swapsAxes ? x : y, factor: swapsAxes ? map.c : map.d, offset: map.ty,
      sourceCount: transform.storedHeight)
  }

  /// The pixels whose centres lie between two coordinates; the pixel around the middle where the
  /// coordinates are closer than that.
  private static func centers(from lower: Double, to upper: Double, count: Int) -> Range<Int> {
    let limit = Double(count)
    let first = min(max(lower - 0.5, 0), limit).ceiling
    let end = Int(min(max(upper + 0.5, 0), limit))
    if first < end { return first..<end }
    let middle = min(Int(min(max((lower + upper) / 2, 0), limit)), count - 1)
    return middle..<middle + 1
  }
}

extension Double {
  /// The smallest integer that is not below this number.
  ///
  /// - Precondition: the number is in the range of `Int`.
  package var ceiling: Int {
    let whole = Int(self)
    return Double(whole) < self ? whole + 1 : whole
  }
}
