/// The rows of one component that are at hand: those of a few rows of units with their neighbours.
///
/// The rows come in groups, as many in every component: a group holds `groupRows` rows here and
/// `frame.maximumVertical` rows of the picture. Two groups precede the current ones, since output
/// stays a group behind to have the row below at hand, and one follows, for the last row's copy.
struct JPEGPlane {
  /// How the rows become as wide and as many as the picture's.
  enum Expansion {
    case none
    /// Half as wide: weights 3/4 and 1/4 of the nearer and the farther sample.
    case triangleHorizontal
    /// Half as high, likewise.
    case triangleVertical
    /// Half as wide and high, likewise in both directions.
    case triangle
    /// The sample at the same place.
    case nearest
  }

  /// Edge of the output of a block: 8, 4, 2 or 1.
  let blockSize: Int
  /// Samples that belong to the picture, in a row and in all.
  let width: Int
  let height: Int
  /// Rows of units that are at hand.
  let unitRows: Int
  /// Groups of rows in a row of units.
  let groupCount: Int
  let groupRows: Int
  /// Columns here to `horizontalGroup` columns of the picture.
  let groupColumns: Int
  let expansion: Expansion
  /// Bytes from row to row.
  let stride: Int
  let samples: JPEGMemory<UInt8>

  /// Room for `count` samples past the last row, which vectors may read.
  private static let slack = 64

  init(_ frame: JPEGFrame, component index: Int, scale: JPEGScale, unitRows: Int) {
    let component = frame.components[index]
    let minimum = scale.blockSize
    var size = minimum
    while size < 8,
      (frame.maximumHorizontal * minimum) % (component.horizontal * size * 2) == 0,
      (frame.maximumVertical * minimum) % (component.vertical * size * 2) == 0
    { size *= 2 }
    blockSize = size
    width = ceilingDivide(
      frame.width * component.horizontal * size, 8 * frame.maximumHorizontal)
    height = ceilingDivide(frame.height * component.vertical * size, 8 * frame.maximumVertical)
    self.unitRows = unitRows
    groupCount = minimum
    groupRows = component.vertical * size / minimum
    groupColumns = component.horizontal * size / minimum
    stride = frame.unitsWide * component.horizontal * size
    samples = JPEGMemory(count: stride * groupRows * (minimum * unitRows + 3) + Self.slack)

    let isWide = groupColumns == frame.maximumHorizontal
    let isHalfWide = groupColumns * 2 == frame.maximumHorizontal
    let isHigh = groupRows == frame.maximumVertical
    let isHalfHigh = groupRows * 2 == frame.maximumVertical
    let isSmooth = minimum > 1
    expansion =
      isWide && isHigh
      ? .none
      : isHalfWide && isHigh && isSmooth && width > 2
        ? .triangleHorizontal
        : isHalfWide && isHalfHigh && isSmooth && width > 2
          ? .triangle
          : isWide && isHalfHigh && isSmooth ? .triangleVertical : .nearest
  }

  /// The first row of a row of units at hand.
  func body(_ unitRow: Int = 0) -> UnsafeMutablePointer<UInt8> {
    unsafe group(unitRow * groupCount)
  }

  /// The first row of a group, counted from the first row of units at hand; at least -2.
  @inline(__always)
  func group(_ index: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe samples.base + (2 + index) * groupRows * stride
  }

  /// Copies the first row above itself, where the picture has none.
  func repeatFirstRow() {
    defer { withExtendedLifetime(self) {} }
    unsafe (body() - stride).update(from: body(), count: stride)
  }

  /// Copies the picture's last row over the rest.
  ///
  /// - Parameter unitRow: the first row of units at hand; the last one of the picture is at hand, too.
  func repeatLastRow(unitRow: Int) {
    defer { withExtendedLifetime(self) {} }
    let valid = height - unitRow * groupCount * groupRows
    let last = unsafe body() + (valid - 1) * stride
    for row in valid..<max(valid, (unitRows * groupCount + 1) * groupRows) {
      unsafe (body() + row * stride).update(from: last, count: stride)
    }
  }

  /// Makes the row of units behind the first `count` the first one at hand, with the groups before it.
  func advance(by count: Int) {
    defer { withExtendedLifetime(self) {} }
    let kept = 2 + (count < unitRows ? groupCount : 0)
    unsafe samples.base.update(
      from: group(count * groupCount - 2), count: kept * groupRows * stride)
  }
}
