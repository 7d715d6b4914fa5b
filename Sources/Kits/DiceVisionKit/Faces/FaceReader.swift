internal import DiceGeometry
internal import DiceImaging
internal import DiceNetwork
internal import DiceNumerics
internal import DiceWeights

/// The network that says how alike faces are, planned.
///
/// Its input is a map (``FaceMap``) whose angles go on beyond both ends, by ``wrap`` columns, as a ring does. Of
/// its output, four angles to a column, the columns of one turn count: `[columns, rows, channels]`, divided by
/// their length, are the features of the map. The likeness of two maps is the scalar product of their
/// features, the greatest one for any turn by whole columns.
struct FaceNetwork: Sendable {
  /// The columns of a turn.
  static let columnCount = FaceMap.angleCount / 4
  /// The angles that the input has beyond either end.
  static let wrap = 16
  /// The shape of its input.
  static let inputShape = TensorShape(
    height: FaceMap.ringCount, width: FaceMap.angleCount + 2 * wrap,
    channels: FaceMap.channelCount)

  let plan: NetworkPlan
  /// The features of a column.
  let depth: Int

  var featureCount: Int { Self.columnCount * depth }

  /// - Throws: `weights`, `network` or `unusableFaces` with the broken rule.
  init(_ file: WeightFile, kernels: KernelChoice) throws(DetectorError) {
    let (inputs, outputs) = (file.description.inputs, file.description.outputs)
    let columns = Self.inputShape.width / 4
    guard inputs.count == 1, inputs[0].shape == Self.inputShape, outputs.count == 1 else {
      throw .unusableFaces(rule: "their network must take maps of faces")
    }
    let shape = file.shapes.layers[outputs[0].layer]
    guard shape.width == columns else {
      throw .unusableFaces(rule: "their network must have \(columns) columns")
    }
    depth = shape.height * shape.channels
    do { plan = try NetworkPlan(file, kernels: kernels) } catch { throw .network(error) }
  }

  func makeRunner() throws(DetectorError) -> FaceRunner {
    do { return FaceRunner(try NetworkRunner(plan), depth: depth) } catch { throw .network(error) }
  }
}

/// Runs the network; its memory is used again from map to map.
struct FaceRunner {
  private let runner: NetworkRunner
  private let depth: Int

  fileprivate init(_ runner: NetworkRunner, depth: Int) {
    (self.runner, self.depth) = (runner, depth)
  }

  /// Appends the features of a map.
  ///
  /// - Parameter start: where the map's first number is.
  func appendFeatures(of map: [Float], from start: Int = 0, to features: inout [Float]) {
    let channels = FaceMap.channelCount
    runner.withInput { (region) in
      for row in 0..<region.height {
        for column in 0..<region.width {
          let angle = (column - FaceNetwork.wrap) & (FaceMap.angleCount - 1)
          let source = start + (row * FaceMap.angleCount + angle) * channels
          for channel in 0..<channels {
            unsafe region.pointer[row * region.rowStride + column * region.pixelStride + channel] =
              map[source + channel]
          }
        }
      }
    }
    runner.run()
    let first = features.count
    var square: Float = 0
    runner.withOutput(0) { (region) in
      for column in 0..<FaceNetwork.columnCount {
        for row in 0..<region.height {
          for channel in region.slots.indices {
            let number = region[row, column + FaceNetwork.wrap / 4, channel]
            features.append(number)
            square += number * number
          }
        }
      }
    }
    let factor = 1 / max(square.squareRoot(), 1e-12)
    for index in first..<features.count { features[index] *= factor }
  }
}

/// Taught faces, ready to be compared.
struct FaceReader: Sendable {
  /// The names of the faces with what they count, and that of an unknown one behind them.
  let labels: ClassLabels
  let rule: PipelineProfile.Faces
  let network: FaceNetwork
  /// The features of all examples, one after the other.
  let features: [Float]
  /// For each face, how many examples there are up to its last one.
  let ends: [Int]

  /// - Parameter faces: A set with one face at least.
  init(
    _ faces: FaceSet, network: FaceNetwork, rule: PipelineProfile.Faces
  ) throws(DetectorError) {
    var (names, values, ends) = ([String](), [Int](), [Int]())
    var features: [Float] = []
    let runner = try network.makeRunner()
    var exampleCount = 0
    for face in faces.faces {
      names.append(face.name)
      values.append(face.value)
      let maps = face.maps.map { Float($0) / FaceMap.unit }
      for start in stride(from: 0, to: maps.count, by: FaceMap.count) {
        runner.appendFeatures(of: maps, from: start, to: &features)
      }
      exampleCount += face.exampleCount
      ends.append(exampleCount)
    }
    labels = ClassLabels(taught: names, values: values)
    (self.rule, self.network, self.features, self.ends) = (rule, network, features, ends)
  }
}

