/// An endless sequence of scenes from one seed.
public struct SceneSampler: Hashable, Sendable {
  private var random: SceneRandom
  /// What the scenes are like.
  public var options: SceneOptions

  /// A sampler whose sequence is fixed by the seed and the options.
  public init(seed: UInt64, options: SceneOptions = .training) {
    random = SceneRandom(seed: seed)
    self.options = options
  }

  /// The next scene.
  public mutating func next() -> DiceScene {
    DiceScene.random(seed: random.next(), options: options)
  }
}

extension DiceScene {
  /// A scene that is fixed by its seed and options.
  ///
  /// The same arguments give the same scene on every platform.
  public static func random(seed: UInt64, options: SceneOptions = .training) -> DiceScene {
    var builder = SceneBuilder(seed: seed, options: options.limited)
    return builder.build()
  }
}
