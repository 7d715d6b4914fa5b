import DiceVisionWeights
import DiceNetwork
import DiceDrawing
import DiceGameWeights
import DiceImaging
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct DigitClassifierTests {
  /// A digit of the drawing module's typeface, drawn with a pen of about three samples and placed as
  /// MNIST places its digits.
  static func drawn(_ digit: Int) throws -> DigitBitmap {
    let scale = 8
    let side = DigitBitmap.side * scale
    var canvas = Canvas(width: side, height: side, color: PixelColor(red: 0, green: 0, blue: 0))
    let size = 27.0 * Double(scale)
    let width = Canvas.width(of: "\(digit)", size: size, weight: .regular)
    let height = Canvas.capHeight(size: size, weight: .regular)
    canvas.drawText(
      "\(digit)",
      at: PixelPoint(x: (Double(side) - width) / 2, y: (Double(side) + height) / 2), size: size,
      weight: .regular, color: PixelColor(red: 255, green: 255, blue: 255))
    let small = canvas.image.resized(width: DigitBitmap.side, height: DigitBitmap.side)
    let samples = (0..<DigitBitmap.side * DigitBitmap.side).map { place in
      small.color(column: place % DigitBitmap.side, row: place / DigitBitmap.side).red
    }
    return try #require(DigitBitmap(samples: samples))
  }

  @Test func readsDrawnDigits() throws {
    let classifier = try DigitClassifier()
    var rightCount = 0
    for digit in 0...9 {
      let prediction = try classifier.classify(Self.drawn(digit))
      if prediction.digit == digit { rightCount += 1 }
      let sum = prediction.probabilities.reduce(0, +)
      #expect(abs(sum - 1) < 1e-5)
      expectEqual(prediction.probabilities[prediction.digit], prediction.confidence)
    }
    // The typeface's 1 has a foot and a flag, which few people draw.
    #expect(rightCount >= 9)
  }

  @Test func givesTheSameAtOnceOnManyThreads() async throws {
    let classifier = try DigitClassifier()
    let bitmaps = try (0...9).map { try Self.drawn($0) }
    let alone = try bitmaps.map { try classifier.classify($0) }
    let together = try await withThrowingTaskGroup(of: (Int, DigitPrediction).self) { group in
      for round in 0..<40 {
        group.addTask { (round % 10, try classifier.classify(bitmaps[round % 10])) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(together.count, 40)
    for (digit, prediction) in together { expectEqual(prediction, alone[digit]) }
  }

  @Test func theLibrarysWeightsAreSmallAndAsTheGeneratorMakesThem() throws {
    #expect(GameWeights.digits.count < 300_000)
    let file = try WeightFile(bytes: GameWeights.digits)
    expectEqual(file.description.task, DigitClassifier.task)
    #expect(file.description.provenance.contains { $0.key == "credit" })
    let source = Fixtures.folder.deletingLastPathComponent()
      .appending(path: "Sources/Kits/DiceGameWeights/DigitWeights.swift")
    let isWhatIsMade =
      try String(contentsOf: source, encoding: .utf8)
      == BundledWeights.sourceFile(for: GameWeights.digits, constant: "digitWeights")
    #expect(isWhatIsMade)
  }

  @Test func namesTheRuleThatANetworkBreaks() throws {
    let file = try WeightFile(bytes: GameWeights.digits)
    func error(_ change: (inout NetworkDescription) -> Void) throws -> DigitClassifierError? {
      var description = file.description
      change(&description)
      let bytes = try file.with(description: description).bytes
      do throws(DigitClassifierError) {
        _ = try DigitClassifier(weights: bytes)
        return nil
      } catch { return error }
    }
    let shape = TensorShape(height: 28, width: 28, channels: 1)
    try expectEqual(
      error { $0.inputs[0].content = .tensor }, .input(found: shape, required: shape))
    try expectEqual(
      error { $0.outputs[0].head = nil }, .head(.noHead(output: "digit")))
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    try expectEqual(
      error { $0.outputs[0].head = ClassHead.head(labels: letters) }, .labels(found: letters))
    #expect(throws: DigitClassifierError.self) { try DigitClassifier(weights: []) }
  }

  @Test func bitmapsHaveTheirSize() {
    expectEqual(DigitBitmap(samples: []), nil)
    expectEqual(DigitBitmap(samples: [UInt8](repeating: 0, count: 785)), nil)
    var samples = [UInt8](repeating: 0, count: 784)
    samples[3 * 28 + 5] = 9
    expectEqual(DigitBitmap(samples: samples)?[3, 5], 9)
  }

  @Test func theSmallerOfEquallyLikelyDigitsWins() {
    let prediction = DigitPrediction(
      probabilities: [0, 0, 0.4, 0, 0, 0.4, 0.2, 0, 0, 0])
    expectEqual(prediction.digit, 2)
    expectEqual(prediction.description, "2, 40.0 %")
    let nothing = DigitPrediction(probabilities: [Float](repeating: .nan, count: 10))
    expectEqual(nothing.description, "0, nan %")
  }
}
