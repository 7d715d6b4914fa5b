import AnyDice
import DiceCodecs
import DiceGeometry
import DiceImaging
import DiceNumerics
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceVisionKit

/// Faces that are taught by showing.
@Suite struct FaceSetTests {
  /// A light square face with a dark drawing, turned about the picture's middle.
  ///
  /// - Parameter isDark: whether a point of the face is, from -1 to 1 to the right and downward.
  private static func picture(
    turns: Double = 0, brightness: Double = 1, squeeze: Double = 1,
    isDark: (_ x: Double, _ y: Double) -> Bool
  ) -> (image: PixelImage, box: BoundingBox) {
    let side = 120
    let half = 30.0
    let (s, c) = (sine(turns), sine(turns + 0.25))
    var samples: [UInt8] = []
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = (
          (Double(column) - 59.5) / half, (Double(row) - 59.5) / half / squeeze
        )
        let (u, v) = (c * x + s * y, c * y - s * x)
        let isFace = abs(u) < 1 && abs(v) < 1
        let level = !isFace ? 90.0 : isDark(u, v) ? 40 : 200
        samples += [UInt8](repeating: UInt8(min(level * brightness, 255)), count: 3)
      }
    }
    let reach = half * (abs(s) + abs(c))
    return (
      PixelImage(width: side, height: side, format: .rgb, samples: samples),
      BoundingBox(midX: 60, midY: 60, width: 2 * reach, height: 2 * reach * squeeze)
    )
  }

  private static func sine(_ turns: Double) -> Double {
    sin(2 * Double.pi * turns)
  }

  private static func arrow(_ x: Double, _ y: Double) -> Bool {
    abs(x) < 0.12 && abs(y) < 0.6 || y < -0.1 && abs(x) < 0.6 + y
  }

  private static func plus(_ x: Double, _ y: Double) -> Bool {
    min(abs(x), abs(y)) < 0.15 && max(abs(x), abs(y)) < 0.6
  }

  private static func moon(_ x: Double, _ y: Double) -> Bool {
    x * x + y * y < 0.36 && (x - 0.3) * (x - 0.3) + y * y > 0.25
  }

  private static func blank(_ x: Double, _ y: Double) -> Bool { false }

  private static var drawings: [(name: String, value: Int, isDark: (Double, Double) -> Bool)] {
    [("arrow", 5, arrow), ("plus", 1, plus), ("blank", 0, blank)]
  }

  private static func taught() throws -> FaceSet {
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    var faces = try FaceSet(name: "drawings")
    for drawing in drawings {
      let photo = picture(isDark: drawing.isDark)
      try faces.teach(
        drawing.name, value: drawing.value, in: photo.image, box: photo.box, with: detector)
    }
    return faces
  }

  /// The faces with the network that compares them.
  private static func reader() throws -> FaceReader {
    let file = try WeightFile(bytes: try #require(DetectorWeights.anyDice.faceNetwork))
    var faces = try taught()
    // Of a blank face there is its outline alone, and how that fills the box depends on the turn.
    let photo = picture(turns: 0.125, isDark: blank)
    try faces.teach(
      "blank", in: photo.image, box: photo.box,
      with: DiceDetector(configuration: .init(threadCount: 1)))
    return try FaceReader(
      faces, network: FaceNetwork(file, kernels: .automatic),
      rule: PipelineProfile(detector: file, secondStage: nil, faces: file).faces)
  }

  /// What a face is read as, and how surely.
  private func read(
    _ photo: (image: PixelImage, box: BoundingBox), _ reader: FaceReader
  ) throws -> (label: String, probability: Float) {
    var comparison = try FaceComparison(reader.network)
    try photo.image.withFrame { (frame) throws(GeometryError) in
      let transform = try ImageTransform(
        storedWidth: 120, storedHeight: 120, inputWidth: 120, inputHeight: 120)
      comparison.compare(photo.box, in: frame, through: transform, with: reader)
    }
    #expect(abs(comparison.probabilities.reduce(0, +) - 1) < 1e-5)
    return (reader.labels.names[comparison.best], comparison.probabilities[comparison.best])
  }

  @Test func readsAFaceTurnedByAnyAngleInOtherLightAndFromTheSide() throws {
    let reader = try Self.reader()
    for drawing in Self.drawings {
      for step in 0..<23 {
        for (brightness, squeeze) in [(1.0, 1.0), (0.45, 1), (1.2, 0.7)] {
          let photo = Self.picture(
            turns: Double(step) / 23, brightness: brightness, squeeze: squeeze,
            isDark: drawing.isDark)
          let found = try read(photo, reader)
          expectEqual(found.label, drawing.name, "\(step) of 23 turns, \(brightness), \(squeeze)")
        }
      }
    }
  }

  @Test func aFaceThatWasNotTaughtIsUnknown() throws {
    let reader = try Self.reader()
    for step in 0..<12 {
      let photo = Self.picture(turns: Double(step) / 12, isDark: Self.moon)
      try expectEqual(read(photo, reader).label, FaceSet.unknownLabel)
    }
  }

  @Test func readsDiceOfAPicture() throws {
    let plain = try DiceDetector(configuration: .init(threadCount: 1))
    let scene = Fixtures.path("scenes/scene-15.jpg")
    let dice = try plain.detect(inImageFileAt: scene)
    expectEqual(dice.values, [6, 1])
    let image = try ImageDecoder.decode(Fixtures.bytes("scenes/scene-15.jpg"))
    var faces = try FaceSet(name: "words")
    try faces.teach("six of them", value: 60, in: image, box: dice[0].boundingBox, with: plain)
    var configuration = DiceDetector.Configuration(threadCount: 1)
    configuration.faces = faces
    #expect(throws: DetectorError.self) { try DiceDetector(configuration: configuration) }
    let detector = try DiceDetector(
      DetectorWeights(
        detector: DiceDetector.bundledWeights(.standard),
        secondStage: DiceDetector.bundledSecondStage,
        faceNetwork: DetectorWeights.anyDice.faceNetwork), configuration: configuration)
    expectEqual(detector.labels, ["six of them", FaceSet.unknownLabel])
    let found = try detector.detect(in: image)
    expectEqual(found.map(\.face), ["six of them", FaceSet.unknownLabel])
    #expect(found.values == [60, 0] && found[1].isUnknown && !found[0].isUnknown)
    #expect(found[0].label == "six of them" && found[0].kind == .d6)
    #expect(found[0].labels.first?.value == 60 && found[1].labels.first?.value == nil)
    for die in found { #expect(die.confidence <= die.objectness) }
    // Weights may have a class of that name, which says no more than others do.
    var other = found[1]
    other.labels = [ClassificationLabel(identifier: FaceSet.unknownLabel, confidence: 1)]
    #expect(!other.isUnknown && RollTracker.Observation(other).value == 0)
    // A tracker knows what a taught face counts, and nothing of an unknown one.
    expectEqual(RollTracker.Observation(found[0]).value, 60)
    #expect(RollTracker.Observation(found[1]).values.isEmpty)
  }

  @Test func findsTheDieOfAPhotoByItself() throws {
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    let scene = Fixtures.path("scenes/scene-15.jpg")
    let dice = try detector.detect(inImageFileAt: scene)
    var faces = try FaceSet(name: "words")
    let box = try faces.teach(
      "something", in: try ImageDecoder.decode(Fixtures.bytes("scenes/scene-15.jpg")),
      with: detector)
    #expect(dice.contains { $0.boundingBox.intersectionOverUnion(with: box) > 0.8 })
    expectEqual(faces.face(named: "something")?.value, 1)
    let empty = PixelImage(
      width: 64, height: 64, format: .rgb, samples: [UInt8](repeating: 90, count: 64 * 64 * 3))
    #expect(throws: FaceSetError.noDie) { try faces.teach("nothing", in: empty, with: detector) }
    #expect(throws: FaceSetError.unusableBox) {
      try faces.teach("nothing", in: empty, box: .zero, with: detector)
    }
    expectEqual(faces.faces.count, 1)
  }

  @Test func namesAndValuesAreChecked() throws {
    for name in ["", "a\nb", String(repeating: "a", count: 65)] {
      #expect(throws: FaceSetError.invalidName(name)) { try FaceSet(name: name) }
    }
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    var faces = try Self.taught()
    let before = faces
    let photo = Self.picture(isDark: Self.moon)
    for name in ["", "unknown", "?"] {
      #expect(throws: FaceSetError.invalidName(name)) {
        try faces.teach(name, in: photo.image, box: photo.box, with: detector)
      }
    }
    #expect(throws: FaceSetError.otherValue(face: "plus", found: 2, required: 1)) {
      try faces.teach("plus", value: 2, in: photo.image, box: photo.box, with: detector)
    }
    expectEqual(faces, before)
    for _ in 1..<FaceSet.exampleLimit {
      try faces.teach("plus", in: photo.image, box: photo.box, with: detector)
    }
    #expect(throws: FaceSetError.tooManyExamples(face: "plus", limit: 16)) {
      try faces.teach("plus", in: photo.image, box: photo.box, with: detector)
    }
    faces.remove("plus")
    expectEqual(faces.faces.map(\.name), ["arrow", "blank"])
  }

  @Test func aDetectorRefusesASetWithoutFaces() throws {
    var configuration = DiceDetector.Configuration()
    configuration.faces = try FaceSet(name: "none")
    #expect(
      throws: DetectorError.unusableFaces(rule: "one face at least must have been taught")
    ) { try DiceDetector(configuration: configuration) }
  }

  @Test func aNetworkThatComparesNoFacesIsRefused() throws {
    let weights = DetectorWeights.anyDice
    var configuration = DiceDetector.Configuration(threadCount: 1)
    configuration.faces = try Self.taught()
    for network in [weights.numeralReader, weights.detector, [1, 2, 3], nil] {
      #expect(throws: DetectorError.self) {
        try DiceDetector(
          DetectorWeights(
            detector: weights.detector, secondStage: nil, faceNetwork: network),
          configuration: configuration)
      }
    }
  }

  // MARK: - Bytes

  @Test func isReadAsItWasWritten() throws {
    let faces = try Self.taught()
    let bytes = faces.encoded()
    #expect(bytes.count < 10_000)
    try expectEqual(FaceSet(decoding: bytes), faces)
    expectEqual(
      "\(faces)", "drawings: arrow = 5 (1 photo), plus = 1 (1 photo), blank = 0 (1 photo)")
  }

  @Test func everyTruncationAndEveryFlipIsRefused() throws {
    let bytes = try Self.taught().encoded()
    for count in Self.places(in: bytes) {
      #expect(throws: FaceSetError.self) { try FaceSet(decoding: bytes[..<count]) }
    }
    for index in Self.places(in: bytes) {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      #expect(throws: FaceSetError.self) { try FaceSet(decoding: damaged) }
    }
    #expect(throws: FaceSetError.self) { try FaceSet(decoding: bytes + [0]) }
  }

  /// Where a set's fields are, and some places of its maps.
  private static func places(in bytes: [UInt8]) -> [Int] {
    let records = (0..<3).map { 40 + 3090 * $0 }
    return bytes.indices.filter { index in
      index % 41 == 0 || index < 80 || records.contains { abs($0 - index) < 40 }
    }
  }

  /// A set whose bytes at an offset were changed by someone who knows the checksum.
  private static func forged(_ bytes: [UInt8], _ offset: Int, _ new: UInt8...) -> [UInt8] {
    var forged = bytes
    for (index, byte) in new.enumerated() { forged[offset + index] = byte }
    let checksum = XXHash64.hash(forged, zeroed: 8)
    for index in 0..<8 { forged[8 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
    return forged
  }

  @Test func forgedFieldsAreRefused() throws {
    let bytes = try Self.taught().encoded()
    let name = "drawings".utf8.count
    let face = 32 + name
    for (offset, field) in [
      (16, "rings"), (18, "angles"), (20, "faces"), (22, "length of the name"),
      (face, "length of a face's name"), (face + 2, "examples"),
    ] {
      #expect(throws: FaceSetError.fieldOutOfRange(name: field, offset: offset)) {
        try FaceSet(decoding: Self.forged(bytes, offset, 255, 255))
      }
    }
    #expect(throws: FaceSetError.fieldOutOfRange(name: "zeros", offset: 24)) {
      try FaceSet(decoding: Self.forged(bytes, 30, 1))
    }
    #expect(throws: FaceSetError.fieldOutOfRange(name: "name", offset: 32)) {
      try FaceSet(decoding: Self.forged(bytes, 32, 255))
    }
    #expect(throws: FaceSetError.unsupportedVersion(found: 2, supported: 1)) {
      try FaceSet(decoding: Self.forged(bytes, 6, 2))
    }
    // One face fewer than there are, and one more.
    #expect(throws: FaceSetError.trailingBytes(count: 12 + "blank".utf8.count + 3072)) {
      try FaceSet(decoding: Self.forged(bytes, 20, 2))
    }
    #expect(throws: FaceSetError.truncated(required: bytes.count + 2, found: bytes.count)) {
      try FaceSet(decoding: Self.forged(bytes, 20, 4))
    }
    // Nothing of what can be forged traps.
    for offset in Self.places(in: bytes) {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        _ = try? FaceSet(decoding: Self.forged(bytes, offset, byte))
      }
    }
  }
}
