internal import DiceWeights

extension DetectionLoss {
  /// How far a die's centre may lie from the middle of a reader's input along either axis, as a
  /// share of ``NetworkDescription/readerDieSide``.
  static let readingReach: Float = 0.36
  /// Dice whose centre is farther away than this are not what the middle shows.
  static let beyondReadingReach: Float = 0.5
  /// How much larger or smaller than expected a die may be.
  static let readingSizeFactor: Float = 1.7
  /// Dice that are larger or smaller by more than this are not what the middle shows.
  static let beyondReadingSizeFactor: Float = 2.4

  /// What the cells of the one head are to learn: the middle one alone counts.
  ///
  /// It is given the die whose centre is nearest to it, if that is near enough and about as large as
  /// expected, and is background where no die comes near that; it does not count where that is in
  /// doubt.
  func assignForReading(_ truths: [TruthBox]) -> [[Role]] {
    heads.map { head in
      let (rows, columns) = (head.output.height, head.output.width)
      var roles = [Role](repeating: .ignored, count: rows * columns)
      let stride = Float(head.layer.stride)
      roles[rows / 2 * columns + columns / 2] = role(
        of: truths, x: Float(columns) / 2 * stride, y: Float(rows) / 2 * stride,
        side: head.layer.baseSize)
      return roles
    }
  }

  /// What a cell is to learn whose input shows a place with dice.
  private func role(of truths: [TruthBox], x: Float, y: Float, side: Float) -> Role {
    var role = Role.background
    var least = Float.infinity
    for (index, truth) in truths.enumerated() {
      let distance = max(abs(truth.centerX - x), abs(truth.centerY - y)) / side
      let ratio = max(truth.width, truth.height, 1) / side
      let factor = max(ratio, 1 / ratio)
      guard distance < min(least, Self.beyondReadingReach), factor < Self.beyondReadingSizeFactor
      else { continue }
      least = distance
      let isCertain =
        truth.classIndex != nil && distance < Self.readingReach && factor < Self.readingSizeFactor
      role = isCertain ? .die(index) : .ignored
    }
    return role
  }
}
