extension DiceScene {
  /// A scene that is fixed by its seed and options.
  ///
  /// The same arguments give the same scene on every platform.
  public static func random(seed: UInt64, options: SceneOptions = .training) -> DiceScene {
    var builder = SceneBuilder(seed: seed, options: options.limited)
    return builder.build()
  }
}
