internal import DiceGeometry
internal import DiceImaging

/// A frame's luminance, upright, reduced by a whole factor and smoothed.
///
/// Samples are 16 times the luminance, 0...4080: means of boxes of pixels, smoothed by 1 2 1 on both axes,
/// so that a shift by a part of a sample changes them little.
struct ReducedPlane: Sendable {
  /// 16 times the luminance.
  static let unit = 16

  private(set) var width = 0
  private(set) var height = 0
  private(set) var samples: [Int16] = []

  /// Takes a size; the samples are 0 then.
  mutating func resize(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples.removeAll(keepingCapacity: true)
    samples.append(contentsOf: repeatElement(0, count: width * height))
  }

  /// Exchanges the samples with those of a plane of the same size.
  mutating func swap(with other: inout ReducedPlane) { Swift.swap(&self, &other) }

  /// Takes the samples of a plane of the same size, into memory of its own.
  mutating func copy(_ other: ReducedPlane) {
    for index in other.samples.indices { samples[index] = other.samples[index] }
  }

  /// Memory for a reduction.
  struct Workspace: Sendable {
    fileprivate var strip: [UInt8] = []
    fileprivate var sums: [Int16] = []
    fileprivate var boxes: [Int16] = []
  }

  /// Takes a frame's luminance, turned upright.
  ///
  /// - Parameters:
  ///   - frame: A frame whose upright size, divided by the factor and rounded down, is this plane's.
  ///   - orientation: How the stored rows are turned to stand upright.
  ///   - factor: How many pixels make a side of a box, at least 1.
  ///   - workspace: Memory to use again.
  mutating func update(
    from frame: borrowing RawFrame, orientation: ImageOrientation, factor: Int,
    _ workspace: inout Workspace
  ) {
    let swaps = orientation.swapsAxes
    let (columns, rows) = swaps ? (height, width) : (width, height)
    Self.grow(&workspace.strip, to: columns * factor * factor)
    Self.grow(&workspace.sums, to: columns * factor)
    Self.grow(&workspace.boxes, to: width * height)
    let steps = Self.steps(orientation, width: width, height: height)
    let scale = Float(Self.unit) / Float(factor * factor)
    for row in 0..<rows {
      frame.copyLuminance(
        into: &workspace.strip, columns: 0..<columns * factor,
        rows: row * factor..<(row + 1) * factor)
      Self.addRows(
        workspace.strip, into: &workspace.sums, count: columns * factor, rows: factor)
      unsafe workspace.sums.withUnsafeBufferPointer { (sums) in
        unsafe workspace.boxes.withUnsafeMutableBufferPointer { (boxes) in
          var target = steps.start + row * steps.row
          if factor == 2 {
            for column in 0..<columns {
              let sum = unsafe sums[2 &* column] &+ sums[2 &* column &+ 1]
              unsafe boxes[target] = sum &* 4
              target &+= steps.column
            }
          } else {
            for column in 0..<columns {
              var sum: Int32 = 0
              for index in column * factor..<(column + 1) * factor {
                sum &+= unsafe Int32(sums[index])
              }
              unsafe boxes[target] = Int16(Float(sum) * scale)
              target &+= steps.column
            }
          }
        }
      }
    }
    smooth(workspace.boxes)
  }

  private static func grow<Value: FixedWidthInteger>(_ values: inout [Value], to count: Int) {
    let missing = count - values.count
    if missing > 0 { values.append(contentsOf: repeatElement(0, count: missing)) }
  }

  private static func addRows(
    _ strip: [UInt8], into sums: inout [Int16], count: Int, rows: Int
  ) {
    unsafe strip.withUnsafeBufferPointer { (strip) in
      unsafe sums.withUnsafeMutableBufferPointer { (sums) in
        for index in 0..<count { unsafe sums[index] = Int16(strip[index]) }
        for row in 1..<max(rows, 1) {
          for index in 0..<count {
            unsafe sums[index] &+= Int16(strip[row &* count &+ index])
          }
        }
      }
    }
  }

  /// Where stored boxes go in the upright plane: the place of the first, and the steps to the next
  /// one in its row and to that in the next row.
  private static func steps(
    _ orientation: ImageOrientation, width: Int, height: Int
  ) -> (start: Int, column: Int, row: Int) {
    let (last, bottom) = (width - 1, (height - 1) * width)
    return switch orientation {
    case .up: (0, 1, width)
    case .upMirrored: (last, -1, width)
    case .down: (bottom + last, -1, -width)
    case .downMirrored: (bottom, 1, -width)
    case .leftMirrored: (0, width, 1)
    case .right: (last, width, -1)
    case .rightMirrored: (bottom + last, -width, -1)
    case .left: (bottom, -width, 1)
    }
  }

  /// Smooths boxes by 1 2 1 on both axes; the border repeats itself.
  private mutating func smooth(_ boxes: [Int16]) {
    let (width, height) = (width, height)
    unsafe boxes.withUnsafeBufferPointer { (boxes) in
      unsafe samples.withUnsafeMutableBufferPointer { (samples) in
        for row in 0..<height {
          let above = max(row - 1, 0) * width
          let below = min(row + 1, height - 1) * width
          let here = row * width
          for column in 0..<width {
            let sum =
              unsafe boxes[above &+ column] &+ 2 &* boxes[here &+ column]
              &+ boxes[below &+ column]
            unsafe samples[here &+ column] = sum >> 2
          }
          var before = unsafe samples[here]
          for column in 0..<width {
            let value = unsafe samples[here &+ column]
            let after = unsafe samples[here &+ min(column &+ 1, width &- 1)]
            unsafe samples[here &+ column] = (before &+ 2 &* value &+ after) >> 2
            before = value
          }
        }
      }
    }
  }
}
