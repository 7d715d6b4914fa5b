import DiceGeometry

/// Suppression, and the maps between pictures, inputs and views, with numbers of any bit pattern.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    switch reader.byte() % 4 {
    case 0: suppress(&reader)
    case 1: transform(&reader)
    case 2: window(&reader)
    default: view(&reader)
    }
  }

  /// A likely number, or one of any bit pattern.
  private static func number(_ reader: inout InputReader) -> Double {
    let kind = reader.byte()
    if kind < 8 { return reader.double() }
    let special: [Double] = [0, -0.0, 1, 0.5, -1, 1e-50, 1e300, .infinity, -.infinity, .nan]
    if kind < 40 { return special[Int(kind) % special.count] }
    return Double(reader.byte()) / (kind < 100 ? 255 : 1)
  }

  private static func box(_ reader: inout InputReader) -> BoundingBox {
    BoundingBox(
      x: number(&reader), y: number(&reader), width: number(&reader), height: number(&reader))
  }

  private static func side(_ reader: inout InputReader) -> Int {
    switch reader.byte() {
    case 0: 0
    case 1: -1
    case 2: .max
    case 3: .min
    case 4: ImageTransform.maximumSide
    case 5: ImageTransform.maximumSide + 1
    case let other: Int(other)
    }
  }

  // MARK: - Suppression

  private static func suppress(_ reader: inout InputReader) {
    let threshold = number(&reader)
    let flags = reader.byte()
    var mode = NonMaximumSuppression.Mode.perClass
    if flags & 3 == 1 { mode = .classAgnostic }
    if flags & 3 >= 2 {
      let (sigma, minimum) = (number(&reader), number(&reader))
      guard sigma > 0, sigma.isFinite, minimum >= 0, minimum.isFinite else { return }
      mode = .soft(sigma: sigma, minimumConfidence: minimum, isClassAgnostic: flags & 1 == 1)
    }
    guard threshold >= 0, threshold <= 1 else { return }
    let limit = flags & 4 == 0 ? Int.max : Int(flags >> 3)
    let rule = NonMaximumSuppression(
      iouThreshold: threshold, mode: mode, maximumCount: limit)
    var boxes: [BoundingBox] = []
    var confidences: [Double] = []
    var classes: [Int] = []
    while !reader.isAtEnd, boxes.count < 40 {
      boxes.append(box(&reader))
      confidences.append(number(&reader))
      classes.append(side(&reader))
    }
    let chosen = rule.select(boxes: boxes, confidences: confidences, classIndices: classes)
    require(chosen.indices.count == chosen.confidences.count, "a confidence for each box")
    require(chosen.indices.count <= limit, "no more boxes than asked for")
    require(Set(chosen.indices).count == chosen.indices.count, "each box once")
    for (index, confidence) in zip(chosen.indices, chosen.confidences) {
      require(boxes[index].isProper && confidences[index].isFinite, "only proper boxes are kept")
      require(confidence <= confidences[index] || confidences[index] < 0, "nothing gains")
      if case .soft(_, let minimum, _) = mode {
        require(confidence >= minimum, "the least confidence holds")
      } else {
        require(confidence == confidences[index], "confidences stay")
      }
    }
    require(
      zip(chosen.confidences, chosen.confidences.dropFirst()).allSatisfy { $0 >= $1 },
      "the most confident box comes first")
    let singles = confidences.map { Float($0) }
    require(
      rule.select(boxes: boxes, confidences: singles, classIndices: classes).indices.count <= limit,
      "no more boxes than asked for")
  }

  // MARK: - Maps

  private static func transform(_ reader: inout InputReader) {
    let orientation = ImageOrientation.allCases[Int(reader.byte()) % 8]
    let rule = CropAndScale.allCases[Int(reader.byte()) % CropAndScale.allCases.count]
    var region: NormalizedRect?
    if reader.byte() & 1 == 1 {
      region = NormalizedRect(
        x: number(&reader), y: number(&reader), width: number(&reader), height: number(&reader))
    }
    do throws(GeometryError) {
      let map = try ImageTransform(
        storedWidth: side(&reader), storedHeight: side(&reader), orientation: orientation,
        regionOfInterest: region, cropAndScale: rule, inputWidth: side(&reader),
        inputHeight: side(&reader))
      check(map)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  private static func window(_ reader: inout InputReader) {
    let orientation = ImageOrientation.allCases[Int(reader.byte()) % 8]
    guard
      let map = ImageTransform(
        window: box(&reader), storedWidth: side(&reader), storedHeight: side(&reader),
        orientation: orientation, inputWidth: side(&reader), inputHeight: side(&reader))
    else { return }
    check(map)
  }

  private static func check(_ map: ImageTransform) {
    for part in [map.uprightToInput, map.inputToUpright, map.storedToInput, map.inputToStored] {
      require(part.isFinite, "maps are finite")
    }
    require(map.region.isProper && map.contentBox.isFinite, "the region is a proper box")
  }

  private static func view(_ reader: inout InputReader) {
    let flags = reader.byte()
    guard
      let map = ViewTransform(
        imageWidth: side(&reader), imageHeight: side(&reader), viewWidth: number(&reader),
        viewHeight: number(&reader),
        contentMode: [.aspectFit, .aspectFill, .stretch][Int(flags) % 3],
        origin: flags & 8 == 0 ? .upperLeft : .lowerLeft, isMirrored: flags & 16 != 0)
    else { return }
    require(map.imageToView.isFinite && map.viewToImage.isFinite, "maps are finite")
    _ = map.map(box(&reader))
    _ = map.imagePoint(at: PixelPoint(x: number(&reader), y: number(&reader)))
  }

  static func seeds() -> [[UInt8]] {
    (0..<16).map { (kind) in
      var state = UInt64(kind) &+ 7
      return (0..<120).map { (index) in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return index == 0 ? UInt8(kind % 4) : UInt8(state >> 56)
      }
    }
  }
}
