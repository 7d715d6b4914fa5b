import DiceRolls
import DiceGeometry
import BenchmarkSupport
import DiceFiles
import DiceVisionKit

extension RecordedThrow {
  /// A throw from the folder, or rendered and put there.
  ///
  /// `throw-SEED.json` holds the truth and the observations, `throw-SEED.planes` the reduced frames one
  /// after the other. A recording is good for one renderer, detector and set of weights: use a new
  /// folder for others.
  init(seed: UInt64, folder: String?, detector: DiceDetector) throws {
    guard let folder else {
      self = try RecordedThrow(rendering: seed, for: detector)
      return
    }
    let path = Paths.joined(folder, "throw-\(seed)")
    if FileSystem.exists(at: path + ".json") {
      self = try RecordedThrow(seed: seed, path: path)
      return
    }
    self = try RecordedThrow(rendering: seed, for: detector)
    try FileSystem.writeFile(frames.flatMap { $0.plane }, to: path + ".planes")
    // Last, since it says that the recording is whole.
    try FileSystem.writeFile(JSONWriter.write(json), to: path + ".json")
  }

  private init(seed: UInt64, path: String) throws {
    let json = try JSONReader.parse(FileSystem.readFile(at: path + ".json", byteLimit: 1 << 26))
    let planes = try FileSystem.readFile(at: path + ".planes", byteLimit: 1 << 26)
    let size = Self.planeWidth * Self.planeHeight
    guard let values = json["values"]?.array, let first = json["firstFrameAtRest"]?.integer,
      let width = json["width"]?.integer, let height = json["height"]?.integer,
      let frames = json["frames"]?.array, planes.count == frames.count * size
    else { throw WrongResult("\(path) is no recorded throw") }
    self.init(
      seed: seed, values: values.compactMap { $0.integer }, firstFrameAtRest: first, width: width,
      height: height,
      frames: frames.enumerated().map { (index, dice) in
        Frame(
          plane: Array(planes[index * size..<(index + 1) * size]),
          observations: (dice.array ?? []).map { Self.observation($0) })
      })
  }

  private var json: JSONValue {
    [
      "seed": .string("\(seed)"), "values": .array(values.map { JSONValue($0) }),
      "firstFrameAtRest": JSONValue(firstFrameAtRest), "width": JSONValue(width),
      "height": JSONValue(height),
      "frames": .array(
        frames.map { frame in .array(frame.observations.map { Self.json($0) }) }),
    ]
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
