internal import DiceTraining
internal import DiceNumerics

/// Sets of pictures to draw samples from.
public struct PictureCollection: Sendable {
  /// The pictures of a set and how often the set is drawn from, relative to the others' weights.
  public typealias Source = (pictures: [TrainingPicture], weight: Float)

  private let sets: [[TrainingPicture]]
  /// For each set, the sum of its weight and of those before it.
  private let cumulativeWeights: [Float]
  /// The pictures, labels, proposals and weight of each set.
  let parts: [TrainingPart]

  /// A collection of sets; those without pictures or weight are passed over.
  ///
  /// - Parameters:
  ///   - sources: the sets.
  ///   - names: what each of them is called where something is said of it; "set 1" and so on where
  ///     there are none.
  /// - Throws: `VisionTrainingError.noPictures` where nothing is left.
  /// - Complexity: linear in the pixels of all pictures.
  public init(_ sources: [Source], names: [String] = []) throws(VisionTrainingError) {
    let usable = sources.indices.filter {
      !sources[$0].pictures.isEmpty && sources[$0].weight > 0
    }
    guard !usable.isEmpty else { throw .noPictures }
    sets = usable.map { sources[$0].pictures }
    var total: Float = 0
    cumulativeWeights = usable.map {
      total += sources[$0].weight
      return total
    }
    parts = usable.flatMap { index in
      Self.parts(
        of: sources[index], name: names.indices.contains(index) ? names[index] : "set \(index + 1)")
    }
  }

  private static func parts(of source: Source, name: String) -> [TrainingPart] {
    func part(
      _ what: String, _ fingerprint: (TrainingPicture) -> UInt64
    ) -> TrainingPart {
      var words: [UInt8] = []
      for picture in source.pictures {
        let word = fingerprint(picture)
        for shift in 0..<8 { words.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
      }
      return TrainingPart("\(what) \(name)", fingerprint: XXHash64.hash(words))
    }
    return [
      part("pictures in") { $0.pixelFingerprint },
      part("labels in") { XXHash64.hash(Array("\($0.truths)".utf8)) },
      part("proposals of the detector in") { XXHash64.hash(Array("\($0.proposals)".utf8)) },
      TrainingPart("weight of \(name)", fingerprint: UInt64(source.weight.bitPattern)),
    ]
  }

  /// Draws a picture: a set by its weight, then any of its pictures.
  func pick(using random: inout TrainingRandom) -> TrainingPicture {
    let place = random.unit() * (cumulativeWeights.last ?? 0)
    let set = cumulativeWeights.firstIndex { place < $0 } ?? sets.count - 1
    return sets[set][random.index(sets[set].count)]
  }
}
