internal import DiceDetectorHeads
internal import DiceGeometry
internal import DiceNetwork
internal import DicePoses
internal import DiceWeights

/// Makes a reading of a network's outputs; its memory is used again from crop to crop.
protocol PoseDecoder: Sendable {
  /// Takes the outputs of a run, and then those of the mirrored crop.
  mutating func take(_ runner: NetworkRunner, isMirrored: Bool)

  /// Where the points are, in pixels of an input of some size.
  mutating func reading(width: Int, height: Int) -> PoseReading

  /// Whether a point is found, or follows from what is; by its index in a reading.
  func finds(_ index: Int) -> Bool
}

/// Reads the maps of the library's own network.
struct JointMapDecoder: PoseDecoder {
  private let constants: PoseConstants
  private var maps: JointMaps

  init(_ head: PoseHead, _ constants: PoseConstants) {
    self.constants = constants
    maps = JointMaps(rows: head.height, columns: head.width)
  }

  mutating func take(_ runner: NetworkRunner, isMirrored: Bool) {
    runner.withOutput(0) { isMirrored ? maps.addMirrored($0) : maps.take($0) }
  }

  mutating func reading(width: Int, height: Int) -> PoseReading {
    var reading = PoseReading()
    for map in 0..<maps.count {
      let place = maps.place(of: map)
      reading[map] = (
        PixelPoint(x: Double(place.x) * Double(width), y: Double(place.y) * Double(height)),
        constants.confidence(of: map, mass: place.mass)
      )
    }
    return reading
  }

  func finds(_ index: Int) -> Bool { index < maps.count }
}

/// Reads the heads of other people's networks.
struct JointHeadDecoder: PoseDecoder {
  private let heads: JointHeads
  /// The index of each joint in a reading, and that of the joint of the other side; nil for what a reading has not.
  private let indices: [(own: Int, mirrored: Int)?]
  private var values: [HeadValues]
  private var found = PoseReading()

  init(_ heads: JointHeads, _ outputs: [NetworkOutput], _ shapes: NetworkShapes) {
    self.heads = heads
    indices = heads.points.map { (point) in
      guard let point, let own = PoseReading.points.firstIndex(of: point),
        let mirrored = PoseReading.points.firstIndex(of: point.mirrored)
      else { return nil }
      return (own, mirrored)
    }
    values = outputs.map { (output) in
      let shape = shapes.layers[output.layer]
      return HeadValues(rows: shape.height, columns: shape.width, channels: shape.channels)
    }
  }

  func finds(_ index: Int) -> Bool {
    func has(_ index: Int) -> Bool { indices.contains { $0?.own == index } }
    return has(index)
      || index == PoseHead.neck && has(PoseHead.leftShoulder) && has(PoseHead.rightShoulder)
  }

  mutating func take(_ runner: NetworkRunner, isMirrored: Bool) {
    for output in heads.outputs {
      runner.withOutput(output) { $0.copy(into: &values[output].numbers) }
    }
    var found = isMirrored ? self.found : PoseReading()
    heads.forEachPlace(in: values, HeadInputSize(width: runner.width, height: runner.height)) {
      (joint, place) in
      guard let index = indices[joint] else { return }
      let target = isMirrored ? index.mirrored : index.own
      // Of two looks the surer counts.
      guard place.confidence > found[target].confidence else { return }
      let x = isMirrored ? Float(runner.width) - place.x : place.x
      found[target] = (PixelPoint(x: Double(x), y: Double(place.y)), place.confidence)
    }
    self.found = found
  }

  func reading(width: Int, height: Int) -> PoseReading {
    var reading = found
    if reading[PoseHead.neck].confidence == 0 {
      reading[PoseHead.neck] = reading.middle(PoseHead.leftShoulder, PoseHead.rightShoulder)
    }
    return reading
  }
}
