import DiceVisionKit
import TestSupport
import Testing

@Suite struct DetectionResultTests {
  private func result(_ values: [Int]) -> DetectionResult {
    DetectionResult(
      observations: values.enumerated().map { (index, value) in
        DieObservation(
          identifier: UInt64(index),
          boundingBox: BoundingBox(x: Double(index) * 10, y: 0, width: 8, height: 8),
          uprightWidth: 100, uprightHeight: 50,
          labels: [ClassificationLabel(identifier: "\(value)", confidence: 1)], value: value,
          confidence: 0.5)
      }, uprightWidth: 100, uprightHeight: 50)
  }

  @Test func countsAndAdds() {
    let roll = result([2, 6, 2, 5])
    expectEqual(roll.values, [2, 6, 2, 5])
    #expect(roll.count == 4 && !roll.isEmpty)
    expectEqual(roll.sum, 15)
    expectEqual(roll.product, 120)
    expectEqual(roll.difference, 4)
    expectEqual(roll.histogram, [2: 2, 5: 1, 6: 1])
  }

  @Test func noDiceAreNoError() {
    let roll = result([])
    #expect(roll.isEmpty && roll.values == [] && roll.histogram == [:])
    #expect(roll.sum == 0 && roll.product == 1 && roll.difference == 0)
    expectEqual(result([4]).difference, 0)
  }

  @Test func numbersThatAreTooLargeDoNotTrap() {
    expectEqual(result(Array(repeating: 6, count: 24)).product, 4_738_381_338_321_616_896)
    expectEqual(result(Array(repeating: 6, count: 25)).product, nil)
    expectEqual(result(Array(repeating: 6, count: 40) + [0]).product, 0)
    expectEqual(result([.max, 1]).sum, .max)
    expectEqual(result([.min, -1]).sum, .min)
    expectEqual(result([.min, .max]).difference, .max)
  }

  @Test func ordersFromLeftToRightThenFromTopToBottom() throws {
    let blocks = [
      Block(value: 6, x: 8, y: 48, width: 8, height: 8),
      Block(value: 2, x: 24, y: 8, width: 8, height: 8),
      Block(value: 4, x: 24, y: 24, width: 8, height: 8),
      Block(value: 1, x: 24, y: 56, width: 8, height: 8),
      Block(value: 3, x: 56, y: 0, width: 8, height: 8),
    ]
    let image = PixelImage.blocks(blocks.reversed(), width: 64, height: 64)
    let result = try PatternNetwork().detector().detect(in: image)
    #expect(result.matches(blocks))
  }

  @Test func labelsAreSortedAndSumToOne() throws {
    let image = PixelImage.blocks(
      (1...6).map { Block(value: $0, x: 8 * $0, y: 8 * $0, width: 8, height: 8, brightness: 75) },
      width: 64, height: 64)
    let detector = try PatternNetwork().detector()
    let result = try detector.detect(
      in: image, thresholds: Thresholds(iouThreshold: 1, confidenceThreshold: 0))
    expectEqual(result.count, 64)
    for observation in result.observations {
      expectEqual(observation.labels.count, 6)
      expectEqual(Set(observation.labels.map(\.identifier)).count, 6)
      let sum = observation.labels.reduce(0) { $0 + $1.confidence }
      #expect(abs(sum - 1) < 1e-6)
      for (first, second) in zip(observation.labels, observation.labels.dropFirst()) {
        #expect(
          first.confidence > second.confidence
            || first.confidence == second.confidence && first.identifier < second.identifier)
      }
      expectEqual(observation.label, observation.labels[0].identifier)
      expectEqual(observation.confidence, observation.objectness * observation.labels[0].confidence)
    }
  }

  @Test func valuesAreTheLabelsIntegersOrElsePlaces() throws {
    let network = PatternNetwork(labels: ["10", "-3", "ace", "+4", "1234567890", "007"])
    let values = [10, -3, 3, 4, 5, 7]
    let image = PixelImage.blocks(
      (1...6).map { Block(value: $0, x: 8 * $0, y: 0, width: 8, height: 8) }, width: 64,
      height: 64)
    let result = try network.detector().detect(in: image)
    expectEqual(result.values, values)
    expectEqual(result.observations.map(\.label), network.labels.map(Optional.init))
    try expectEqual(
      network.detector().candidates(in: image).map(\.value), values)
  }

  @Test func identifiersTellObservationsApart() throws {
    let detector = try PatternNetwork().detector()
    var identifiers: Set<UInt64> = []
    for _ in 0..<10 {
      let result = try detector.detect(in: Layout.all[0].image)
      expectEqual(result.count, 6)
      for observation in result.observations {
        #expect(identifiers.insert(observation.id).inserted)
        expectEqual(observation.id, observation.identifier)
      }
    }
    expectEqual(identifiers.count, 60)
  }

  @Test func contentIsComparedWithoutIdentifiers() {
    let first = result([1, 2])
    var second = result([1, 2])
    for index in second.observations.indices { second.observations[index].identifier += 100 }
    second.timings.network = .seconds(1)
    #expect(first.hasSameContent(as: second))
    #expect(first.observations != second.observations)
    second.observations[1].confidence = 0.25
    #expect(!first.hasSameContent(as: second))
    #expect(!first.hasSameContent(as: result([1])))
    second = first
    second.uprightWidth = 99
    #expect(!first.hasSameContent(as: second))
  }

  @Test func timingsAddUp() throws {
    let result = try PatternNetwork().detector().detect(in: Layout.all[0].image)
    let timings = result.timings
    expectEqual(timings.imageDecoding, .zero)
    for stage in [timings.preparation, timings.network, timings.decoding, timings.suppression] {
      #expect(stage > .zero)
    }
    expectEqual(
      timings.total, timings.preparation + timings.network + timings.decoding + timings.suppression)
  }

  @Test func candidatesSayWhereTheyComeFrom() throws {
    let detector = try PatternNetwork().detector()
    let block = Block(value: 3, x: 32, y: 32, width: 16, height: 16)
    let image = PixelImage.blocks([block], width: 128, height: 96)
    for orientation in ImageOrientation.allCases {
      let candidates = try detector.candidates(in: image.stored(orientation))
      let candidate = try #require(candidates.first)
      expectEqual(candidates.count, 1)
      // Half the size, below a padding of 8 rows.
      expectEqual(candidate.inputBoundingBox, BoundingBox(x: 16, y: 24, width: 8, height: 8))
      expectEqual(candidate.boundingBox, block.box)
      #expect(candidate.column == 2 && candidate.row == 3 && candidate.headIndex == 0)
      #expect(candidate.value == 3 && candidate.labels[0].identifier == "3")
      expectEqual(candidate.confidence, candidate.objectness * candidate.labels[0].confidence)
    }
    let all = try detector.candidates(in: image, confidenceThreshold: 0)
    expectEqual(all.map(\.row), (0..<64).map { $0 / 8 })
    expectEqual(all.map(\.column), (0..<64).map { $0 % 8 })
  }
}
