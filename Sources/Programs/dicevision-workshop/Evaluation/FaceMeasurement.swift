internal import DiceCommandLine
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging
internal import DiceScenes
internal import DiceVisionKit

/// Pictures of dice with symbols, drawn when they are needed.
struct SymbolPictures: Sendable {
  /// What tables and light are like.
  enum Style: Sendable {
    case varied, plain
  }

  var style: Style
  var seed: UInt64

  /// A picture with the symbols that can be told in it.
  typealias Picture = (image: PixelImage, dice: [(symbol: String, box: BoundingBox)])

  /// A picture.
  ///
  /// - Parameter isPhoto: whether it is one to teach with, which shows one die.
  func picture(_ number: Int, ofMake make: Int, isPhoto: Bool) -> Picture {
    var options = style == .varied ? SceneOptions.training : SceneOptions.fixture
    options.diceCount = isPhoto ? 1...1 : 1...5
    options.dieSize = isPhoto ? 58...128 : 45...128
    options.cameraElevation = isPhoto ? 55...90 : 45...90
    options.hasDistractors = style == .varied
    options.symbols = make...make
    options.aspectRatio = 4.0 / 3
    let place = UInt64(number) << 8 | UInt64(make) << 1 | (isPhoto ? 1 : 0)
    let scene = DiceScene.random(seed: seed << 40 ^ place, options: options)
    let rendered = SceneRenderer.render(scene, width: 640, height: 480)
    var dice: [(symbol: String, box: BoundingBox)] = []
    for die in rendered.dice {
      guard let symbol = die.symbol, die.visibility >= 0.7, die.legibility?.isSufficient ?? true
      else {
        continue
      }
      dice.append((symbol, die.topFace))
    }
    return (rendered.image, dice)
  }
}

/// How well taught faces are read.
struct FaceMeasurement: Sendable {
  /// What is done for each make.
  struct Rule: Sendable {
    /// Photos of each face to teach it with.
    var photoCount: Int
    /// Pictures to read it in.
    var pictureCount: Int
    var pictures: SymbolPictures
  }

  /// What became of dice that show a face.
  struct Outcomes: Sendable {
    /// Read as what they show, or as unknown where that was not taught.
    var right = 0
    /// Read as another face.
    var wrong = 0
    /// Read as unknown though the face was taught.
    var unknown = 0
    /// Not found.
    var missed = 0
    /// For dice that were found: the likeness to the face that is most alike, and whether it is the
    /// right one.
    var likenesses: [(likeness: Double, isRight: Bool)] = []

    var count: Int { right + wrong + unknown + missed }
    var share: Double { Double(right) / Double(max(count, 1)) }
    /// Of those that were found.
    var shareOfFound: Double { Double(right) / Double(max(count - missed, 1)) }

    mutating func add(_ other: Outcomes) {
      right += other.right
      wrong += other.wrong
      unknown += other.unknown
      missed += other.missed
      likenesses += other.likenesses
    }
  }

  /// The threshold that was used.
  var leastLikeness = 0.0
  var makeCount = 0
  /// Photos in which no die was found.
  var lostPhotoCount = 0
  var known = Outcomes()
  var left = Outcomes()
  /// Boxes of a result that belong to no die, with a taught face.
  var falseFaceCount = 0
  /// The same with an unknown face.
  var falseUnknownCount = 0

  mutating func add(_ other: FaceMeasurement) {
    leastLikeness = other.leastLikeness
    makeCount += other.makeCount
    lostPhotoCount += other.lostPhotoCount
    known.add(other.known)
    left.add(other.left)
    falseFaceCount += other.falseFaceCount
    falseUnknownCount += other.falseUnknownCount
  }

  // MARK: - Measuring

