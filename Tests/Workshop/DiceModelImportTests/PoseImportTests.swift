import DiceGeometry
import DiceImaging
import DiceModelImport
import DicePoses
import DiceWeights
import Testing
import TestSupport

@testable import ThrowVisionKit

/// Networks of poses, imported, in `PoseDetector`.
struct PoseImportTests {
  /// A model of a picture of 48 by 64 pixels, whose outputs are the same for every picture: numbers of a shape, 0 but
  /// for some.
  private static func model(
    _ outputs: [(shape: [Int], numbers: [Int: Float])], input: [Int] = [1, 3, 64, 48]
  ) throws -> ImportedModel {
    var nodes = [
      // What a picture of numbers above -9 adds is 0.
      ONNXFile.node("Add", ["x", "nine"], ["above"]), ONNXFile.node("Neg", ["above"], ["below"]),
      ONNXFile.node("Relu", ["below"], ["zeros"]),
      ONNXFile.node(
        "ReduceMean", ["zeros"], ["zero"],
        attributes: [ONNXFile.attribute("axes", [1, 2, 3]), ONNXFile.attribute("keepdims", 0)]),
    ]
    var constants = [ONNXFile.constant("nine", [1, 1, 1, 1], [9])]
    for (index, output) in outputs.enumerated() {
      var numbers = [Float](repeating: 0, count: output.shape.reduce(1, *))
      for (place, number) in output.numbers { numbers[place] = number }
      constants.append(ONNXFile.constant("c\(index)", output.shape, numbers))
      nodes.append(ONNXFile.node("Add", ["c\(index)", "zero"], ["out\(index)"]))
    }
    return try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: nodes, constants: constants, inputs: [("x", input)],
        outputs: outputs.indices.map { "out\($0)" }))
  }

  /// The joints that such a network finds of a person in a box whose crop is 37.5 wide and 50 high from (21.25, 35).
  private static func person(
    _ model: ImportedModel, usesMirror: Bool = false
  ) throws -> DetectedPerson {
    var detector = try PoseDetector(joints: model.weightFile(), people: DotNetworks.people())
    detector.options.usesMirror = usesMirror
    let picture = PixelImage(
      width: 100, height: 120, format: .rgb, samples: [UInt8](repeating: 80, count: 36_000))
    return try #require(
      try detector.pose(in: picture, of: BoundingBox(x: 30, y: 40, width: 20, height: 40)))
  }

  /// Whether a joint lies at a pixel of the network's input.
  private static func lies(
    _ point: Pose.Point?, _ x: Double, _ y: Double, _ confidence: Float
  ) -> Bool {
    guard let point else { return false }
    return (point.location.x - (21.25 + x * 50 / 64)).magnitude < 1e-3
      && (point.location.y - (35 + y * 50 / 64)).magnitude < 1e-3
      && (point.confidence - confidence).magnitude < 1e-6
  }

  private static func kinds(_ model: ImportedModel) -> [String?] {
    model.description.outputs.map { (output) in output.head?.kind }
  }

  // MARK: Families

  @Test(arguments: [true, false])
  func heatmapsOfBothLayoutsAreRead(hasChannelsFirst: Bool) throws {
    // The left shoulder (5) in row 4 and column 3, the right one (6) in row 2 and column 7.
    func place(_ joint: Int, _ row: Int, _ column: Int) -> Int {
      hasChannelsFirst ? (joint * 16 + row) * 12 + column : (row * 12 + column) * 17 + joint
    }
    let plain = try Self.model([
      (
        hasChannelsFirst ? [1, 17, 16, 12] : [1, 16, 12, 17],
        [place(5, 4, 3): 0.5, place(5, 4, 4): 0.25, place(6, 2, 7): 1.5]
      )
    ])
    let model = try plain.pose()
    expectEqual(Self.kinds(model), ["joint heatmaps"])
    expectEqual(model.outputs[0].shape, plain.outputs[0].shape)
    let person = try Self.person(model)
    #expect(Self.lies(person.pose[.leftShoulder], 13.5, 16.5, 0.5), "\(person)")
    #expect(Self.lies(person.pose[.rightShoulder], 28.5, 8.5, 1))
    #expect(Self.lies(person.pose[.neck], 21, 12.5, 0.5))
    expectEqual(person.pose.joints, [.leftShoulder, .rightShoulder, .neck])
    // In the mirror, sides change, and the surer of both looks counts.
    let mirrored = try Self.person(model, usesMirror: true)
    #expect(Self.lies(mirrored.pose[.leftShoulder], 48 - 28.5, 8.5, 1), "\(mirrored)")
  }

  @Test func theHeadLiesBetweenItsTopAndTheNeck() throws {
    let model = try Self.model([
      ([1, 16, 16, 12], [(9 * 16 + 2) * 12 + 5: 1, (7 * 16 + 6) * 12 + 5: 0.5])
    ])
    let person = try Self.person(model.pose(PoseOptions(refinement: .none)))
    #expect(Self.lies(person.pose[.head], 20.5, 16.5, 0.5), "\(person)")
    #expect(Self.lies(person.pose[.neck], 20.5, 24.5, 0.5))
    let names = (0..<16).map { $0 == 9 ? "neck" : $0 == 7 ? "left_wrist" : "tail \($0)" }
    let others = try Self.person(model.pose(PoseOptions(joints: names, refinement: .dark)))
    expectEqual(others.pose.joints, [.leftWrist, .neck])
  }

  @Test(arguments: [true, false]) func binsAreReadInEitherOrder(hasColumnsFirst: Bool) throws {
    let columns: (shape: [Int], numbers: [Int: Float]) = ([1, 17, 96], [9 * 96 + 21: 0.75])
    let rows: (shape: [Int], numbers: [Int: Float]) = ([1, 17, 128], [9 * 128 + 40: 0.5])
    let model = try Self.model(hasColumnsFirst ? [columns, rows] : [rows, columns]).pose()
    expectEqual(Set(Self.kinds(model)), ["joint columns", "joint rows"])
    let person = try Self.person(model)
    #expect(Self.lies(person.pose[.leftWrist], 11, 20.5, 0.5), "\(person)")
  }

  @Test func moveNetAndBlazePoseAreRead() throws {
    let model = try Self.model([([1, 1, 17, 3], [27: 0.25, 28: 0.5, 29: 0.75])]).pose()
    expectEqual(Self.kinds(model), ["joint points"])
    let person = try Self.person(model)
    #expect(Self.lies(person.pose[.leftWrist], 24, 16, 0.75), "\(person)")
    let blaze = try Self.model([
      ([1, 1], [:]), ([1, 195], [15 * 5: 12, 15 * 5 + 1: 20, 15 * 5 + 3: 100]),
    ]).pose()
    expectEqual(Self.kinds(blaze), [nil, "joint points"])
    expectEqual(blaze.description.outputs[1].head?.labels.last, "point 38")
    #expect(Self.lies(try Self.person(blaze).pose[.leftWrist], 12, 20, 1))
  }

  @Test func poseNetAddsOffsets() throws {
    // 3 rows and 4 columns: a stride of 31.5 in y and 47 / 3 in x.
    let model = try Self.model([
      ([1, 34, 3, 4], [(9 * 3 + 1) * 4 + 2: 2, (26 * 3 + 1) * 4 + 2: -3]),
      ([1, 17, 3, 4], [(9 * 3 + 1) * 4 + 2: 0.5]), ([1, 32, 3, 4], [:]),
    ]).pose()
    expectEqual(Self.kinds(model), ["joint offsets", "joint heatmaps", nil])
    let person = try Self.person(model)
    #expect(Self.lies(person.pose[.leftWrist], 2 * 47 / 3.0 - 3 + 0.5, 34, 0.5), "\(person)")
  }

  @Test func theBestRowOfYOLOIsRead() throws {
    // Numbers before boxes: box 7 has the highest score.
    let numbers: [Int: Float] = [
      4 * 84 + 3: 0.5, 4 * 84 + 7: 0.75, 32 * 84 + 7: 12, 33 * 84 + 7: 20, 34 * 84 + 7: 1,
      32 * 84 + 3: 40,
    ]
    let model = try Self.model([([1, 56, 84], numbers)]).pose()
    expectEqual(Self.kinds(model), ["person rows"])
    #expect(Self.lies(try Self.person(model).pose[.leftWrist], 12, 20, 1))
  }

  // MARK: Options

  @Test func theWeightFileKeepsWhatDecodingNeeds() throws {
    let plain = try Self.model([([1, 16, 16, 12], [:])])
    let model = try plain.pose(
      PoseOptions(kind: .heatmaps, boxScale: 1.5, refinement: .dark, samples: .shares))
    let file = try WeightFile(bytes: model.weightFile())
    expectEqual(file.description.task, "poses")
    expectEqual(file.description.profile, [NamedValues("crop scale", [1.5])])
    let head = try #require(file.description.outputs[0].head)
    expectEqual(head.labels, JointOrder.mpii.names)
    expectEqual(head.parameters, [NamedValues("refinement", [2])])
    let rules = try #require(file.description.inputs[0].imageRules)
    #expect(rules.scales.x == 1 / 255 && rules.paddingValue == 0)
  }

  @Test func ordersHaveDifferentNames() {
    let counts: [JointOrder: Int] = [.coco: 17, .mpii: 16, .lsp: 14, .cpm: 14, .blazepose: 33]
    for order in JointOrder.allCases {
      #expect(order.names.count == counts[order] && Set(order.names).count == order.names.count)
      #expect(order.names.contains("leftWrist") && order.names.contains("rightAnkle"))
    }
    expectEqual(JointOrder.coco.names.map { Joint(name: $0) }, Joint.coco)
  }

  /// The mean red, green and blue of a picture are y, x and score of each joint.
  @Test(arguments: [
    (PoseOptions(samples: .shares), SIMD3<Double>(0.2, 0.4, 0.8)),
    (PoseOptions(samples: .shares, channelOrder: .bgr), SIMD3(0.8, 0.4, 0.2)),
    (PoseOptions(samples: .signed), SIMD3(-0.6, -0.2, 0.6)),
    (
      PoseOptions(samples: .imageNet),
      SIMD3((51 - 123.675) / 58.395, -14.28 / 57.12, 100.47 / 57.375)
    ),
  ]) func samplesAreScaledByChannel(options: PoseOptions, numbers: SIMD3<Double>) throws {
    let plain = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node(
            "ReduceMean", ["x"], ["mean"],
            attributes: [ONNXFile.attribute("axes", [2, 3]), ONNXFile.attribute("keepdims", 0)]),
          ONNXFile.node("Add", ["zeros", "mean"], ["out"]),
        ],
        constants: [
          ONNXFile.constant("zeros", [1, 17, 3], [Float](repeating: 0, count: 51))
        ], inputs: [("x", [1, 3, 64, 48])], outputs: ["out"]))
    let detector = try PoseDetector(
      joints: plain.pose(options).weightFile(), people: DotNetworks.people())
    let picture = PixelImage(
      width: 100, height: 120, format: .rgb,
      samples: (0..<12_000).flatMap { _ in [UInt8(51), 102, 204] })
    let person = try #require(
      try detector.pose(in: picture, of: BoundingBox(x: 30, y: 40, width: 20, height: 40)))
    let wrist = try #require(person.pose[.leftWrist])
    #expect((wrist.location.y - (35 + numbers.x * 50)).magnitude < 0.02, "\(wrist)")
    #expect((wrist.location.x - (21.25 + numbers.y * 37.5)).magnitude < 0.02)
    #expect((Double(wrist.confidence) - min(1, numbers.z)).magnitude < 1e-3)
  }

  // MARK: Errors

  private static func rule(
    _ outputs: [[Int]], _ options: PoseOptions = PoseOptions()
  ) throws -> String {
    let model = try model(outputs.map { ($0, [:]) })
    do throws(ModelImportError) {
      _ = try model.pose(options)
      return ""
    } catch { return "\(error)" }
  }

  @Test func whatDoesNotFitIsRefusedWithTheOutputsThatThereAre() throws {
    try expectEqual(
      Self.rule([[1, 14, 16, 12], [1, 9]]),
      "The network of poses: Its outputs do not show of what family it is; name the family and the "
        + "joints: there are out0 [1, 14, 16, 12], out1 [1, 9].")
    try expectEqual(
      Self.rule([[1, 14, 16, 12]], PoseOptions(kind: .heatmaps)),
      "The network of poses: No output has the shape [joints, rows, columns] or [rows, columns, "
        + "joints] of heatmaps of 17 or 16 joints; name the joints if they are others; there are "
        + "out0 [1, 14, 16, 12].")
    #expect(
      try Self.rule(
        [[1, 17, 96], [1, 17, 100]], PoseOptions(kind: .simcc, joints: JointOrder.coco.names)
      )
      .contains("simcc of 17 joints; there are out0 [1, 17, 96], out1 [1, 17, 100]."))
    #expect(
      try Self.rule([[1, 2, 16, 12]], PoseOptions(kind: .heatmaps, joints: ["tail", "horn"]))
        == #"The network of poses: None of the labels of the output "out0" is the name of a joint."#
    )
    #expect(
      try Self.rule([[1, 2, 16, 12]], PoseOptions(joints: ["leftWrist", "l_wrist"]))
        == #"The network of poses: The output "out0" has the joint "l_wrist" twice."#)
    #expect(
      try Self.rule([[1, 17, 16, 12]], PoseOptions(boxScale: .nan)).contains("it must be 0.5 to 4.")
    )
    for kind in PoseKind.allCases {
      #expect(try Self.rule([[1, 9]], PoseOptions(kind: kind)).contains("\(kind.rawValue)"))
    }
  }

  @Test func theDetectorRefusesHeadsThatDoNotFit() throws {
    var model = try Self.model([([1, 17, 16, 12], [:])]).pose()
    let people = try DotNetworks.people()
    model.description.outputs[0].head?.labels.removeLast()
    #expect(
      throws: PoseDetectorError.head(
        .shape(
          output: "out0", found: TensorShape(height: 16, width: 12, channels: 17),
          required: "16 channels, one for each joint"))
    ) { try PoseDetector(joints: model.weightFile(), people: people) }
    model = try Self.model([([1, 17, 16, 12], [:])]).pose()
    model.description.profile = []
    #expect(
      throws: PoseDetectorError.constant(
        name: "crop scale", found: [], required: "1 numbers of 0.5 to 4.0")
    ) { try PoseDetector(joints: model.weightFile(), people: people) }
  }

  @Test func mapsThatAreNoNumbersGiveNoJoints() throws {
    let picture = PixelImage(
      width: 20, height: 20, format: .rgb, samples: [UInt8](repeating: 0, count: 1200))
    // The logarithm of black is no number.
    let logarithm = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node("Conv", ["x", "w"], ["c"]), ONNXFile.node("Log", ["c"], ["out"]),
        ],
        constants: [ONNXFile.constant("w", [17, 3, 1, 1], [Float](repeating: 1, count: 51))],
        inputs: [("x", [1, 3, 64, 48])], outputs: ["out"])
    ).pose(PoseOptions(samples: .shares))
    let detector = try PoseDetector(
      joints: logarithm.weightFile(), people: DotNetworks.people())
    let person = try #require(
      try detector.pose(in: picture, of: BoundingBox(x: 0, y: 0, width: 20, height: 20)))
    #expect(person.pose.joints.isEmpty && person.confidence == 0)
    expectEqual(person.boundingBox, BoundingBox(x: 0, y: 0, width: 20, height: 20))
  }

  // MARK: Real models

  /// Compares the joints of a whole picture with the places of greatest numbers of an independent runtime's maps.
  private static func compare(
    _ model: ImportedModel, picture: NumPyArray, maps: NumPyArray, joints: [String],
    offsets: NumPyArray? = nil
  ) throws {
    let side = picture.shape[picture.shape.count - 2]
    let image = PixelImage(
      width: side, height: side, format: .rgb, samples: picture.numbers.map { UInt8($0) })
    let detector = try PoseDetector(joints: model.weightFile(), people: DotNetworks.people())
    let box = BoundingBox(x: 0, y: 0, width: Double(side), height: Double(side))
    let person = try #require(try detector.pose(in: image, of: box.scaledAboutCenter(by: 0.8)))
    let shape = Array(maps.shape.suffix(3))
    let hasChannelsFirst = shape[0] == joints.count
    let places = hasChannelsFirst ? shape[2] : shape[1]
    var count = 0
    for (index, name) in joints.enumerated() {
      let own = (0..<places * places).map { (place) in
        maps.numbers[
          hasChannelsFirst ? index * places * places + place : place * joints.count + index]
      }
      let peak = try #require(own.indices.max { own[$0] < own[$1] })
      guard let joint = Joint(name: name), own[peak] >= 0.05 else { continue }
      var (x, y) = (Double(peak % places), Double(peak / places))
      if let offsets {
        let scale = Double(side - 1) / Double(places - 1)
        y = y * scale + Double(offsets.numbers[index * places * places + peak])
        x = x * scale + Double(offsets.numbers[(index + joints.count) * places * places + peak])
      } else {
        (x, y) = (x * Double(side) / Double(places), y * Double(side) / Double(places))
      }
      let found = try #require(person.pose[joint], "\(name)")
      #expect(
        (found.location.x - x - 0.5).magnitude < 0.05
          && (found.location.y - y - 0.5).magnitude < 0.05, "\(name): \(found), \(x), \(y)")
      #expect((found.confidence - own[peak]).magnitude < 2e-3, "\(name)")
      count += 1
    }
    #expect(count >= 8)
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func poseMachinesFindWhatTheirMapsSay() throws {
    let options = PoseOptions(joints: JointOrder.cpm.names, refinement: .none, samples: .bytes)
    try Self.compare(
      ModelImporter.importCoreML(Models.bytes("cpm/cpm_model.mlmodel")).pose(options),
      picture: Models.array("cpm/cpm_model-mlmodel.in.image__0.npy"),
      maps: Models.array(
        "cpm/cpm_model-mlmodel.out.Convolutional_Pose_Machine__stage_5_out__0.npy"),
      joints: options.joints)
    try Self.compare(
      ModelImporter.importTensorFlowLite(Models.bytes("cpm/cpm_model.tflite")).pose(options),
      picture: Models.array("cpm/cpm_model-tflite.in.image.npy"),
      maps: Models.array("cpm/cpm_model-tflite.out.Convolutional_Pose_Machine_stage_5_out.npy"),
      joints: options.joints)
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func poseNetFindsWhatItsMapsSay() throws {
    let stem = "posenet/PoseNetMobileNet075S16FP16"
    try Self.compare(
      ModelImporter.importCoreML(Models.bytes("\(stem).mlmodel")).pose(),
      picture: Models.array("\(stem).in.image.npy"),
      maps: Models.array("\(stem).out.heatmap.npy"), joints: JointOrder.coco.names,
      offsets: Models.array("\(stem).out.offsets.npy"))
  }
}
