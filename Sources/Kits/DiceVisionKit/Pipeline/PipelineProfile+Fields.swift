internal import DiceDetection

extension PipelineProfile {
  /// One of the profile's numbers: its name, what it may be, and where it is kept.
  package struct Field: Sendable {
    /// The name, of ASCII letters and a dot.
    package let name: String
    /// What the number may be.
    package let range: ClosedRange<Double>
    /// The number is a multiple of this; 0 for any number.
    package let step: Double
    /// Puts a number in the field's place, if one is given, and returns what is there then.
    fileprivate let exchange: @Sendable (inout PipelineProfile, Double?) -> Double

    fileprivate init(
      _ name: String, _ range: ClosedRange<Double>, step: Double = 0,
      _ exchange: @escaping @Sendable (inout PipelineProfile, Double?) -> Double
    ) {
      self.name = name
      self.range = range
      self.step = step
      self.exchange = exchange
    }

    /// The number of a profile.
    package func value(of profile: PipelineProfile) -> Double {
      var profile = profile
      return exchange(&profile, nil)
    }
  }

  /// All numbers of a profile, in the order in which they are written down.
  package static let fields: [Field] = [
    Field("tiling.proposalConfidence", 0...1) { put($1, in: &$0.tiling.proposalConfidence) },
    Field("tiling.sureConfidence", 0...1) { put($1, in: &$0.tiling.sureConfidence) },
    Field("tiling.sideQuantile", 0...1) { put($1, in: &$0.tiling.sideQuantile) },
    Field("tiling.readableSide", 1...4096) { put($1, in: &$0.tiling.readableSide) },
    Field("tiling.wantedSide", 1...4096) { put($1, in: &$0.tiling.wantedSide) },
    Field("tiling.greatestSide", 1...4096) { put($1, in: &$0.tiling.greatestSide) },
    Field("tiling.greatestScale", 0.01...16) { put($1, in: &$0.tiling.greatestScale) },
    Field("tiling.leastGain", 1.01...16) { put($1, in: &$0.tiling.leastGain) },
    Field("tiling.blindGain", 1...16) { put($1, in: &$0.tiling.blindGain) },
    Field("tiling.blindScale", 0...16) { put($1, in: &$0.tiling.blindScale) },
    Field("tiling.greatestPassCount", 0...8, step: 1) {
      put($1, in: &$0.tiling.greatestPassCount)
    },
    Field("tiling.greatestLedPassCount", 0...8, step: 1) {
      put($1, in: &$0.tiling.greatestLedPassCount)
    },
    Field("tiling.tileSide", 64...4096, step: 32) { put($1, in: &$0.tiling.tileSide) },
    Field("tiling.tileOverlap", 0...2048, step: 1) { put($1, in: &$0.tiling.tileOverlap) },
    Field("tiling.greatestTileCount", 1...256, step: 1) {
      put($1, in: &$0.tiling.greatestTileCount)
    },
    Field("tiling.surroundings", 0...64) { put($1, in: &$0.tiling.surroundings) },
    Field("tiling.greatestSurroundings", 0...1) { put($1, in: &$0.tiling.greatestSurroundings) },
    Field("crops.proposalConfidence", 0...1) { put($1, in: &$0.crops.proposalConfidence) },
    Field("crops.proposalOverlap", 0...1) { put($1, in: &$0.crops.proposalOverlap) },
    Field("crops.secondCropObjectness", 0...1) { put($1, in: &$0.crops.secondCropObjectness) },
    Field("crops.certainConfidence", 0...1) { put($1, in: &$0.crops.certainConfidence) },
    Field("crops.certainOverlap", 0...1) { put($1, in: &$0.crops.certainOverlap) },
    Field("crops.certainReading", 0...1) { put($1, in: &$0.crops.certainReading) },
    Field("fusion.objectnessWeight", 0...1, step: 1 / Double(ScoreFusion.weightSteps)) {
      put($1, in: &$0.fusion.objectnessWeight)
    },
    Field("fusion.classWeight", 0...1, step: 1 / Double(ScoreFusion.weightSteps)) {
      put($1, in: &$0.fusion.classWeight)
    },
    Field("fusion.objectnessMargin", 1e-6...0.49) { put($1, in: &$0.fusion.objectnessMargin) },
    Field("fusion.leastProbability", 1e-6...0.99) { put($1, in: &$0.fusion.leastProbability) },
    Field("reading.objectnessWeight", 0...1, step: 1 / Double(ScoreFusion.weightSteps)) {
      put($1, in: &$0.reading.objectnessWeight)
    },
    Field("reading.classWeight", 0...1, step: 1 / Double(ScoreFusion.weightSteps)) {
      put($1, in: &$0.reading.classWeight)
    },
    Field("rescoring.leastConfidence", 0...1) { put($1, in: &$0.rescoring.leastConfidence) },
    Field("rescoring.greatestFactor", 0.001...1000) { put($1, in: &$0.rescoring.greatestFactor) },
    Field("rescoring.depth", 0...20) { put($1, in: &$0.rescoring.depth) },
    Field("rescoring.sizeSpread", 0.001...10) { put($1, in: &$0.rescoring.sizeSpread) },
    Field("rescoring.reach", 0.1...1000) { put($1, in: &$0.rescoring.reach) },
    Field("faces.leastObjectness", 0...1) { put($1, in: &$0.faces.leastObjectness) },
    Field("faces.leastLikeness", 0...1) { put($1, in: &$0.faces.leastLikeness) },
    Field("faces.sharpness", 0.1...1000) { put($1, in: &$0.faces.sharpness) },
  ]

