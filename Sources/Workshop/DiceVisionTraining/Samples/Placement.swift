internal import DiceImaging
internal import DiceTraining

/// A rectangle of the network's input, in whole pixels.
package struct MosaicTile: Hashable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  /// A rectangle.
  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }
}

/// The map from the network's input to a picture, and its inverse's linear part.
///
/// `picture = [a b; c d] (input - target) + source`
package struct Placement: Sendable {
  var a: Double
  var b: Double
  var c: Double
  var d: Double
  var targetX: Double
  var targetY: Double
  var sourceX: Double
  var sourceY: Double
  /// Picture pixels for each input pixel.
  var step: Double

  /// The placement that turns the picture by `angle` about `source`, scales it, and brings
  /// `source` to `target`: `input = R(angle) S (picture - source) + target`.
  ///
  /// - Parameters:
  ///   - scale: input pixels for each picture pixel.
  ///   - stretch: by how much more the width is scaled than the height.
  ///   - isMirrored: whether left and right change sides before the turn.
  package init(
    source: (x: Double, y: Double), target: (x: Double, y: Double), angle: Float, scale: Double,
    stretch: Float, isMirrored: Bool
  ) {
    let root = Double(stretch).squareRoot()
    let (scaleX, scaleY) = (scale * root * (isMirrored ? -1 : 1), scale / root)
    let (cosAngle, sinAngle) = (Double(cosine(angle)), Double(sine(angle)))
    (a, b) = (cosAngle / scaleX, sinAngle / scaleX)
    (c, d) = (-sinAngle / scaleY, cosAngle / scaleY)
    (targetX, targetY) = target
    (sourceX, sourceY) = source
    step = 1 / scale
  }

  /// Input pixels for each picture pixel.
  package var scale: Double { 1 / step }

  /// Where a point of the picture comes to lie in the input.
  package func transform(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let place = inverted(x - sourceX, y - sourceY)
    return (place.x + targetX, place.y + targetY)
  }

  /// Where the linear part's inverse brings a vector of the picture, in the input.
  func inverted(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let determinant = a * d - b * c
    return ((d * x - b * y) / determinant, (a * y - c * x) / determinant)
  }

  /// What samples a picture at this placement.
  var sampler: WarpSampler {
    WarpSampler(
      columnStep: (a * a + b * b).squareRoot(), rowStep: (c * c + d * d).squareRoot())
  }

  /// The places in the picture of the middles of a row's pixels.
  func line(row: Int, columns: Range<Int>) -> WarpSampler.Line {
    let dx = Double(columns.lowerBound) + 0.5 - targetX
    let dy = Double(row) + 0.5 - targetY
    return WarpSampler.Line(
      x: a * dx + b * dy + sourceX, y: c * dx + d * dy + sourceY, stepX: a, stepY: c)
  }

  /// The same placement of a picture of half the width and height.
  var halved: Placement {
    var placement = self
    placement.a /= 2
    placement.b /= 2
    placement.c /= 2
    placement.d /= 2
    placement.sourceX /= 2
    placement.sourceY /= 2
    placement.step /= 2
    return placement
  }

  /// The box of a die in the input, cut to a tile, or nil where too little is visible to be told from
  /// background.
  ///
  /// A die turned with its box keeps its extent along the axes as an ellipse does; the corners of a
  /// turned box would enclose far more than the die.
  ///
  /// - Parameter isReadable: whether a die shows its value, from the share of its box that is visible
  ///   and from the longer side of the whole box in the input.
  package func transform(
    _ truth: TruthBox, in tile: MosaicTile,
    isReadable: (_ visibleShare: Float, _ side: Float) -> Bool
  ) -> TruthBox? {
    let (x, y) = inverted(Double(truth.centerX) - sourceX, Double(truth.centerY) - sourceY)
    let (centerX, centerY) = (Float(x + targetX), Float(y + targetY))
    let ((ia, ic), (ib, id)) = (inverted(1, 0), inverted(0, 1))
    func extent(_ x: Double, _ y: Double) -> Float {
      let (across, down) = (x * Double(truth.width), y * Double(truth.height))
      return Float((across * across + down * down).squareRoot())
    }
    let (width, height) = (extent(ia, ib), extent(ic, id))
    let left = max(centerX - width / 2, Float(tile.columns.lowerBound))
    let right = min(centerX + width / 2, Float(tile.columns.upperBound))
    let top = max(centerY - height / 2, Float(tile.rows.lowerBound))
    let bottom = min(centerY + height / 2, Float(tile.rows.upperBound))
    guard right - left > 1, bottom - top > 1 else { return nil }
    let visible = (right - left) * (bottom - top) / (width * height)
    guard visible > 0.1 else { return nil }
    return TruthBox(
      centerX: (left + right) / 2, centerY: (top + bottom) / 2, width: right - left,
      height: bottom - top,
      classIndex: isReadable(visible, max(width, height)) ? truth.classIndex : nil,
      boxWeight: truth.boxWeight)
  }
}
