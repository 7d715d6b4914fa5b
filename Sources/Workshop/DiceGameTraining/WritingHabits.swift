package import DiceGameKit
package import DiceTraining

/// Ways to write the same ink that differ in more than the hand: where a stroke begins, which way it runs,
/// in how many pieces and in which order.
package struct WritingHabits: Sendable {
  package init() {}

  /// The strokes of a digit, written in another way: the ink stays where it is.
  ///
  /// A closed stroke begins anywhere; any stroke may run backwards, be lifted in the middle, or come
  /// earlier or later than the others.
  package func rewritten(
    _ paths: [InkPath], using random: inout TrainingRandom
  ) -> [InkPath] {
    var paths = paths.map { path in
      Self.isClosed(path) ? Self.begun(path, at: random.unit()) : path
    }
    for index in paths.indices where random.chance(0.4) {
      paths[index] = InkPath(paths[index].points.reversed())
    }
    if random.chance(0.4) { paths = lifted(paths, using: &random) }
    if paths.count > 1, random.chance(0.5) { paths.shuffle(using: &random) }
    return paths
  }

  /// Whether a stroke ends about where it begins.
  static func isClosed(_ path: InkPath) -> Bool {
    guard path.points.count > 4, let last = path.points.last else { return false }
    let side = max(path.size.x, path.size.y)
    return InkPath.norm(last - path.points[0]) < 0.15 * side && path.length > 2 * side
  }

  /// A closed stroke that begins at a share of its places, 0..<1.
  static func begun(_ path: InkPath, at share: Float) -> InkPath {
    let first = min(path.points.count - 1, Int(share * Float(path.points.count)))
    return InkPath(Array(path.points[first...] + path.points[..<first]))
  }

  /// Paths of which the longest is drawn in two pieces.
  private func lifted(_ paths: [InkPath], using random: inout TrainingRandom) -> [InkPath] {
    guard paths.count < 3,
      let longest = paths.indices.max(by: { paths[$0].length < paths[$1].length })
    else { return paths }
    let points = paths[longest].points
    guard points.count >= 8 else { return paths }
    let share = random.between(0.25, 0.75)
    let place = Int(share * Float(points.count))
    var pieces = [InkPath(Array(points[...place])), InkPath(Array(points[place...]))]
    for index in pieces.indices where random.chance(0.3) {
      pieces[index] = InkPath(pieces[index].points.reversed())
    }
    return Array(paths[..<longest]) + pieces + Array(paths[(longest + 1)...])
  }
}