  private static func put(_ new: Double?, in place: inout Double) -> Double {
    if let new { place = new }
    return place
  }

  private static func put(_ new: Double?, in place: inout Float) -> Double {
    if let new { place = Float(new) }
    return Double(place)
  }

  private static func put(_ new: Double?, in place: inout Int) -> Double {
    if let new { place = Int(new) }
    return Double(place)
  }
}

// MARK: - Named numbers

extension PipelineProfile {
  /// A number with its name, in the precision in which weight files keep it.
  package struct NamedValue: Hashable, Sendable {
    /// The field's name.
    package var name: String
    /// The number.
    package var value: Float

    /// A number with its name.
    package init(name: String, value: Float) {
      self.name = name
      self.value = value
    }
  }

  /// The profile as named numbers, in the order of ``fields``.
  package var values: [NamedValue] {
    var values: [NamedValue] = []
    values.reserveCapacity(Self.fields.count)
    for field in Self.fields {
      values.append(NamedValue(name: field.name, value: Float(field.value(of: self))))
    }
    return values
  }

  /// The numbers that belong to a detector's weights, those of tiled inference, or all others, which
  /// belong to a second stage's.
  package func values(ofSecondStage: Bool) -> [NamedValue] {
    let prefix = "tiling.".utf8
    return values.filter { $0.name.utf8.starts(with: prefix) != ofSecondStage }
  }

  /// A profile from named numbers; what is not named is as in ``bundled``.
  ///
  /// Each number stands for the decimal number of at most six places that rounds to it, where there
  /// is one.
  ///
  /// - Throws: ``PipelineProfileError``, whose case is the broken rule.
  package init(values: [NamedValue]) throws(PipelineProfileError) {
    self.init()
    var isGiven = [Bool](repeating: false, count: Self.fields.count)
    for named in values {
      guard let index = Self.index(of: named.name) else { throw .unknownName(named.name) }
      guard !isGiven[index] else { throw .repeatedName(named.name) }
      isGiven[index] = true
      let field = Self.fields[index]
      let value = Double(decimalOf: named.value)
      // NaN is in no range.
      guard field.range.contains(value) else {
        throw .outOfRange(name: field.name, value: value, allowed: field.range)
      }
      if field.step > 0, value / field.step != (value / field.step).rounded() {
        throw .notMultiple(name: field.name, value: value, of: field.step)
      }
      _ = field.exchange(&self, value)
    }
    try checkTogether()
  }

  /// Bytes are compared, which needs no Unicode tables.
  private static func index(of name: String) -> Int? {
    for index in 0..<fields.count where fields[index].name.utf8.elementsEqual(name.utf8) {
      return index
    }
    return nil
  }

  private func checkTogether() throws(PipelineProfileError) {
    guard 2 * tiling.tileOverlap <= tiling.tileSide else {
      throw .contradiction(rule: "tiling.tileOverlap must be at most half of tiling.tileSide")
    }
    guard tiling.readableSide <= tiling.wantedSide else {
      throw .contradiction(rule: "tiling.readableSide must be at most tiling.wantedSide")
    }
    guard tiling.wantedSide <= tiling.greatestSide else {
      throw .contradiction(rule: "tiling.wantedSide must be at most tiling.greatestSide")
    }
    guard tiling.greatestLedPassCount <= tiling.greatestPassCount else {
      throw .contradiction(
        rule: "tiling.greatestLedPassCount must be at most tiling.greatestPassCount")
    }
  }
}
