/// Every orientation is a transposition or none, followed by a mirroring of each upright axis or none:
///
///     (x, y) ↦ flip(transpose(x, y)),  with the sizes of the upright picture for flipping
extension ImageOrientation {
  /// Whether upright x runs against the stored axis that it comes from.
  var flipsX: Bool {
    switch self {
    case .upMirrored, .down, .right, .rightMirrored: true
    case .up, .downMirrored, .leftMirrored, .left: false
    }
  }

  /// Whether upright y runs against the stored axis that it comes from.
  var flipsY: Bool {
    switch self {
    case .down, .downMirrored, .rightMirrored, .left: true
    case .up, .upMirrored, .leftMirrored, .right: false
    }
  }

  init(swapsAxes: Bool, flipsX: Bool, flipsY: Bool) {
    self =
      switch (swapsAxes, flipsX, flipsY) {
      case (false, false, false): .up
      case (false, true, false): .upMirrored
      case (false, true, true): .down
      case (false, false, true): .downMirrored
      case (true, false, false): .leftMirrored
      case (true, true, false): .right
      case (true, true, true): .rightMirrored
      case (true, false, true): .left
      }
  }

  /// Whether the stored picture is a mirror image (an even EXIF value up to 4, an odd one from 5).
  public var isMirrored: Bool { swapsAxes != (flipsX != flipsY) }

  /// The orientation that undoes this one.
  ///
  /// `.right` and `.left` undo each other, all others themselves.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }

  /// The orientation that does what this one does and then what the next one does.
  ///
  /// The eight orientations are the symmetries of the square: the order matters, `.up` changes nothing,
  /// and an orientation followed by its ``inverse`` is `.up`.
  public func followed(by next: ImageOrientation) -> ImageOrientation {
    ImageOrientation(
      swapsAxes: swapsAxes != next.swapsAxes,
      flipsX: next.flipsX != (next.swapsAxes ? flipsY : flipsX),
      flipsY: next.flipsY != (next.swapsAxes ? flipsX : flipsY))
  }
}

// MARK: - Coordinates

extension ImageOrientation {
  /// The size of the upright picture: the stored size, with the sides swapped where
  /// ``swapsAxes`` says so.
  public func uprightSize(storedWidth: Int, storedHeight: Int) -> (width: Int, height: Int) {
    swapsAxes ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
  }

  /// The map from stored to upright pixel coordinates.
  ///
  /// With the stored width `W` and height `H`, `(x, y)` lands on
  ///
  ///     up (x, y)            leftMirrored  (y, x)
  ///     upMirrored (W−x, y)  right         (H−y, x)
  ///     down (W−x, H−y)      rightMirrored (H−y, W−x)
  ///     downMirrored (x, H−y)  left        (y, W−x)
  public func storedToUpright(storedWidth: Double, storedHeight: Double) -> AffineMap {
    let alongX = flipsX ? -1.0 : 1.0
    let alongY = flipsY ? -1.0 : 1.0
    let uprightWidth = swapsAxes ? storedHeight : storedWidth
    let uprightHeight = swapsAxes ? storedWidth : storedHeight
    return AffineMap(
      a: swapsAxes ? 0 : alongX, b: swapsAxes ? alongX : 0,
      c: swapsAxes ? alongY : 0, d: swapsAxes ? 0 : alongY,
      tx: flipsX ? uprightWidth : 0, ty: flipsY ? uprightHeight : 0)
  }

  /// The map from upright back to stored pixel coordinates, for a picture of the given stored size.
  public func uprightToStored(storedWidth: Double, storedHeight: Double) -> AffineMap {
    inverse.storedToUpright(
      storedWidth: swapsAxes ? storedHeight : storedWidth,
      storedHeight: swapsAxes ? storedWidth : storedHeight)
  }

  /// The column and row in the upright picture of a stored pixel.
  ///
  /// The whole-number form of ``storedToUpright(storedWidth:storedHeight:)`` for pixel centres.
  /// Columns and rows outside the picture land outside it, as long as no number overflows `Int`.
  public func uprightPixel(
    column: Int, row: Int, storedWidth: Int, storedHeight: Int
  ) -> (column: Int, row: Int) {
    let (width, height) = uprightSize(storedWidth: storedWidth, storedHeight: storedHeight)
    let (x, y) = swapsAxes ? (row, column) : (column, row)
    return (flipsX ? width - 1 - x : x, flipsY ? height - 1 - y : y)
  }
}
