internal import DiceTraining

/// Sets of pictures to draw samples from.
public struct PictureCollection: Sendable {
  /// The pictures of a set and how often the set is drawn from, relative to the others' weights.
  public typealias Source = (pictures: [TrainingPicture], weight: Float)

  private let sets: [[TrainingPicture]]
  /// For each set, the sum of its weight and of those before it.
  private let cumulativeWeights: [Float]
  /// How many pictures each set has and how much it counts, as text.
  let identity: String

  /// A collection of sets; those without pictures or weight are passed over.
  ///
  /// - Throws: `VisionTrainingError.noPictures` where nothing is left.
  public init(_ sources: [Source]) throws(VisionTrainingError) {
    let usable = sources.filter { !$0.pictures.isEmpty && $0.weight > 0 }
    guard !usable.isEmpty else { throw .noPictures }
    sets = usable.map(\.pictures)
    var total: Float = 0
    cumulativeWeights = usable.map {
      total += $0.weight
      return total
    }
    identity = usable.map { "\($0.pictures.count) pictures, weight \($0.weight); " }.joined()
  }

  /// Draws a picture: a set by its weight, then any of its pictures.
  func pick(using random: inout TrainingRandom) -> TrainingPicture {
    let place = random.unit() * (cumulativeWeights.last ?? 0)
    let set = cumulativeWeights.firstIndex { place < $0 } ?? sets.count - 1
    return sets[set][random.index(sets[set].count)]
  }
}
