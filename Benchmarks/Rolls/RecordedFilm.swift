import BenchmarkSupport
import DiceFiles
import DiceGeometry
import DiceImaging
import DiceRolls
import DiceVisionKit

/// A rendered film as a follower meets it: what the detector saw in every frame, and the frame's
/// luminance, reduced as the follower reduces it.
struct RecordedFilm: Sendable {
  struct Frame: Sendable {
    /// The reduced luminance, 128 by 64.
    var plane: [UInt8]
    var observations: [RollTracker.Observation]
  }

  static let planeWidth = 128
  static let planeHeight = 64

  let width: Int
  let height: Int
  private(set) var frames: [Frame] = []

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Shows a frame to the detector.
  ///
  /// - Throws: `WrongResult` where a frame made of the reduced one is not reduced to the same again,
  ///   and `DetectorError`.
  mutating func append(_ image: PixelImage, _ detector: DiceDetector) throws {
    let plane = Self.reduced(image)
    let found = try detector.detect(in: image).observations
    frames.append(Frame(plane: plane, observations: found.map(RollTracker.Observation.init)))
    guard Self.reduced(picture(ofFrame: frames.count - 1)) == plane else {
      throw WrongResult("frame \(frames.count - 1) is not reduced to what it was made of")
    }
  }

  private static func reduced(_ image: PixelImage) -> [UInt8] {
    var plane = [UInt8](repeating: 0, count: planeWidth * planeHeight)
    image.withFrame { (frame) in
      frame.reduceLuminance(into: &plane, columns: planeWidth, rows: planeHeight)
    }
    return plane
  }

  /// A gray picture that a follower reduces to the same luminance as the frame.
  ///
  /// - Parameters:
  ///   - gain: how bright a row is, which is given as a share of the height; nil changes nothing.
  ///   - shift: how many pixels further to the right everything is seen; the left column is repeated.
  func picture(
    ofFrame index: Int, gain: ((Double) -> Double)? = nil, shift: Double = 0
  ) -> PixelImage {
    let plane = shift == 0 ? frames[index].plane : shiftedPlane(ofFrame: index, by: shift)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height)
    var line = [UInt8](repeating: 0, count: width)
    for row in 0..<Self.planeHeight {
      let gain = gain?(Double(row) / Double(Self.planeHeight))
      for column in 0..<Self.planeWidth {
        var sample = plane[row * Self.planeWidth + column]
        if let gain { sample = UInt8(min(max((Double(sample) * gain).rounded(), 0), 255)) }
        let last = (column + 1) * width / Self.planeWidth
        for x in column * width / Self.planeWidth..<last { line[x] = sample }
      }
      for _ in row * height / Self.planeHeight..<(row + 1) * height / Self.planeHeight {
        samples.append(contentsOf: line)
      }
    }
    return PixelImage(width: width, height: height, format: .gray, samples: samples)
  }
}

extension RecordedFilm {
  private func shiftedPlane(ofFrame index: Int, by shift: Double) -> [UInt8] {
    let plane = frames[index].plane
    let columns = shift * Double(Self.planeWidth) / Double(width)
    let whole = Int(columns.rounded(.down))
    let part = columns - Double(whole)
    func sample(_ row: Int, _ column: Int) -> Double {
      Double(plane[row * Self.planeWidth + min(max(column, 0), Self.planeWidth - 1)])
    }
    return plane.indices.map { (place) in
      let (row, column) = (place / Self.planeWidth, place % Self.planeWidth - whole)
      return UInt8(
        (sample(row, column) * (1 - part) + sample(row, column - 1) * part).rounded())
    }
  }
}

// MARK: - Files

extension RecordedFilm {
  /// Reads a recording: `PATH.json` holds its truth and the observations, `PATH.planes` the reduced frames
  /// one after the other.
  ///
  /// A recording is good for one renderer, detector and set of weights: use a new folder for others.
  ///
  /// - Returns: The film, and all that is in the file; nil where there is none.
  static func read(at path: String) throws -> (film: RecordedFilm, truth: JSONValue)? {
    guard FileSystem.exists(at: path + ".json") else { return nil }
    let json = try JSONReader.parse(FileSystem.readFile(at: path + ".json", byteLimit: 1 << 26))
    let planes = try FileSystem.readFile(at: path + ".planes", byteLimit: 1 << 26)
    let size = planeWidth * planeHeight
    guard let width = json["width"]?.integer, let height = json["height"]?.integer,
      let frames = json["frames"]?.array, planes.count == frames.count * size
    else { throw WrongResult("\(path) is no recorded film") }
    var film = RecordedFilm(width: width, height: height)
    film.frames = frames.enumerated().map { (index, dice) in
      Frame(
        plane: Array(planes[index * size..<(index + 1) * size]),
        observations: (dice.array ?? []).map { observation($0) })
    }
    return (film, json)
  }

  /// Writes a recording with its truth.
  func write(to path: String, truth: [JSONObject.Member]) throws {
    try FileSystem.writeFile(frames.flatMap { $0.plane }, to: path + ".planes")
    var members = truth
    members.append(.init(key: "width", value: JSONValue(width)))
    members.append(.init(key: "height", value: JSONValue(height)))
    members.append(
      .init(
        key: "frames",
        value: .array(frames.map { .array($0.observations.map { Self.json($0) }) })))
    // Last, since it says that the recording is whole.
    try FileSystem.writeFile(
      JSONWriter.write(.object(JSONObject(members))), to: path + ".json")
  }

  /// Box, confidence, then values with their probabilities.
  private static func json(_ die: RollTracker.Observation) -> JSONValue {
    let box = die.boundingBox
    var numbers = [box.x, box.y, box.width, box.height, Double(die.confidence)]
    for entry in die.values { numbers += [Double(entry.value), Double(entry.confidence)] }
    return .array(numbers.map { .number($0) })
  }

  private static func observation(_ json: JSONValue) -> RollTracker.Observation {
    let numbers = (json.array ?? []).map { $0.number ?? .nan }
    return RollTracker.Observation(
      boundingBox: BoundingBox(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
      confidence: Float(numbers[4]),
      values: stride(from: 5, to: numbers.count - 1, by: 2).map { place in
        ValueProbability(value: Int(numbers[place]), confidence: Float(numbers[place + 1]))
      })
  }
}
