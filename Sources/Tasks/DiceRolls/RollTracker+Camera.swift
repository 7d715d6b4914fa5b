package import DiceGeometry

extension RollTracker {
  /// Where a fixed point of the table has moved in the picture since the first frame.
  ///
  /// What is kept less this offset can be drawn over later frames where it then lies.
  package var pictureOffset: PixelPoint { PixelPoint(x: camera.offsetX, y: camera.offsetY) }
}