  /// Teaches a make and reads it.
  static func measure(
    make: Int, _ rule: Rule, _ teacher: DiceDetector,
    reader: (FaceSet) throws(ToolError) -> DiceDetector
  ) throws(ToolError) -> FaceMeasurement {
    var result = FaceMeasurement()
    result.makeCount = 1
    let (all, half) = try teach(make: make, rule, teacher, lost: &result.lostPhotoCount)
    let readers = (all: try reader(all), half: try reader(half))
    result.leastLikeness = readers.all.leastFaceLikeness
    for number in 0..<rule.pictureCount {
      let picture = rule.pictures.picture(number, ofMake: make, isPhoto: false)
      let found = try detect(picture.image, readers.all)
      for die in picture.dice {
        result.known.count(die.symbol, in: observation(at: die.box, found), readers.all)
      }
      for observation in found {
        let box = observation.boundingBox
        guard !picture.dice.contains(where: { $0.box.intersectionOverUnion(with: box) > 0.2 })
        else {
          continue
        }
        if observation.isUnknown {
          result.falseUnknownCount += 1
        } else {
          result.falseFaceCount += 1
        }
      }
      let untaught = picture.dice.filter { half.face(named: $0.symbol) == nil }
      guard !untaught.isEmpty else { continue }
      let foundByHalf = try detect(picture.image, readers.half)
      for die in untaught {
        result.left.count(nil, in: observation(at: die.box, foundByHalf), readers.half)
      }
    }
    return result
  }

  /// All faces of a make, and those of three of its six.
  private static func teach(
    make: Int, _ rule: Rule, _ teacher: DiceDetector, lost: inout Int
  ) throws(ToolError) -> (all: FaceSet, half: FaceSet) {
    do throws(FaceSetError) {
      var all = try FaceSet(name: "make \(make)")
      var half = try FaceSet(name: "half of make \(make)")
      var symbols: [String] = []
      var counts: [Int] = []
      // A face that can hardly be told in any picture is left as it is.
      for number in 0..<rule.photoCount * 60 {
        if counts.count == 6, counts.allSatisfy({ $0 == rule.photoCount }) { break }
        let photo = rule.pictures.picture(number, ofMake: make, isPhoto: true)
        guard photo.dice.count == 1, let die = photo.dice.first else { continue }
        var place = symbols.count
        for (index, symbol) in symbols.enumerated() where symbol == die.symbol { place = index }
        if place == symbols.count {
          symbols.append(die.symbol)
          counts.append(0)
        }
        guard counts[place] < rule.photoCount else { continue }
        do throws(FaceSetError) {
          let box = try all.teach(die.symbol, in: photo.image, with: teacher)
          guard box.intersectionOverUnion(with: die.box) > 0.2 else {
            // People look at the picture that they took.
            lost += 1
            try all.teach(die.symbol, in: photo.image, box: die.box, with: teacher)
            if place % 2 == 0 {
              try half.teach(die.symbol, in: photo.image, box: die.box, with: teacher)
            }
            counts[place] += 1
            continue
          }
          if place % 2 == 0 { try half.teach(die.symbol, in: photo.image, box: box, with: teacher) }
          counts[place] += 1
        } catch {
          guard case .noDie = error else { throw error }
          lost += 1
        }
      }
      return (all, half)
    } catch { throw .failure(subject: "make \(make)", sentence: "\(error)") }
  }

  private static func detect(
    _ image: PixelImage, _ detector: DiceDetector
  ) throws(ToolError) -> DetectionResult {
    do throws(DetectorError) { return try detector.detect(in: image) } catch {
      throw .failure(subject: "a rendered picture", sentence: "\(error)")
    }
  }

  /// The observation that overlaps a box most; nil where none does.
  private static func observation(
    at box: BoundingBox, _ result: DetectionResult
  ) -> DieObservation? {
    var best: (overlap: Double, observation: DieObservation)?
    for observation in result {
      let overlap = observation.boundingBox.intersectionOverUnion(with: box)
      if overlap > 0.3, overlap > best?.overlap ?? 0 { best = (overlap, observation) }
    }
    return best?.observation
  }
}

extension FaceMeasurement.Outcomes {
  /// Counts a die.
  ///
  /// - Parameter symbol: what it shows; nil for a face that was not taught.
  mutating func count(_ symbol: String?, in observation: DieObservation?, _ reader: DiceDetector) {
    guard let observation, let label = observation.label else {
      missed += 1
      return
    }
    if let match = reader.faceLikeness(of: observation) {
      likenesses.append((Double(match.likeness), match.name == symbol))
    }
    if observation.isUnknown {
      if symbol == nil { right += 1 } else { unknown += 1 }
    } else if label == symbol {
      right += 1
    } else {
      wrong += 1
    }
  }
}

