import AnyDice
import DiceCodecs
import DiceEvaluation
import DiceVisionKit
import DiceWeights
import TestSupport
import Testing

/// The weights for dice of 4 to 20 sides.
@Suite struct AnyDiceTests {
  private static func annotations() throws -> [AnnotatedImage] {
    try AnnotationFile.parse(try Fixtures.bytes("any-dice/annotations.json"))
  }

  @Test func labelsAreTheFacesOfEveryKind() throws {
    let detector = try DiceDetector(.anyDice)
    var labels: Set<String> = []
    for kind in DieKind.allCases {
      for value in kind.values { labels.insert("\(kind.rawValue)-\(kind.face(for: value))") }
    }
    #expect(labels.count == 70 && Set(detector.labels) == labels)
  }

  @Test func fitIntoThreeMegabytes() throws {
    let weights = DetectorWeights.anyDice
    let secondStage = try #require(weights.secondStage)
    let reader = try #require(weights.numeralReader)
    let faces = try #require(weights.faceNetwork)
    #expect(
      weights.detector.count + secondStage.count + reader.count + faces.count <= 3_000_000)
  }

  @Test func readsRenderedScenes() throws {
    let detector = try DiceDetector(.anyDice)
    var right = 0
    var count = 0
    var other = 0
    for picture in try Self.annotations() {
      let found = try detector.detect(inImageFileAt: Fixtures.path("any-dice/\(picture.fileName)"))
      var isTaken = Set<Int>()
      for object in picture.objects where object.label != "?" {
        count += 1
        let match = found.indices.first { index in
          !isTaken.contains(index)
            && found[index].boundingBox.intersectionOverUnion(with: object.boundingBox) >= 0.5
            && found[index].label == object.label
        }
        guard let match else { continue }
        isTaken.insert(match)
        right += 1
        let die = found[match]
        expectEqual(object.label, "\(die.kind.rawValue)-\(die.face)")
      }
      other += found.count - isTaken.count
    }
    // Measured with AVX-512: 21 right and 8 others. Two may be other on another processor.
    #expect(count == 24 && right >= 19 && other <= 10, "\(right) of \(count), \(other) others")
  }

  @Test func kindsCanBeLeftOut() throws {
    var configuration = DiceDetector.Configuration()
    configuration.kinds = [.d20]
    let only = try DiceDetector(.anyDice, configuration: configuration)
    var kinds: Set<DieKind> = []
    for picture in try Self.annotations() {
      for die in try only.detect(inImageFileAt: Fixtures.path("any-dice/\(picture.fileName)")) {
        kinds.insert(die.kind)
      }
    }
    expectEqual(kinds, [.d20])
  }
}
