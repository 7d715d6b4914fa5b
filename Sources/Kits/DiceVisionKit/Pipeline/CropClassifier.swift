internal import DiceDetection
internal import DiceGeometry
internal import DiceNetwork

/// A network that sees one die at a time: the second stage of a detector.
struct CropClassifier: Sendable {
  let network: GridBoxNetwork
  /// How much of the picture it sees of a proposal.
  let geometry: CropGeometry
  /// The row of the middle cell of its head.
  let row: Int
  /// The column of the middle cell of its head.
  let column: Int

  var plan: NetworkPlan { network.plan }

  /// Takes a planned network.
  ///
  /// - Parameters:
  ///   - network: the second stage.
  ///   - labels: the detector's labels, which the second stage must have, too.
  /// - Throws: `unusableSecondStage` with the broken rule.
  init(_ network: GridBoxNetwork, labels: [String]) throws(DetectorError) {
    self.network = network
    let boxes = network.boxes
    // Bytes are compared, which needs no Unicode tables.
    guard boxes.labels.elementsEqual(labels, by: { $0.utf8.elementsEqual($1.utf8) }) else {
      throw .unusableSecondStage(rule: "its labels must be those of the detector")
    }
    guard boxes.heads.count == 1, let head = boxes.heads.first else {
      throw .unusableSecondStage(
        rule: "it must have one head of boxes, not \(boxes.heads.count)")
    }
    let rows = network.height / head.stride
    let columns = network.width / head.stride
    guard !rows.isMultiple(of: 2), !columns.isMultiple(of: 2) else {
      throw .unusableSecondStage(
        rule: "the cells of its head must be odd in number, so that one lies in the middle")
    }
    (row, column) = (rows / 2, columns / 2)
    geometry = CropGeometry(
      width: network.width, height: network.height, objectSide: head.baseSize)
  }

  /// How the crop of a box lies in a picture that is turned; nil where it cannot be mapped.
  func view(
    of box: BoundingBox, in transform: ImageTransform, turned turn: ImageOrientation = .up
  ) -> ImageTransform? {
    let turned = turn.storedToUpright(
      storedWidth: Double(transform.uprightWidth), storedHeight: Double(transform.uprightHeight))
    return ImageTransform(
      window: geometry.window(around: turned.map(box)), storedWidth: transform.storedWidth,
      storedHeight: transform.storedHeight, orientation: transform.orientation.followed(by: turn),
      inputWidth: geometry.width, inputHeight: geometry.height)
  }
}

extension GridBoxNetwork {
  /// Plans a network, with the detector's errors.
  init(
    detecting file: WeightFile, kernels: KernelChoice, precision: NetworkPrecision
  ) throws(DetectorError) {
    do { self = try GridBoxNetwork(file, kernels: kernels, precision: precision) } catch {
      if case .network(let error) = error { throw .network(error) }
      throw .heads(error)
    }
  }
}