// MARK: - In words

extension FaceMeasurement {
  /// The shares at a threshold: of known faces that are read right, of unknown ones that are rejected,
  /// each of the dice that were found.
  func shares(atLikeness threshold: Double) -> (known: Double, unknown: Double) {
    let right = known.likenesses.count { $0.isRight && $0.likeness >= threshold }
    let rejected = left.likenesses.count { $0.likeness < threshold }
    return (
      Double(right) / Double(max(known.likenesses.count, 1)),
      Double(rejected) / Double(max(left.likenesses.count, 1))
    )
  }

  /// The threshold with the greatest smaller share, in parts of the goals.
  var bestLikeness: Double {
    var best = (threshold: 0.0, worth: -1.0)
    for step in 0...200 {
      let threshold = Double(step) / 200
      let shares = shares(atLikeness: threshold)
      let worth = min(shares.known / 0.97, shares.unknown / 0.9)
      if worth > best.worth { best = (threshold, worth) }
    }
    return best.threshold
  }

  /// The report for people.
  var text: String {
    func line(_ name: String, _ outcomes: Outcomes) -> String {
      "\(name): \(NumberText.percent(outcomes.share)) right of \(outcomes.count) "
        + "(\(NumberText.percent(outcomes.shareOfFound)) of those found); "
        + "\(outcomes.wrong) as another face, \(outcomes.unknown) as unknown, "
        + "\(outcomes.missed) missed\n"
    }
    var text = "\(NumberText.count(makeCount, "make", "makes")) of dice\n"
    text += line("known faces", known)
    text += line("unknown faces", left)
    text += "where there is no die that can be read: "
    text += "\(NumberText.count(falseFaceCount, "taught face", "taught faces")), "
    text += "\(falseUnknownCount) unknown\n"
    text +=
      "\(NumberText.count(lostPhotoCount, "photo", "photos")) in which the die was not found\n"
    text += "likeness   known   unknown\n"
    for threshold in [bestLikeness, leastLikeness] {
      let shares = shares(atLikeness: threshold)
      text += "\(NumberText.fixed(threshold, decimals: 3))      \(NumberText.percent(shares.known))"
      text += "  \(NumberText.percent(shares.unknown))"
      text += threshold == leastLikeness ? "  (in use)\n" : "  (best)\n"
    }
    return text
  }

  /// The report for programs.
  func json(madeBy program: String) -> JSONValue {
    func value(_ outcomes: Outcomes) -> JSONValue {
      [
        "count": JSONValue(outcomes.count), "right": JSONValue(outcomes.right),
        "otherFace": JSONValue(outcomes.wrong), "unknown": JSONValue(outcomes.unknown),
        "missed": JSONValue(outcomes.missed),
      ]
    }
    let curve = (0...40).map { step -> JSONValue in
      let threshold = Double(step) / 40
      let shares = shares(atLikeness: threshold)
      return [
        "likeness": .number(threshold), "known": .number(shares.known),
        "unknown": .number(shares.unknown),
      ]
    }
    return .object(
      JSONObject([
        JSONObject.Member(key: Signature.key, value: .string(program)),
        JSONObject.Member(key: "makes", value: JSONValue(makeCount)),
        JSONObject.Member(key: "known", value: value(known)),
        JSONObject.Member(key: "unknown", value: value(left)),
        JSONObject.Member(key: "facesWithoutDie", value: JSONValue(falseFaceCount)),
        JSONObject.Member(key: "unknownWithoutDie", value: JSONValue(falseUnknownCount)),
        JSONObject.Member(key: "photosWithoutDie", value: JSONValue(lostPhotoCount)),
        JSONObject.Member(key: "leastLikeness", value: .number(leastLikeness)),
        JSONObject.Member(key: "bestLikeness", value: .number(bestLikeness)),
        JSONObject.Member(key: "curve", value: .array(curve)),
      ]))
  }
}
