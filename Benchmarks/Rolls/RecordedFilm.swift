import BenchmarkSupport
import DiceFiles
import DiceGeometry
import DiceImaging
import DiceRolls
import DiceVisionKit

/// A rendered film as a follower meets it: what the detector saw in every frame, and the frame's
/// luminance and colours, reduced as the follower reduces them.
struct RecordedFilm: Sendable {
  struct Frame: Sendable {
    /// The reduced luminance and colours, 128 by 64.
    var planes: Planes
    var observations: [RollTracker.Observation]
  }

  struct Planes: Hashable, Sendable {
    var luminance = [UInt8](repeating: 0, count: planeWidth * planeHeight)
    var colors = [UInt8](repeating: 0, count: planeWidth * planeHeight)
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
  /// What is nearly black or white loses a little of its colour.
  ///
  /// - Throws: `WrongResult` where a frame made of the reduced one has another luminance, and `DetectorError`.
  mutating func append(_ image: PixelImage, _ detector: DiceDetector) throws {
    let planes = Self.reduced(image)
    let found = try detector.detect(in: image).observations
    frames.append(Frame(planes: planes, observations: found.map(RollTracker.Observation.init)))
    guard Self.reduced(picture(ofFrame: frames.count - 1)).luminance == planes.luminance else {
      throw WrongResult("frame \(frames.count - 1) is not reduced to what it was made of")
    }
  }

  private static func reduced(_ image: PixelImage) -> Planes {
    var planes = Planes()
    image.withFrame { (frame) in
      frame.reduceLuminance(into: &planes.luminance, columns: planeWidth, rows: planeHeight)
      frame.reduceColors(into: &planes.colors, columns: planeWidth, rows: planeHeight)
    }
    return planes
  }

  /// A picture that a follower reduces to the same luminance and colours as the frame.
  ///
  /// - Parameters:
  ///   - gain: how bright a row is, which is given as a share of the height; nil changes nothing.
  ///   - shift: how many pixels further to the right everything is seen; the left column is repeated.
  func picture(
    ofFrame index: Int, gain: ((Double) -> Double)? = nil, shift: Double = 0
  ) -> PixelImage {
    var planes = frames[index].planes
    if shift != 0 {
      planes.luminance = Self.shifted(planes.luminance, by: shift, of: width)
      planes.colors = Self.shifted(planes.colors, by: shift, of: width)
    }
    var samples: [UInt8] = []
    samples.reserveCapacity(3 * width * height)
    var line = [UInt8](repeating: 0, count: 3 * width)
    for row in 0..<Self.planeHeight {
      let gain = gain?(Double(row) / Double(Self.planeHeight)) ?? 1
      for column in 0..<Self.planeWidth {
        let place = row * Self.planeWidth + column
        let color = Self.color(
          luminance: Double(planes.luminance[place]) * gain,
          redness: Self.redness(planes.colors[place]) * gain)
        let last = (column + 1) * width / Self.planeWidth
        for x in column * width / Self.planeWidth..<last {
          for channel in 0..<3 { line[3 * x + channel] = color[channel] }
        }
      }
      for _ in row * height / Self.planeHeight..<(row + 1) * height / Self.planeHeight {
        samples.append(contentsOf: line)
      }
    }
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }

  /// The least difference `R − B` that is reduced to a sample.
  private static func redness(_ sample: UInt8) -> Double {
    2 * (Double(sample) - 128) + (sample < 128 ? 1 : 0)
  }

  /// A colour with a mean `(R + 2 G + B) / 4` of 0...255 and a difference `R − B`.
  private static func color(luminance: Double, redness: Double) -> [UInt8] {
    let four = 4 * Int(min(max(luminance.rounded(), 0), 255))
    // What is nearly black or white has little colour.
    let most = Double(min(four + 3, 1020 - four, 255))
    let difference = Int(min(max(redness.rounded(), -most), most))
    // What red and blue add up to: half of it all where they can, and even with the difference.
    let limit = 510 - abs(difference)
    var both = min(max(four / 2, abs(difference)), limit)
    if (both + difference) % 2 != 0 { both += both < limit ? 1 : -1 }
    let green = min(max((four - both + 1) / 2, 0), 255)
    return [UInt8((both + difference) / 2), UInt8(green), UInt8((both - difference) / 2)]
  }

  /// A plane of a picture so many pixels wide that shows everything further to the right.
  private static func shifted(_ plane: [UInt8], by shift: Double, of width: Int) -> [UInt8] {
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
  /// one after the other, each with its luminance and its colours.
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
      let frames = json["frames"]?.array, planes.count == frames.count * 2 * size
    else { throw WrongResult("\(path) is no recorded film") }
    var film = RecordedFilm(width: width, height: height)
    film.frames = frames.enumerated().map { (index, dice) in
      let start = 2 * index * size
      return Frame(
        planes: Planes(
          luminance: Array(planes[start..<start + size]),
          colors: Array(planes[start + size..<start + 2 * size])),
        observations: (dice.array ?? []).map { observation($0) })
    }
    return (film, json)
  }

  /// Writes a recording with its truth.
  func write(to path: String, truth: [JSONObject.Member]) throws {
    try FileSystem.writeFile(
      frames.flatMap { $0.planes.luminance + $0.planes.colors }, to: path + ".planes")
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
