extension BoundingBox {
  /// Whether the point lies inside, or on the left or top edge: `minX ≤ x < maxX`, `minY ≤ y < maxY`.
  ///
  /// The right and bottom edges belong to the neighbours, so that boxes side by side share no point.
  /// Nothing lies in an empty box, and a NaN lies in no box.
  public func contains(x: Double, y: Double) -> Bool {
    minX <= x && x < maxX && minY <= y && y < maxY
  }

  /// Whether the point lies inside, or on the left or top edge.
  public func contains(_ point: PixelPoint) -> Bool {
    contains(x: point.x, y: point.y)
  }

  /// The area that both boxes cover, or nil where they share none.
  ///
  /// Boxes that only touch share no area. Nil where a box is empty or improper.
  public func intersection(with other: BoundingBox) -> BoundingBox? {
    guard isProper, other.isProper, !isEmpty, !other.isEmpty else { return nil }
    let result = BoundingBox(
      minX: max(minX, other.minX), minY: max(minY, other.minY),
      maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    return result.isEmpty ? nil : result
  }

  /// The smallest box around both.
  ///
  /// Boxes of zero area count as the points or lines that they are. An improper box is left out, and
  /// where both are improper the result is `self`. Sizes that leave the range of `Double` become
  /// infinite.
  public func union(with other: BoundingBox) -> BoundingBox {
    guard other.isProper else { return self }
    guard isProper else { return other }
    return BoundingBox(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  /// The part of the box inside a frame: each edge is moved to the nearest place in the frame.
  ///
  /// A box beside the frame becomes one of zero width or height on the frame's border (``isEmpty``);
  /// ``intersection(with:)`` gives nil instead. Infinite edges are clipped as any other. A NaN edge,
  /// and any edge where the frame is improper, makes the result NaN.
  public func clipped(to frame: BoundingBox) -> BoundingBox {
    guard frame.isProper, !(x.isNaN || y.isNaN || maxX.isNaN || maxY.isNaN) else {
      return BoundingBox(x: .nan, y: .nan, width: .nan, height: .nan)
    }
    let left = min(max(minX, frame.minX), frame.maxX)
    let top = min(max(minY, frame.minY), frame.maxY)
    let right = min(max(maxX, frame.minX), frame.maxX)
    let bottom = min(max(maxY, frame.minY), frame.maxY)
    return BoundingBox(minX: left, minY: top, maxX: right, maxY: bottom)
  }
}

// MARK: - Measures of overlap

extension BoundingBox {
  /// The share of the area covered by either box that both cover: `|A ∩ B| / |A ∪ B|`, in 0…1.
  ///
  /// With `I = |A ∩ B|` and `|A ∪ B| = |A| + |B| − I`. All areas are taken from the corners, so that
  /// `I` never exceeds `|A|` or `|B|`; the result is symmetric to the last bit, and exactly 1 for a
  /// box with itself.
  ///
  /// 0 where the boxes only touch, or one of them is empty or improper (NaN, infinite, negative
  /// size): such a box does not even overlap itself. Areas that overflow or underflow `Double` do not
  /// matter: the ratio is then formed with scaled sizes.
  public func intersectionOverUnion(with other: BoundingBox) -> Double {
    guard isProper, other.isProper else { return 0 }
    return BoxOverlap(Corners(self), Corners(other)).intersectionOverUnion
  }

  /// Intersection over union, minus the share of the smallest enclosing box that neither covers:
  /// `GIoU = I / U − (C − U) / C`, in −1…1.
  ///
  /// `C` is the area of ``union(with:)``, the smallest box around both. Unlike intersection over
  /// union it still tells far apart from near where the boxes do not overlap. 1 exactly for a box of
  /// positive area with itself.
  ///
  /// An empty but proper box counts as the point or line that it is: `I / U` is 0 where `U` is 0, and
  /// `U / C` is 0 where `C` is 0. The result is −1, the lowest, where a box is improper.
  ///
  /// Source: Rezatofighi et al., "Generalized Intersection over Union", CVPR 2019, algorithm 2.
  public func generalizedIntersectionOverUnion(with other: BoundingBox) -> Double {
    guard isProper, other.isProper else { return -1 }
    return BoxOverlap(Corners(self), Corners(other)).generalizedIntersectionOverUnion
  }
}