/// Compares a die with taught faces.
///
/// The likeness of a die and a face is the greatest one (``FaceNetwork``) for any of the face's examples and
/// each of ``FaceMap/views`` of the die. With likenesses `s` the probabilities of the faces are
///
///     p[f] = exp(sharpness · s[f]) / (exp(sharpness · leastLikeness) + Σ exp(sharpness · s))
///
/// and that of an unknown face is what is left.
struct FaceComparison {
  private let runner: FaceRunner
  private var mapper = FaceMapper()
  private var map = [Float](repeating: 0, count: FaceMap.count)
  /// The features of the map, twice in a row, so that turned ones lie in one piece.
  private var features: [Float] = []
  /// For each face the greatest likeness, then the probability; then that of an unknown one.
  private(set) var probabilities: [Float] = []

  init(_ network: FaceNetwork) throws(DetectorError) { runner = try network.makeRunner() }

  /// Compares a die; where its box has no picture, the face is unknown.
  mutating func compare(
    _ box: BoundingBox, in frame: borrowing RawFrame, through transform: ImageTransform,
    with reader: FaceReader
  ) {
    probabilities.removeAll(keepingCapacity: true)
    for _ in reader.ends { probabilities.append(-1) }
    if mapper.look(at: box, in: frame, through: transform) {
      for view in FaceMap.views {
        mapper.draw(scale: view.scale, shift: view.shift, into: &map)
        features.removeAll(keepingCapacity: true)
        runner.appendFeatures(of: map, to: &features)
        for index in 0..<reader.network.featureCount { features.append(features[index]) }
        var example = 0
        for (face, end) in reader.ends.enumerated() {
          while example < end {
            let likeness = greatestProduct(with: reader, example)
            probabilities[face] = max(probabilities[face], likeness)
            example += 1
          }
        }
      }
    }
    tell(reader.rule)
  }

  /// The greatest scalar product of an example's features and those of the map, turned by whole columns.
  private func greatestProduct(with reader: FaceReader, _ example: Int) -> Float {
    let count = reader.network.featureCount
    let width = SIMD8<Float>.scalarCount
    return unsafe features.withUnsafeBufferPointer { (turned) in
      unsafe reader.features.withUnsafeBufferPointer { (examples) in
        var greatest: Float = -1
        guard let turned = turned.baseAddress, let examples = examples.baseAddress else {
          return greatest
        }
        let fixed = unsafe UnsafeRawPointer(examples + example * count)
        for column in 0..<FaceNetwork.columnCount {
          let moved = unsafe UnsafeRawPointer(turned + column * reader.network.depth)
          var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero)
          var offset = 0
          // Two vectors at once; a column is a multiple of one, and the columns are even in number.
          while offset < count * MemoryLayout<Float>.stride {
            unsafe sums.0 +=
              moved.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
              * fixed.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            offset += width * MemoryLayout<Float>.stride
            unsafe sums.1 +=
              moved.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
              * fixed.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            offset += width * MemoryLayout<Float>.stride
          }
          greatest = max(greatest, (sums.0 + sums.1).sum())
        }
        return greatest
      }
    }
  }

  /// Turns likenesses into probabilities.
  private mutating func tell(_ rule: PipelineProfile.Faces) {
    probabilities.append(rule.leastLikeness)
    var greatest: Float = -1
    for likeness in probabilities { greatest = max(greatest, likeness) }
    var sum: Float = 0
    for place in probabilities.indices {
      probabilities[place] = Float(
        exponential(Double(rule.sharpness * (probabilities[place] - greatest))))
      sum += probabilities[place]
    }
    for place in probabilities.indices { probabilities[place] /= sum }
  }

  /// The likeliest face; that of the first ones where several are equally likely.
  var best: Int {
    var best = 0
    for index in probabilities.indices where probabilities[index] > probabilities[best] {
      best = index
    }
    return best
  }
}

// MARK: - Measuring

extension DiceDetector {
  /// The likeness below which a die shows no taught face.
  package var leastFaceLikeness: Double { Double(decimalOf: core.profile.faces.leastLikeness) }

  /// The taught face that a die is most like, and how much, which follows from its probabilities; nil
  /// where it was not compared with taught faces.
  ///
  /// - Parameter observation: of a detector with the same profile.
  package func faceLikeness(of observation: DieObservation) -> (name: String, likeness: Float)? {
    var unknown: Float?
    var best: ClassificationLabel?
    for label in observation.labels {
      if label.value == nil { unknown = label.confidence } else { best = best ?? label }
    }
    guard let unknown, let best else { return nil }
    let rule = core.profile.faces
    let odds = Double(max(best.confidence, 1e-30)) / Double(max(unknown, 1e-30))
    return (best.identifier, rule.leastLikeness + Float(naturalLogarithm(odds)) / rule.sharpness)
  }
}
